// Plots: curves with a logarithmic x axis and their names at the right end, each with its own pair of colour and dashes
// (colours of Okabe and Ito 2008, from the style sheet). Those that are not coloured are grey, until a click.
#include <algorithm>
#include <numeric>

#include "markup.hpp"
#include "report.hpp"

namespace nonsmooth::bench {
namespace {

constexpr double left = 52, top = 34, width = 520, label_gap = 56, label_width = 236, label_height = 15, bottom = 46;
constexpr int colours = 7;
constexpr const char* dashes[] = {"", "7 3", "2 2.5", "9 3 2 3", "14 4"};  // 35 pairs with the colours
constexpr double whole_width = left + width + label_gap + label_width;

// Powers of ten; with 2 and 5 between them where there is room.
std::vector<double> ticks_between(double one, double other) {
  const double low = std::min(one, other), high = std::max(one, other), decades = std::log10(high / low);
  const int step = std::max(1, static_cast<int>(std::ceil(decades / 10)));
  std::vector<double> ticks;
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= std::ceil(std::log10(high)); power += step)
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10.0, power);
      if ((factor == 1 || decades <= 3) && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
    }
  return ticks;
}

class Canvas {
 public:
  explicit Canvas(const Plot& plot) : plot_(plot) {
    height_ = std::max(300.0, label_height * static_cast<double>(plot.curves.size()));
    axes();
    curves();
  }

  double height() const { return top + height_ + bottom; }
  // attributes: place and size, where the plot is part of a picture.
  std::string whole(const std::string& attributes) const {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + coordinate(whole_width) + ' ' + coordinate(height()) +
           "\" " + attributes + "role=\"img\" aria-label=\"" + escaped(plot_.title) + "\">\n" + body_ + "</svg>\n";
  }

 private:
  double x(double value) const { return left + width * std::log(value / plot_.x_first) / std::log(plot_.x_last / plot_.x_first); }
  double y(double value) const {
    const double part = plot_.values ? std::log(value / plot_.y_first) / std::log(plot_.y_last / plot_.y_first) : value;
    return top + height_ * (1 - part);
  }
  bool within(double value) const { return (value - plot_.x_last) * (plot_.x_first - plot_.x_last) >= 0; }

  void line(double x1, double y1, double x2, double y2, const std::string& attributes) {
    body_ += "<line x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" + coordinate(x2) + "\" y2=\"" +
             coordinate(y2) + "\" " + attributes + "/>\n";
  }
  static std::string text(double at_x, double at_y, const std::string& words, const std::string& attributes) {
    return "<text x=\"" + coordinate(at_x) + "\" y=\"" + coordinate(at_y) + "\" " + attributes + '>' + escaped(words) +
           "</text>\n";
  }
  void label(double at_x, double at_y, const std::string& words, const std::string& attributes) {
    body_ += text(at_x, at_y, words, attributes);
  }

  void axes() {
    label(left, 18, plot_.title, "class=\"title\"");
    for (const auto& [value, words] : levels()) {
      line(left, y(value), left + width, y(value), "class=\"grid\"");
      label(left - 6, y(value) + 4, words, "class=\"tick\" text-anchor=\"end\"");
    }
    for (const double tick : ticks_between(plot_.x_first, plot_.x_last)) {
      line(x(tick), top, x(tick), top + height_, "class=\"grid\"");
      label(x(tick), top + height_ + 16,
            std::min(plot_.x_first, plot_.x_last) < 1e-4 ? tolerance_text(tick) : number_text("%.4g", tick),
            "class=\"tick\" text-anchor=\"middle\"");
    }
    label(left + width / 2, top + height_ + 36, plot_.x_label, "class=\"axis\" text-anchor=\"middle\"");
    label(left - 44, top - 10, plot_.y_label, "class=\"tick\"");
  }

  std::vector<std::pair<double, std::string>> levels() const {
    std::vector<std::pair<double, std::string>> levels;
    if (plot_.values)
      for (const double tick : ticks_between(plot_.y_first, plot_.y_last)) levels.emplace_back(tick, number_text("%.4g", tick));
    else
      for (int percent = 0; percent <= 100; percent += 20) levels.emplace_back(percent / 100.0, std::to_string(percent) + " %");
    return levels;
  }

  static std::string colour(const Plot::Curve& curve) { return "c" + std::to_string(curve.style % colours); }
  static std::string style(const Plot::Curve& curve) {
    const std::string dash = dashes[curve.style % std::size(dashes)];
    return "class=\"curve " + colour(curve) + "\"" + (dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
  }

  void curves() {
    std::vector<std::size_t> order(plot_.curves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return end_of(a).second > end_of(b).second; });
    std::vector<double> wanted;
    for (const std::size_t k : order) wanted.push_back(y(end_of(k).second));
    const std::vector<double> places = apart(wanted, top, top + height_);
    std::vector<std::string> drawn(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) drawn[order[k]] = curve(order[k]) + name(order[k], places[k]);
    for (const bool coloured : {false, true})  // the first on top
      for (std::size_t k = drawn.size(); k-- > 0;)
        if (const Plot::Curve& one = plot_.curves[k]; one.coloured == coloured)
          body_ += "<g data-method=\"" + escaped(one.label) + "\" class=\"" + (coloured ? "method" : "method grey") + "\">\n" +
                   drawn[k] + "</g>\n";
  }

