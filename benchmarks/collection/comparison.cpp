#include "comparison.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <tuple>

namespace nonsmooth::bench {
namespace {

// Position of a value in the order of first appearance.
template <class Key>
class Order {
 public:
  std::size_t place(const Key& key) { return places_.emplace(key, places_.size()).first->second; }

 private:
  std::map<Key, std::size_t> places_;
};

// A form of a problem by name, whatever its data.
using Form = std::tuple<std::string, std::string, std::string>;
Form form_of(const Solve& line) { return {line.collection, line.problem, line.facts.problem_class}; }

MethodColumn column_of(const Solve& line) {
  MethodColumn column{line.method, line.peer};
  if (!line.peer)
    for (const nsm_method_info& info : nsm::methods())
      if (line.method == info.name) column.classes = info.classes;
  return column;
}

}  // namespace

std::string question_of(const Solve& solve) {
  std::string question;
  for (const std::string& part : {solve.collection, solve.problem, solve.facts.problem_class, solve.method})
    question += part + '\n';
  return question + nlohmann::json(solve.limits.tolerance).dump();
}

std::vector<Solve> last_of_each(const std::vector<Solve>& lines, std::size_t* other_data) {
  std::map<Form, std::string> hash;
  for (const Solve& line : lines) hash[form_of(line)] = line.facts.hash;
  std::map<std::string, std::size_t> last;
  std::size_t passed_over = 0;
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (hash.at(form_of(lines[k])) == lines[k].facts.hash)
      last[question_of(lines[k])] = k;
    else
      ++passed_over;
  std::vector<Solve> result;
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (const auto found = last.find(question_of(lines[k])); found != last.end() && found->second == k)
      result.push_back(lines[k]);
  if (other_data != nullptr) *other_data = passed_over;
  return result;
}

Comparison::Comparison(const std::vector<Solve>& lines) {
  std::set<double> tolerances;
  std::map<std::string, std::set<std::string>> collections, classes;  // of a problem's name
  for (const Solve& line : lines) {
    tolerances.insert(line.limits.tolerance);
    collections[line.problem].insert(line.collection);
    classes[line.problem].insert(line.facts.problem_class);
  }
  tolerances_.assign(tolerances.rbegin(), tolerances.rend());
  std::vector<MethodColumn> own, peers;
  for (const Solve& line : lines) {
    std::vector<MethodColumn>& list = line.peer ? peers : own;
    if (line.solver_of.empty() &&
        std::none_of(list.begin(), list.end(), [&](const MethodColumn& column) { return column.name == line.method; }))
      list.push_back(column_of(line));
  }
  std::stable_partition(own.begin(), own.end(), [](const MethodColumn& column) { return column.name == "auto"; });
  methods_ = own;
  methods_.insert(methods_.end(), peers.begin(), peers.end());
  Order<Form> places;
  for (const Solve& line : lines) {
    if (!line.solver_of.empty()) {
      solvers_of_peers_.push_back(line);
      continue;
    }
    const std::size_t problem = places.place(form_of(line));
    if (problem == problems_.size()) {
      std::string label = line.problem;
      if (classes[line.problem].size() > 1) label += " (" + line.facts.problem_class + ")";
      if (collections[line.problem].size() > 1) label = line.collection + "/" + label;
      problems_.push_back({label, line.family, line.answer, line.facts});
    }
    const auto tolerance = std::find(tolerances_.begin(), tolerances_.end(), line.limits.tolerance) - tolerances_.begin();
    solves_[{problem, method(line.method), static_cast<std::size_t>(tolerance)}] = line;
  }
}

std::size_t Comparison::method(const std::string& name) const {
  const auto found = std::find_if(methods_.begin(), methods_.end(), [&](const MethodColumn& one) { return one.name == name; });
  return static_cast<std::size_t>(found - methods_.begin());
}

const Solve* Comparison::at(std::size_t problem, std::size_t method, std::size_t tolerance) const {
  const auto found = solves_.find({problem, method, tolerance});
  return found == solves_.end() ? nullptr : &found->second;
}

bool Comparison::given(std::size_t problem, std::size_t method, std::size_t tolerance) const {
  return at(problem, method, tolerance) != nullptr || !methods_[method].treats(problems_[problem].facts.problem_class);
}

double Comparison::time(std::size_t problem, std::size_t method, std::size_t tolerance) const {
  const Solve* solve = at(problem, method, tolerance);
  // A peer may not tell its time.
  return solve != nullptr && solve->right() && solve->certified && solve->seconds() > 0 ? solve->seconds() : HUGE_VAL;
}

bool Comparison::belongs(std::size_t method, Among among) const {
  return among == Among::all || methods_[method].peer == (among == Among::peers);
}

std::optional<std::size_t> Comparison::best(std::size_t problem, std::size_t tolerance, Among among) const {
  std::optional<std::size_t> best;
  double least = HUGE_VAL;
  for (std::size_t m = 0; m < methods_.size(); ++m)
    if (belongs(m, among) && time(problem, m, tolerance) < least) {
      least = time(problem, m, tolerance);
      best = m;
    }
  return best;
}

std::optional<std::size_t> Comparison::best_single(const std::vector<std::size_t>& problems, std::size_t tolerance,
                                                   std::size_t but) const {
  std::optional<std::size_t> best;
  double least = HUGE_VAL;
  for (std::size_t m = 0; m < methods_.size(); ++m) {
    if (m == but || !belongs(m, Among::own)) continue;
    double logarithms = 0;
    for (const std::size_t p : problems) logarithms += std::log(time(p, m, tolerance));
    if (!(logarithms < least)) continue;
    least = logarithms;
    best = m;
  }
  return problems.empty() ? std::nullopt : best;
}

bool Comparison::tried(std::size_t problem, std::size_t tolerance, Among among) const {
  for (std::size_t m = 0; m < methods_.size(); ++m)
    if (belongs(m, among) && at(problem, m, tolerance) != nullptr) return true;
  return false;
}

GeometricMean geometric_mean(const std::vector<double>& ratios) {
  const std::size_t n = ratios.size();
  if (n == 0) return {};
  const auto mean_of = [&](auto&& index) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += std::log(ratios[index(k)]);
    return std::exp(sum / static_cast<double>(n));
  };
  GeometricMean result{mean_of([](std::size_t k) { return k; }), NAN, NAN, n};
  if (n < 2) return result;
  constexpr std::size_t resamples = 1000;
  std::mt19937_64 random(1979);
  std::vector<double> means;
  for (std::size_t k = 0; k < resamples; ++k) means.push_back(mean_of([&](std::size_t) { return random() % n; }));
  std::sort(means.begin(), means.end());
  result.low = means[resamples / 40];
  result.high = means[resamples - 1 - resamples / 40];
  return result;
}

