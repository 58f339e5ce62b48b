#include "nonsmooth/kernel/time_plot.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "io/atomic_file.hpp"
#include "io/markup.hpp"

namespace nonsmooth::kernel {
namespace {

constexpr std::size_t most_groups = 4000;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Sizes in pixels.
constexpr double plot_width = 760, panel_height = 190, panel_gap = 26, left_margin = 84, top_margin = 44, bottom_margin = 50,
                 legend_gap = 16;
constexpr double label_left = 20, legend_line = 22, row_height = 17, letter_width = 6.6, tick_length = 5;

// Okabe and Ito (2008): told apart with any colour vision; after that the same colours dashed.
constexpr std::array<const char*, 7> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222"};
constexpr std::array<const char*, 3> dashes = {"", " stroke-dasharray=\"6 3\"", " stroke-dasharray=\"2 2\""};

std::string fixed(double value, int decimals) {
  char buffer[400];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals).ptr;
  std::string text(buffer, end);
  return text.find_first_not_of("-0.") == std::string::npos && text[0] == '-' ? text.substr(1) : text;
}

std::string pixel(double value) { return fixed(value, 1); }

// Letters of a text in UTF-8.
double lettersOf(const std::string& text) {
  return static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// A range with round ticks: steps 1, 2 or 5 times a power of ten. Labels are in units of 10^power.
class Axis {
 public:
  Axis(double low, double high, double wanted_ticks, bool padded) {
    if (!(low <= high)) low = 0, high = 1;
    double span = high - low;
    // A range that is nothing but rounding is drawn as a level line.
    const double scale = std::max(std::abs(low), std::abs(high));
    if (span <= 1e-12 * scale || span == 0) {
      const double half = scale > 0 ? 0.1 * scale : 1.0;
      low -= half, high += half, span = high - low;
    } else if (padded) {
      low -= 0.05 * span, high += 0.05 * span, span = high - low;
    }
    low_ = low;
    high_ = high;
    const double raw = span / wanted_ticks, decade = std::pow(10.0, std::floor(std::log10(raw)));
    step_ = decade * (raw <= decade ? 1 : raw <= 2 * decade ? 2 : raw <= 5 * decade ? 5 : 10);
    const int exponent = static_cast<int>(std::floor(std::log10(std::max(std::abs(low), std::abs(high)))));
    power_ = exponent >= 5 || exponent <= -3 ? exponent : 0;
    decimals_ = std::max(0, power_ - static_cast<int>(std::floor(std::log10(step_) + 1e-9)));
  }
  double position(double value) const { return (value - low_) / (high_ - low_); }
  std::vector<double> ticks() const {
    std::vector<double> result;
    const double first = std::ceil(low_ / step_ - 1e-9);
    for (double k = first; k * step_ <= high_ + 1e-9 * step_ && result.size() < 30; ++k) result.push_back(k * step_);
    return result;
  }
  std::string label(double tick) const { return fixed(tick / std::pow(10.0, power_), decimals_); }
  int power() const { return power_; }

 private:
  double low_, high_, step_;
  int power_, decimals_;
};

std::string text(double x, double y, const std::string& words, const char* more) {
  return "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\"" + more + ">" + words + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* kind) {
  return "<line class=\"" + std::string(kind) + "\" x1=\"" + pixel(x1) + "\" y1=\"" + pixel(y1) + "\" x2=\"" + pixel(x2) +
         "\" y2=\"" + pixel(y2) + "\"/>\n";
}

// "10" with its exponent raised.
std::string powerOfTen(int power) {
  return "×10<tspan dy=\"-5\" font-size=\"9\">" + std::to_string(power) + "</tspan><tspan dy=\"5\"> </tspan>";
}

std::string stroke(std::size_t number) {
  return "stroke=\"" + std::string(colours[number % colours.size()]) + "\"" + dashes[number / colours.size() % dashes.size()];
}

// The curve in pixels, one path; gaps start it anew.
std::string path(const Curve& curve, const Axis& x, const Axis& y, double top_of_panel, std::size_t number) {
  std::string moves;
  bool pen_down = false;
  std::string last;
  for (const Curve::Point& point : curve.points()) {
    if (!std::isfinite(point.y)) {
      pen_down = false;
      continue;
    }
    const std::string at = pixel(left_margin + plot_width * x.position(point.t)) + " " +
                           pixel(top_of_panel + panel_height * (1 - y.position(point.y)));
    if (pen_down && at == last) continue;
    moves += (pen_down ? "L" : "M") + at;
    pen_down = true;
    last = at;
  }
  return "<path class=\"curve\" " + stroke(number) + " d=\"" + moves + "\"/>\n";
}

void widen(const Curve& curve, double& t_low, double& t_high, double& y_low, double& y_high) {
  for (const Curve::Point& point : curve.points()) {
    t_low = std::min(t_low, point.t), t_high = std::max(t_high, point.t);
    if (std::isfinite(point.y)) y_low = std::min(y_low, point.y), y_high = std::max(y_high, point.y);
  }
}

}  // namespace

void Curve::add(double t, double y) {
  if (!std::isfinite(y)) {
    gap_ = !groups_.empty();
    return;
  }
  const Numbered added{{t, y}, count_++};
  const bool open = !groups_.empty() && filled_ < width_ && !gap_;
  if (!open) {
    if (groups_.size() == most_groups) merge();
    groups_.push_back({added, added, gap_});
    filled_ = 1;
    gap_ = false;
    return;
  }
  Group& group = groups_.back();
  if (y < group.least.point.y) group.least = added;
  if (y > group.greatest.point.y) group.greatest = added;
  ++filled_;
}

// Groups two by two, none over a gap. Where that leaves most of them, gaps are nearly as many as groups: those within pairs
// close.
void Curve::merge() {
  const std::size_t count = groups_.size();
  const auto parted = [&](std::size_t k) { return k + 1 == count || groups_[k + 1].gap_before; };
  std::size_t left = 0;
  for (std::size_t k = 0; k < count; k += parted(k) ? 1 : 2) ++left;
  const bool over_gaps = 4 * left > 3 * count;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count;) {
    Group group = groups_[k];
    if (k + 1 < count && (over_gaps || !groups_[k + 1].gap_before)) {
      const Group& next = groups_[++k];
      if (next.least.point.y < group.least.point.y) group.least = next.least;
      if (next.greatest.point.y > group.greatest.point.y) group.greatest = next.greatest;
    }
    ++k;
    groups_[kept++] = group;
  }
  groups_.resize(kept);
  width_ *= 2;
}