  // Increasing places, the height of a label apart and as near as possible to those wanted (least squares): of the places less
  // k heights this is isotonic regression, by pooling neighbours.
  static std::vector<double> apart(const std::vector<double>& wanted, double first, double last) {
    struct Pool {
      double sum;
      std::size_t count;
      double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Pool> pools;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      pools.push_back({wanted[k] - label_height * static_cast<double>(k), 1});
      while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
        pools[pools.size() - 2].sum += pools.back().sum;
        pools[pools.size() - 2].count += pools.back().count;
        pools.pop_back();
      }
    }
    const double room = std::max(first, last - label_height * static_cast<double>(wanted.size() - 1));
    std::vector<double> places;
    for (const Pool& pool : pools)
      for (std::size_t k = 0; k < pool.count; ++k)
        places.push_back(std::clamp(pool.mean(), first, room) + label_height * static_cast<double>(places.size()));
    return places;
  }

  // Where its name is tied to it: steps go on to the right end.
  std::pair<double, double> end_of(std::size_t k) const {
    const Plot::Curve& one = plot_.curves[k];
    std::pair<double, double> end{plot_.x_last, plot_.values ? plot_.y_first : 0};
    for (const auto& [value, at] : one.points.empty() ? one.beside : one.points)
      if (within(value)) end = {one.shape == Plot::Shape::steps ? plot_.x_last : value, at};
    return end;
  }

  static std::string path(const std::string& places, const std::string& attributes, const std::string& title) {
    if (places.empty()) return "";
    return "<path d=\"" + places + "\" " + attributes + "><title>" + escaped(title) + "</title></path>\n";
  }

  std::string steps(const Plot::Curve& one) const {
    std::string places = "M" + coordinate(left) + ' ' + coordinate(y(0));
    for (const auto& [value, share] : one.points)
      if (within(value)) places += "H" + coordinate(value > plot_.x_first ? x(value) : left) + "V" + coordinate(y(share));
    return path(places + "H" + coordinate(left + width), style(one), one.label);
  }

  // Each place with the letter before it, and `after` behind.
  std::string places_of(const std::vector<std::pair<double, double>>& points, char first, char next, const char* after) const {
    std::string places;
    for (const auto& [value, at] : points)
      if (within(value)) places += (places.empty() ? first : next) + coordinate(x(value)) + ' ' + coordinate(y(at)) + after;
    return places;
  }

  std::string curve(std::size_t k) const {
    const Plot::Curve& one = plot_.curves[k];
    if (one.shape == Plot::Shape::steps) return steps(one);
    const std::string mark = "class=\"mark " + colour(one) + "\"", beside = places_of(one.beside, 'M', 'M', "h0");
    return path(places_of(one.points, 'M', 'L', ""), style(one), one.label) +
           path(places_of(one.points, 'M', 'M', "h0"), mark, one.label) + path(beside, mark, one.label) +
           path(beside, "class=\"hole\"", one.label);
  }

  std::string name(std::size_t k, double at) const {
    const double start = left + width;
    const Plot::Curve& one = plot_.curves[k];
    const auto [value, level] = end_of(k);
    const std::string words = plot_.values ? "" : "  " + number_text("%.0f %%", 100 * level);
    const std::string tie = one.shape == Plot::Shape::steps ? style(one) : "class=\"tie " + colour(one) + "\"";
    return "<path d=\"M" + coordinate(x(value)) + ' ' + coordinate(y(level)) + "L" + coordinate(start + label_gap - 24) + ' ' +
           coordinate(at) + "H" + coordinate(start + label_gap - 4) + "\" " + tie + "/>\n" +
           text(start + label_gap, at + 4, one.label + words, "class=\"name\"");
  }

  const Plot& plot_;
  double height_ = 0;
  std::string body_;
};

}  // namespace

const char* const plot_style = R"(
:root { --paper: #fff; --ink: #1b1f24; --faint: #57606a; --rule: #d0d7de; --grey: #c3c8ce;
  --c0: #000; --c1: #d55e00; --c2: #0072b2; --c3: #009e73; --c4: #cc79a7; --c5: #e69f00; --c6: #56b4e9; }
svg { font-family: system-ui, sans-serif; }
svg text { fill: var(--ink); font-size: 12px; } svg .title { font-size: 14px; font-weight: 600; } svg .tick { fill: var(--faint); font-size: 11px; }
svg .grid { stroke: var(--rule); stroke-width: 0.7; } svg .curve { fill: none; stroke-width: 1.9; stroke-linejoin: round; }
svg .mark, svg .hole, svg .tie { fill: none; stroke-width: 7; stroke-linecap: round; }
svg .hole { stroke: var(--paper); stroke-width: 4; } svg .tie { stroke-width: 0.7; }
.c0 { stroke: var(--c0); }  .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); } .c3 { stroke: var(--c3); } .c4 { stroke: var(--c4); }
.c5 { stroke: var(--c5); } .c6 { stroke: var(--c6); }
svg .grey .curve { stroke: var(--grey); stroke-width: 1; } svg .grey .mark, svg .grey .tie { stroke: var(--grey); } svg .grey .name { fill: var(--faint); }
)";

std::string svg(const Plot& plot) { return Canvas(plot).whole(""); }

std::string picture(const std::vector<Plot>& plots) {
  std::string parts;
  double height = 0;
  for (const Plot& plot : plots) {
    const Canvas canvas(plot);
    parts += canvas.whole("y=\"" + coordinate(height) + "\" width=\"" + coordinate(whole_width) + "\" height=\"" +
                          coordinate(canvas.height()) + "\" ");
    height += canvas.height();
  }
  const std::string size = coordinate(whole_width), tall = coordinate(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" height=\"" + tall + "\" viewBox=\"0 0 " + size + ' ' +
         tall + "\">\n<style>" + plot_style + "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" + parts +
         "</svg>\n";
}

}  // namespace nonsmooth::bench
