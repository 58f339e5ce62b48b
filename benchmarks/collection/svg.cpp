// Plots: step functions with a logarithmic x axis and their names at the right end, each with its own pair of colour and dashes
// (colours of Okabe and Ito 2008, from the style sheet of the page). Those that are not coloured are grey, until a click.
#include <algorithm>
#include <numeric>

#include "markup.hpp"
#include "report.hpp"

namespace nonsmooth::bench {
namespace {

constexpr double left = 52, top = 34, width = 520, label_gap = 56, label_width = 236, label_height = 15, bottom = 46;
constexpr int colours = 7;
constexpr const char* dashes[] = {"", "7 3", "2 2.5", "9 3 2 3", "14 4"};  // 35 pairs with the colours

class Canvas {
 public:
  explicit Canvas(const Plot& plot) : plot_(plot) {
    height_ = std::max(300.0, label_height * static_cast<double>(plot.curves.size()));
    axes();
    curves();
  }

  std::string whole() const {
    const double whole_width = left + width + label_gap + label_width, whole_height = top + height_ + bottom;
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + coordinate(whole_width) + ' ' + coordinate(whole_height) +
           "\" role=\"img\" aria-label=\"" + escaped(plot_.title) + "\">\n" + body_ + "</svg>\n";
  }

 private:
  double x(double value) const { return left + width * std::log(value / plot_.x_first) / std::log(plot_.x_last / plot_.x_first); }
  double y(double share) const { return top + height_ * (1 - share); }

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
    for (int percent = 0; percent <= 100; percent += 20) {
      line(left, y(percent / 100.0), left + width, y(percent / 100.0), "class=\"grid\"");
      label(left - 6, y(percent / 100.0) + 4, std::to_string(percent) + " %", "class=\"tick\" text-anchor=\"end\"");
    }
    for (const double tick : ticks()) {
      line(x(tick), top, x(tick), top + height_, "class=\"grid\"");
      label(x(tick), top + height_ + 16, plot_.x_first < 1e-4 ? tolerance_text(tick) : number_text("%.4g", tick),
            "class=\"tick\" text-anchor=\"middle\"");
    }
    label(left + width / 2, top + height_ + 36, plot_.x_label, "class=\"axis\" text-anchor=\"middle\"");
    label(left - 44, top - 10, plot_.y_label, "class=\"tick\"");
  }

  // Powers of ten; with 2 and 5 between them where there is room.
  std::vector<double> ticks() const {
    const double low = plot_.x_first, high = plot_.x_last;
    const double decades = std::log10(high / low);
    const int step = std::max(1, static_cast<int>(std::ceil(decades / 10)));
    std::vector<double> ticks;
    for (int power = static_cast<int>(std::floor(std::log10(low))); power <= std::ceil(std::log10(high)); power += step)
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double tick = factor * std::pow(10.0, power);
        if ((factor == 1 || decades <= 3) && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
      }
    return ticks;
  }

  static std::string style(const Plot::Curve& curve) {
    const std::string dash = dashes[curve.style % std::size(dashes)];
    return "class=\"curve c" + std::to_string(curve.style % colours) + "\"" +
           (dash.empty() ? "" : " stroke-dasharray=\"" + dash + "\"");
  }

  void curves() {
    std::vector<std::size_t> order(plot_.curves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto end = [&](std::size_t k) {
      double share = 0;
      for (const auto& [value, at] : plot_.curves[k].points)
        if (value <= plot_.x_last) share = at;
      return share;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return end(a) > end(b); });
    std::vector<double> wanted;
    for (const std::size_t k : order) wanted.push_back(y(end(k)));
    const std::vector<double> places = apart(wanted, top, top + height_);
    std::vector<std::string> drawn(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) drawn[order[k]] = curve(order[k]) + name(order[k], places[k], end(order[k]));
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

  std::string curve(std::size_t k) const {
    const Plot::Curve& one = plot_.curves[k];
    std::string path = "M" + coordinate(left) + ' ' + coordinate(y(0));
    for (const auto& [value, share] : one.points)
      if (value <= plot_.x_last) path += "H" + coordinate(value > plot_.x_first ? x(value) : left) + "V" + coordinate(y(share));
    path += "H" + coordinate(left + width);
    return "<path d=\"" + path + "\" " + style(one) + "><title>" + escaped(one.label) + "</title></path>\n";
  }

  std::string name(std::size_t k, double at, double share) const {
    const double start = left + width;
    const Plot::Curve& one = plot_.curves[k];
    return "<path d=\"M" + coordinate(start) + ' ' + coordinate(y(share)) + "L" + coordinate(start + label_gap - 24) + ' ' +
           coordinate(at) + "H" + coordinate(start + label_gap - 4) + "\" " + style(one) + "/>\n" +
           text(start + label_gap, at + 4, one.label + "  " + number_text("%.0f %%", 100 * share), "class=\"name\"");
  }

  const Plot& plot_;
  double height_ = 0;
  std::string body_;
};

}  // namespace

std::string svg(const Plot& plot) { return Canvas(plot).whole(); }

}  // namespace nonsmooth::bench