std::vector<Curve::Point> Curve::points() const {
  std::vector<Point> result;
  for (const Group& group : groups_) {
    const bool falling = group.greatest.number < group.least.number;
    const Numbered& first = falling ? group.greatest : group.least;
    const Numbered& second = falling ? group.least : group.greatest;
    if (group.gap_before) result.push_back({first.point.t, nothing});
    result.push_back(first.point);
    if (second.number != first.number) result.push_back(second.point);
  }
  return result;
}

Curve& TimePlot::curve(const std::string& panel, const std::string& name) {
  auto found = std::find_if(panels_.begin(), panels_.end(), [&](const Panel& known) { return known.label == panel; });
  if (found == panels_.end()) found = panels_.insert(panels_.end(), {panel, {}});
  found->curves.push_back({name, {}});
  places_.push_back({static_cast<std::size_t>(found - panels_.begin()), found->curves.size() - 1});
  return found->curves.back().curve;
}

// The largest extents of the curves, all in time, each panel in y.
struct TimePlot::Ranges {
  double t_low = INFINITY, t_high = -INFINITY, longest_name = 0;
  std::vector<std::pair<double, double>> y;

  explicit Ranges(const std::vector<Panel>& panels) {
    for (const Panel& panel : panels) {
      double low = INFINITY, high = -INFINITY;
      for (const Named& named : panel.curves) {
        longest_name = std::max(longest_name, lettersOf(named.name));
        widen(named.curve, t_low, t_high, low, high);
      }
      y.emplace_back(low, high);
    }
  }
};