double Distribution::share(double x) const {
  const auto count = std::upper_bound(values.begin(), values.end(), x) - values.begin();
  return problems == 0 ? 0 : static_cast<double>(count) / static_cast<double>(problems);
}

namespace {

// Problems that somebody may solve, and that were run.
std::vector<std::size_t> counted(const Comparison& comparison, std::size_t tolerance, const std::vector<std::size_t>& problems) {
  std::vector<std::size_t> counted;
  for (const std::size_t p : problems)
    if (comparison.problems()[p].counts() && comparison.tried(p, tolerance, Comparison::Among::all)) counted.push_back(p);
  return counted;
}

std::vector<std::size_t> methods_that_ran(const Comparison& comparison, std::size_t tolerance,
                                          const std::vector<std::size_t>& problems) {
  std::vector<std::size_t> methods;
  for (std::size_t m = 0; m < comparison.methods().size(); ++m)
    if (std::any_of(problems.begin(), problems.end(), [&](std::size_t p) {
          const Solve* solve = comparison.at(p, m, tolerance);
          return solve != nullptr && solve->outcome != "unsupported";
        }))
      methods.push_back(m);
  return methods;
}

// value(problem, method): infinite where there is none.
template <class Value>
std::vector<Distribution> distributions(const Comparison& comparison, const Field& field, Value value) {
  std::vector<Distribution> all;
  for (const std::size_t m : field.methods) {
    Distribution one{comparison.methods()[m].name, {}, field.problems.size()};
    for (const std::size_t p : field.problems)
      if (const double x = value(p, m); std::isfinite(x)) one.values.push_back(x);
    std::sort(one.values.begin(), one.values.end());
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

Field field_of_all_methods(const Comparison& comparison, std::size_t tolerance, const std::vector<std::size_t>& problems) {
  const std::vector<std::size_t> all = counted(comparison, tolerance, problems);
  Field field{methods_that_ran(comparison, tolerance, all), {}, all.size()};
  std::copy_if(all.begin(), all.end(), std::back_inserter(field.problems), [&](std::size_t p) {
    return std::all_of(field.methods.begin(), field.methods.end(),
                       [&](std::size_t m) { return comparison.given(p, m, tolerance); });
  });
  return field;
}

Field field_of_all_problems(const Comparison& comparison, std::size_t tolerance, const std::vector<std::size_t>& problems) {
  Field field{{}, counted(comparison, tolerance, problems), 0};
  field.of = field.problems.size();
  for (const std::size_t m : methods_that_ran(comparison, tolerance, field.problems))
    if (std::all_of(field.problems.begin(), field.problems.end(),
                    [&](std::size_t p) { return comparison.given(p, m, tolerance); }))
      field.methods.push_back(m);
  return field;
}

std::vector<Distribution> performance_profile(const Comparison& comparison, std::size_t tolerance, const Field& field) {
  return distributions(comparison, field, [&](std::size_t p, std::size_t m) {
    double least = HUGE_VAL;
    for (const std::size_t other : field.methods) least = std::min(least, comparison.time(p, other, tolerance));
    return std::isfinite(least) ? comparison.time(p, m, tolerance) / least : HUGE_VAL;
  });
}

std::vector<Distribution> accuracy_profile(const Comparison& comparison, std::size_t tolerance, const Field& field) {
  return distributions(comparison, field, [&](std::size_t p, std::size_t m) {
    const Solve* solve = comparison.at(p, m, tolerance);
    if (solve == nullptr) return HUGE_VAL;
    if (solve->outcome == "infeasible") return 0.0;
    return std::isnan(solve->residual) ? HUGE_VAL : solve->residual;
  });
}

}  // namespace nonsmooth::bench
