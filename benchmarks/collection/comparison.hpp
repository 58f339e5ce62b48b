// The lines of one or several runs as a table: problem, method, tolerance.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "solve.hpp"

namespace nonsmooth::bench {

struct ProblemRow {
  std::string label, family;
  Answer answer = Answer::unknown;
  Facts facts;
  bool counts() const { return answer != Answer::unsolvable; }  // in profiles and ratios: someone may solve it
};

struct MethodColumn {
  std::string name;
  bool peer = false;
  std::uint32_t classes = UINT32_MAX;  // bit 1 << class: what the library's table says; of what it does not know, all

  bool treats(const std::string& problem_class) const {
    return (classes >> nsm_class_from_name(problem_class.c_str()) & 1u) != 0;
  }
};

// Problem, method and tolerance, whoever answers.
std::string question_of(const Solve& solve);

// Of several lines for the same question the last; of a problem whose data changed, those of the last data alone, so that no two
// methods are compared on different ones. other_data: how many lines that passes over.
std::vector<Solve> last_of_each(const std::vector<Solve>& lines, std::size_t* other_data = nullptr);

class Comparison {
 public:
  explicit Comparison(const std::vector<Solve>& lines);  // one of each

  const std::vector<ProblemRow>& problems() const { return problems_; }
  const std::vector<MethodColumn>& methods() const { return methods_; }  // auto first, peers last
  const std::vector<double>& tolerances() const { return tolerances_; }  // from the loosest on
  const std::vector<Solve>& solvers_of_peers() const { return solvers_of_peers_; }

  const Solve* at(std::size_t problem, std::size_t method, std::size_t tolerance) const;  // nullptr: not run
  // Whether it was run there, or would not have been run, as it does not treat the class: what lacks neither was left out of the
  // run.
  bool given(std::size_t problem, std::size_t method, std::size_t tolerance) const;
  double time(std::size_t problem, std::size_t method, std::size_t tolerance) const;  // s; infinite where not solved
  // The method with the shortest time among the library's, the peers', or both; none if nobody solves it.
  enum class Among { own, peers, all };
  std::optional<std::size_t> best(std::size_t problem, std::size_t tolerance, Among among) const;
  // Of the library's methods other than `but` that solve all of the problems the one with the least geometric mean of times; none
  // if none solves all.
  std::optional<std::size_t> best_single(const std::vector<std::size_t>& problems, std::size_t tolerance, std::size_t but) const;
  bool tried(std::size_t problem, std::size_t tolerance, Among among) const;
  std::size_t method(const std::string& name) const;  // the number of methods if there is none
  bool belongs(std::size_t method, Among among) const;

 private:
  std::vector<ProblemRow> problems_;
  std::vector<MethodColumn> methods_;
  std::vector<double> tolerances_;
  std::map<std::array<std::size_t, 3>, Solve> solves_;
  std::vector<Solve> solvers_of_peers_;
};

// Mean of positive ratios, with an interval for it.
struct GeometricMean {
  double mean = NAN, low = NAN, high = NAN;  // 95 % interval by bootstrap (Efron 1979: percentiles of 1000 resamples)
  std::size_t count = 0;
};
GeometricMean geometric_mean(const std::vector<double>& ratios);

// A distribution function, given by its jumps: the share of `problems` whose value is at most x.
struct Distribution {
  std::string label;
  std::vector<double> values;  // increasing; as many as there are solved problems
  std::size_t problems = 0;
  double share(double x) const;
};

// Methods, and problems that each of them was given: there is no share of what was never tried.
struct Field {
  std::vector<std::size_t> methods, problems;
  std::size_t of = 0;  // problems that there are
};
// All methods that ran on some of the problems, on those that all of them were given.
Field field_of_all_methods(const Comparison& comparison, std::size_t tolerance, const std::vector<std::size_t>& problems);
// All problems, and the methods that were given every one.
Field field_of_all_problems(const Comparison& comparison, std::size_t tolerance, const std::vector<std::size_t>& problems);

// Dolan and More 2002: for each method, time over that of the best method of the field on the problem. A method that does not
// treat a problem does not solve it.
std::vector<Distribution> performance_profile(const Comparison& comparison, std::size_t tolerance, const Field& field);

// For each method, the residuals of the certificate that it reaches when asked for the tolerance (a verified proof that there is
// no solution: 0).
std::vector<Distribution> accuracy_profile(const Comparison& comparison, std::size_t tolerance, const Field& field);

}  // namespace nonsmooth::bench