namespace {

// Grid, ticks and numbers of a panel from y0 down to y1; numbers of the time axis under the last one only.
std::string scales(const Axis& x, const Axis& y, double y0, double y1, bool last) {
  std::string out;
  for (const double tick : x.ticks()) {
    const double at = left_margin + plot_width * x.position(tick);
    out += line(at, y0, at, y1, "grid") + line(at, y1, at, y1 + tick_length, "tick");
    if (last) out += text(at, y1 + 19, x.label(tick), " text-anchor=\"middle\"");
  }
  for (const double tick : y.ticks()) {
    const double at = y1 - panel_height * y.position(tick);
    out += line(left_margin, at, left_margin + plot_width, at, "grid") +
           line(left_margin - tick_length, at, left_margin, at, "tick");
    out += text(left_margin - 9, at + 4, y.label(tick), " text-anchor=\"end\"");
  }
  if (y.power() != 0) out += text(left_margin, y0 - 5, powerOfTen(y.power()), " font-size=\"11\"");
  return out;
}

std::string rectangle(double y0, const char* more) {
  return "<rect" + std::string(more) + " x=\"" + pixel(left_margin) + "\" y=\"" + pixel(y0) + "\" width=\"" + pixel(plot_width) +
         "\" height=\"" + pixel(panel_height) + "\"/>";
}

// Row k of the legend of a panel, or "..." where no more fit.
std::string legendRow(const std::string& name, std::size_t k, double y0, bool no_more) {
  const double x = left_margin + plot_width + legend_gap, y = y0 + 10 + static_cast<double>(k) * row_height;
  const std::string key = "<line class=\"key\" " + stroke(k) + " x1=\"" + pixel(x) + "\" y1=\"" + pixel(y) + "\" x2=\"" +
                          pixel(x + legend_line) + "\" y2=\"" + pixel(y) + "\"/>\n";
  return (no_more ? "" : key) + text(x + legend_line + 8, y + 4, no_more ? "..." : escaped(name), "");
}

std::string header(double width, double height) {
  const std::string size = pixel(width) + "\" height=\"" + pixel(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " + pixel(width) + " " + pixel(height) +
         "\" font-family=\"Helvetica, Arial, sans-serif\" "
         "font-size=\"12\">\n<style>.grid{stroke:#e4e4e4}.frame{fill:none;stroke:#666}"
         ".tick{stroke:#666}.curve{fill:none;stroke-width:1.4;stroke-linejoin:round}.key{stroke-width:2.2}text{fill:#222}</"
         "style>\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
}

}  // namespace

std::string TimePlot::panelSvg(std::size_t p, const Ranges& ranges) const {
  const Panel& panel = panels_[p];
  const Axis x(ranges.t_low, ranges.t_high, 8, false), y(ranges.y[p].first, ranges.y[p].second, 5, true);
  const double y0 = top_margin + static_cast<double>(p) * (panel_height + panel_gap), y1 = y0 + panel_height,
               middle = 0.5 * (y0 + y1);
  const std::string clip = "panel" + std::to_string(p);
  std::string out = scales(x, y, y0, y1, p + 1 == panels_.size());
  out += "<clipPath id=\"" + clip + "\">" + rectangle(y0, "") + "</clipPath>\n<g clip-path=\"url(#" + clip + ")\">\n";
  for (std::size_t k = 0; k < panel.curves.size(); ++k) out += path(panel.curves[k].curve, x, y, y0, k);
  out += "</g>\n" + rectangle(y0, " class=\"frame\"") + "\n";
  const std::string turned = " text-anchor=\"middle\" transform=\"rotate(-90 " + pixel(label_left) + " " + pixel(middle) + ")\"";
  out += text(label_left, middle, escaped(panel.label), turned.c_str());
  const auto rows = static_cast<std::size_t>((panel_height + panel_gap) / row_height);
  for (std::size_t k = 0; k < std::min(panel.curves.size(), rows); ++k)
    out += legendRow(panel.curves[k].name, k, y0, k + 1 == rows && panel.curves.size() > rows);
  return out;
}

std::string TimePlot::svg() const {
  const Ranges ranges(panels_);
  const auto count = static_cast<double>(panels_.size());
  const double width = left_margin + plot_width + legend_gap + legend_line + 8 + letter_width * ranges.longest_name + 12;
  const double height = top_margin + count * panel_height + std::max(0.0, count - 1) * panel_gap + bottom_margin;
  const double middle = left_margin + 0.5 * plot_width;
  std::string out = header(width, height) + text(middle, 26, escaped(title_), " text-anchor=\"middle\" font-size=\"15\"");
  for (std::size_t p = 0; p < panels_.size(); ++p) out += panelSvg(p, ranges);
  const Axis x(ranges.t_low, ranges.t_high, 8, false);
  const std::string unit = x.power() == 0 ? "" : " " + powerOfTen(x.power());
  return out + text(middle, height - 10, escaped(time_label_) + unit, " text-anchor=\"middle\"") + "</svg>\n";
}

void TimePlot::write(const std::string& path) const { writeAtomically(path, svg(), false); }

}  // namespace nonsmooth::kernel
