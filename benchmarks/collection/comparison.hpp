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
  double time(std::size_t problem, std::size_t method, std::size_t tolerance) const;      // s; infinite where not solved
  // The method with the shortest time among the library's, the peers', or both; none if nobody solves it.
  enum class Among { own, peers, all };
  std::optional<std::size_t> best(std::size_t problem, std::size_t tolerance, Among among) const;
  bool tried(std::size_t problem, std::size_t tolerance, Among among) const;
  std::size_t method(const std::string& name) const;  // the number of methods if there is none

 private:
  bool belongs(std::size_t method, Among among) const;

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

// Dolan and More 2002: for each method, time over that of the best method on the problem. A method that does not treat a problem
// does not solve it. Methods that were run on none are left out.
std::vector<Distribution> performance_profile(const Comparison& comparison, std::size_t tolerance,
                                              const std::vector<std::size_t>& problems);

// For each method, the residuals of the certificate that it reaches when asked for the tolerance (a verified proof that there is
// no solution: 0).
std::vector<Distribution> accuracy_profile(const Comparison& comparison, std::size_t tolerance,
                                           const std::vector<std::size_t>& problems);

}  // namespace nonsmooth::bench
