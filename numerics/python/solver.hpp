// A solver as Python has it: its result holds the solution, Ctrl-C ends a solve, and two threads that use it at once are told.
#ifndef NONSMOOTH_PYTHON_SOLVER_HPP
#define NONSMOOTH_PYTHON_SOLVER_HPP

#include <array>
#include <atomic>
#include <string>

#include "problem.hpp"

namespace nonsmooth_python {

// What a solve ended with, and the iterate it is about: the same arrays whenever they are asked for.
struct Result {
  nsm::Result result;
  py::array_t<double> z, w;
  py::object proof;  // that there is no solution; else None
};

nsm::Options to_options(const py::kwargs& values);

class Solver {
 public:
  // With the interpreter's lock, which it lays down for the work.
  Solver(const Problem& problem, const std::string& method, const nsm::Options& options);
  // At a fixed address: the solver calls back.
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  Result solve();
  // Problems that differ in q alone, by rows.
  std::pair<py::array_t<double>, std::vector<std::string>> solve_batch(const py::object& q, const py::object& z);
  void set_progress(const py::object& progress);
  void set_log(const py::object& log);
  void cancel() { solver_.cancel(); }
  // Also while it is at work.
  const std::string& shown() const { return shown_; }
  std::array<py::handle, 3> references() const { return {functions_, progress_, log_}; }
  void forget() { progress_ = log_ = py::none(); }

  // Runs `work` on the solver without the interpreter's lock. Raises where another thread, or the solve that calls back, is at
  // work.
  template <class Work>
  auto use(Work&& work) {
    const Turn turn(busy_);
    const Unlocked unlocked;
    return work(solver_);
  }
  template <class Data>
  void update(const Data& values, void (nsm::Solver::*take)(const Data&)) {
    use([&](nsm::Solver& solver) { (solver.*take)(values); });
  }

 private:
  struct Turn {
    explicit Turn(std::atomic_flag& flag) : busy(flag) {
      if (busy.test_and_set())
        throw nsm::Error(NSM_INVALID_ARGUMENT, "the solver is at work: only cancel may be called during a solve");
    }
    ~Turn() { busy.clear(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    std::atomic_flag& busy;
  };
  bool goes_on(std::int64_t iteration, double residual, double seconds);

  nsm::Solver solver_;
  std::int64_t size_;
  std::string shown_;
  py::object functions_, progress_ = py::none(), log_ = py::none();
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

void define_solver(py::module_& module);

}  // namespace nonsmooth_python

template <>
struct pybind11::detail::type_caster<nonsmooth_python::Solver> : made_caster<nonsmooth_python::Solver> {};
template <>
struct pybind11::detail::type_caster<nonsmooth_python::Result> : made_caster<nonsmooth_python::Result> {};

#endif
