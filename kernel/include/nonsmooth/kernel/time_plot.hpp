// Quantities over time as a picture (SVG).
#ifndef NONSMOOTH_KERNEL_TIME_PLOT_HPP
#define NONSMOOTH_KERNEL_TIME_PLOT_HPP

#include <cstddef>
#include <string>
#include <vector>

namespace nonsmooth::kernel {

// Points of a curve, however many there are: neighbours are merged so that at most some thousand stay, the least and the greatest
// of each group among them, so that peaks are not lost. Values that are not finite leave a gap; only
// where there are thousands of gaps, some are closed.
class Curve {
 public:
  // A point of the curve.
  struct Point {
    // Abscissa and ordinate.
    double t, y;
  };
  // Adds a point.
  void add(double t, double y);
  // In the order in which they were added: those of one instant, before and after an event say, stay apart.
  std::vector<Point> points() const;

 private:
  struct Numbered {
    Point point;
    std::size_t number;  // in the order of add()
  };
  struct Group {
    Numbered least, greatest;
    bool gap_before;
  };
  void merge();
  std::vector<Group> groups_;
  std::size_t width_ = 1, filled_ = 0;  // points per group, in the last group
  std::size_t count_ = 0;               // points added
  bool gap_ = false;
};

// Panels one above the other over one time axis, each with its own scale and legend. One thread at a time; objects are
// independent of each other.
class TimePlot {
 public:
  explicit TimePlot(std::string title, std::string time_label = "t [s]")
      : title_(std::move(title)), time_label_(std::move(time_label)) {}
  // A curve of the panel with that label, which is made where there is none; valid until the next call.
  Curve& curve(const std::string& panel, const std::string& name);
  // By numbers, in the order of the calls of curve().
  Curve& curve(std::size_t number) { return panels_[places_[number].panel].curves[places_[number].curve].curve; }
  // The picture.
  std::string svg() const;
  // Replaces the file whole or leaves it alone. Throws Error naming the file.
  void write(const std::string& path) const;

 private:
  struct Named {
    std::string name;
    Curve curve;
  };
  struct Panel {
    std::string label;
    std::vector<Named> curves;
  };
  struct Ranges;
  std::string panelSvg(std::size_t p, const Ranges& ranges) const;
  struct Place {
    std::size_t panel, curve;
  };
  std::string title_, time_label_;
  std::vector<Panel> panels_;
  std::vector<Place> places_;
};

}  // namespace nonsmooth::kernel
#endif
