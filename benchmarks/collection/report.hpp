// What a report says, whatever it is written as: HTML (html.cpp, with the plots of svg.cpp) or Markdown (markdown.cpp).
#pragma once

#include <cmath>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace nonsmooth::bench {

struct Cell {
  std::string text;
  double sort = NAN;  // sorted by this where it is a number, else by the text
  enum class Mark { none, good, bad } mark = Mark::none;
};

struct Table {
  std::string caption;
  std::vector<std::string> head;
  std::vector<std::vector<Cell>> rows;
  bool filter = false;  // long: with a field to search in
  bool folded = false;  // in HTML, until it is opened
};

// Step functions over a logarithmic axis.
struct Plot {
  std::string title, x_label, y_label;
  double x_first = 1, x_last = 10;
  struct Curve {
    std::string label;
    std::vector<std::pair<double, double>> points;  // (x, share): the share from x on
    std::size_t style = 0;                          // its pair of colour and dashes, the same in all plots
    bool coloured = true;                           // else grey, until its name is clicked on
  };
  std::vector<Curve> curves;
};

struct Section {
  std::string title, text;
  std::vector<Plot> plots;
  std::vector<Table> tables;
  bool folded = false;  // in HTML, until it is opened
  bool only_html = false;
};

struct Report {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<Section> sections;
};

std::string svg(const Plot& plot);
void write_html(std::ostream& out, const Report& report);
void write_markdown(std::ostream& out, const Report& report);

// Figures as a reader wants them.
std::string number_text(const char* format, double value);  // empty if it is none
std::string seconds_text(double seconds);                   // 12.3 us
std::string tolerance_text(double tolerance);               // 1e-08
std::string ratio_text(double ratio);

}  // namespace nonsmooth::bench
