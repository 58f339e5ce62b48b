// From a problem and the name of a method to a certified result. Owns a copy of the problem, so that updates leave the caller's
// alone.
#pragma once

#include <cmath>
#include <memory>
#include <optional>

#include "certificate/certificate.hpp"
#include "linalg/workspace.hpp"
#include "methods/frame/method.hpp"
#include "methods/solver/method_view.hpp"
#include "methods/solver/sensitivity.hpp"
#include "problems/problem.hpp"

namespace nonsmooth {

class Solver final : private Patience {
 public:
  // method nullptr: the default of the class. Throws Error.
  Solver(const Problem& problem, const char* method, const Options& options);
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void update_q(std::span<const double> q);
  void update_f(std::span<const double> f);
  void update_mu(std::span<const double> mu);
  void update_matrix(const nsm_matrix& M);
  void warm_start(std::span<const double> z);

  // Allocates nothing but what the method sets up on demand.
  const nsm_result& solve();
  // Whether the last solve ended for lack of memory; its best iterate is kept.
  bool ran_out_of_memory() const { return out_of_memory_; }

  // One problem of a batch: everything by reference. values: of the main matrix, in its storage, empty: as they are. z: start,
  // then solution. w may be empty.
  struct BatchItem {
    std::span<const double> values, q;
    std::span<double> z, w;
  };
  // Throws Error naming `index` if a value is not finite. Sizes are the caller's.
  void check(const BatchItem& item, std::int64_t index) const;
  // The same of a matrix that is refused; the one before stays. Cancellation stays in force, for the items that follow.
  const nsm_result& solve(const BatchItem& item, std::int64_t index);

  // Derivatives at the last solution, by (q, mu) of update_q and update_mu; what is empty counts as 0, or is not wanted. Both
  // allocate. Throw Error.
  void differentiate(std::span<const double> dq, std::span<const double> dmu, std::span<double> dz, std::span<double> dw);
  void differentiate_transposed(std::span<const double> gz, std::span<const double> gw, std::span<double> gq,
                                std::span<double> gmu);

  bool has_solution() const { return solved_; }
  const nsm_result& last_result() const { return result_; }
  std::span<const double> z() const { return z_; }
  std::span<const double> w() const { return w_; }
  // Stored solution of a method that lists several, lifted to the problem's unknowns with its w.
  void solution_at(std::int64_t index, std::span<double> z, std::span<double> w);
  std::int64_t stored_solutions() const;
  std::span<const double> infeasibility_ray() const { return ray_; }
  std::int64_t size() const { return problem_.size(); }
  std::int64_t q_size() const;  // of update_q; throws where there is none
  bool has_q() const;
  std::int64_t mu_size() const;      // of update_mu; 0: none
  std::int64_t value_count() const;  // of the main matrix
  const char* method_name() const { return entry_->info.name; }
  Control& control() { return control_; }

 private:
  // What the method has said, of a start or of its search.
  struct Run {
    Stop stop;
    bool at_start;  // no method was asked
  };

  // solver.cpp
  void set_up_method();
  const nsm_result& solve_once();
  Run run();
  bool lasts() override;
  bool is_refused(const Run& last) const;
  Run run_again(double tolerance);
  Run run_with_motion(Run last);
  Run run_from_zero();
  Run run_refused(Run last);
  void restore_q();
  Stop check_start();
  void load_start();
  std::int64_t listed_solutions() const;

  // solver_outcome.cpp
  bool proves_empty();
  bool keep_proof(std::span<const double> y);
  bool keeps_claimed_proof();
  nsm_outcome outcome_of(Stop stop, const nsm_certificate& certificate);

  // solver_values.cpp
  void refresh(Change change);
  template <class Write>
  void replace(std::span<double> values, Change change, Write&& write);
  void replace_matrix(const BatchItem& item);

  // solver_sensitivity.cpp
  Sensitivity& sensitivity();

  std::optional<double> patience_end_ = HUGE_VAL;  // of projections, in seconds of the solve; nothing: they ask control_
  Control control_;
  Problem problem_;  // no more than its data
  Options options_;
  const MethodEntry* entry_ = nullptr;
  Certifier certifier_;
  MethodView seen_;
  const Inclusion& view_ = seen_.inclusion();
  std::unique_ptr<Method> method_;
  std::int64_t pattern_ = 0;  // of seen_, for which the method is set up
  Workspace room_;            // of the next five
  std::span<double> z_, w_, local_, refused_, start_;
  Vector ray_, workspace_, previous_;                                // previous_: values before an update
  nsm_result result_ = NSM_RESULT_INIT;                              // of the last solve
  bool solved_ = false, out_of_memory_ = false, certified_ = false;  // certified_: values have not changed since
  bool is_shifted_ = false;                                          // q of the reduction is not that of its data
  bool is_given_start_ = true;  // by the caller; otherwise z_ is what the last solve has ended at
  bool has_start_ = false;      // of the next solve, in start_
  bool is_searched_ = false;    // by the method, in the last solve: what it lists is of no earlier one
  std::unique_ptr<Sensitivity> sensitivity_;
};

}  // namespace nonsmooth
