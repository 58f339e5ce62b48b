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

// Curves over a logarithmic axis, which may run backwards: shares from 0 to 1, or values on a second logarithmic axis.
struct Plot {
  std::string title, x_label, y_label;
  double x_first = 1, x_last = 10;
  enum class Shape { steps, line };  // a line has marks
  struct Curve {
    std::string label;
    std::vector<std::pair<double, double>> points;  // (x, y); steps: the share from x on
    std::size_t style = 0;                          // its pair of colour and dashes, the same in all plots
    bool coloured = true;                           // else grey, until its name is clicked on
    Shape shape = Shape::steps;
    std::vector<std::pair<double, double>> beside{};  // hollow marks beside the line
  };
  std::vector<Curve> curves;
  bool values = false;  // on the second axis
  double y_first = 0, y_last = 1;
};

struct Section {
  std::string title, text;
  std::vector<Plot> plots;
  std::vector<Table> tables;
  bool folded = false;  // in HTML, until it is opened
  bool only_html = false;
  std::string picture{};  // name of the file that its plots make beside Markdown; empty: they are left out there
};

struct Report {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<Section> sections;
};

std::string svg(const Plot& plot);
std::string picture(const std::vector<Plot>& plots);  // one file, plots below each other
void write_html(std::ostream& out, const Report& report);
void write_markdown(std::ostream& out, const Report& report, const std::string& pictures = "");  // where they are, from there

// Figures as a reader wants them.
std::string number_text(const char* format, double value);  // empty if it is none
std::string seconds_text(double seconds);                   // 12.3 us
std::string tolerance_text(double tolerance);               // 1e-08
std::string ratio_text(double ratio);

}  // namespace nonsmooth::bench
