#include "solver.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "collected.hpp"
#include "functions.hpp"

namespace nonsmooth_python {
namespace {

nsm::Solver set_up(const Problem& problem, const std::string& method, const nsm::Options& options) {
  const Unlocked unlocked;
  return nsm::Solver(problem, method, options);
}

double to_number(const std::string& option, py::handle value) {
  try {
    return py::float_(py::reinterpret_borrow<py::object>(value));
  } catch (py::error_already_set& error) {
    throw py::value_error("option " + option + ": " + py::str(error.value()).cast<std::string>());
  }
}

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

void define_certificate(py::module_& module) {
  using nsm::Certificate;
  py::class_<Certificate> type(module, "Certificate",
                               "What an independent recomputation from the problem's own data says about a solution.");
  refuse_pickling(type);
  type.def_property_readonly("certified", &Certificate::certified,
                             "The residual meets the tolerance, or is at the rounding floor.")
      .def_property_readonly(
          "verdict", [](const Certificate& c) { return nsm::text(static_cast<nsm_verdict>(c.verdict)); },
          "'certified', 'working precision' or 'not certified'.")
      .def_property_readonly(
          "tolerance", [](const Certificate& c) { return c.tolerance; }, "What the residual was compared with.")
      .def_property_readonly(
          "residual", [](const Certificate& c) { return c.residual; }, "What the tolerance is compared with.")
      .def_property_readonly(
          "rounding_floor", [](const Certificate& c) { return c.rounding_floor; }, "Residual that rounding alone may cause.")
      .def_property_readonly(
          "natural_map", [](const Certificate& c) { return c.natural_map; }, "|z - P_C(z - w)| / max(1, |q|)")
      .def_property_readonly(
          "dynamics", [](const Certificate& c) { return c.dynamics; }, "Global classes: the equations of motion.")
      .def_property_readonly(
          "infeasibility", [](const Certificate& c) { return c.infeasibility; },
          "Distance of z to its set, and of w to the dual cone; absolute.")
      .def_property_readonly(
          "complementarity", [](const Certificate& c) { return c.complementarity; }, "Sum of |z.w| over the blocks; absolute.")
      .def_property_readonly(
          "w_defect", [](const Certificate& c) { return c.w_defect; }, "|w given - w recomputed| / max(1, |q|).")
      .def_property_readonly(
          "worst_block", [](const Certificate& c) { return c.worst_block; }, "Contact, cone or row; -1: none.")
      .def_property_readonly(
          "worst_block_residual", [](const Certificate& c) { return c.worst_block_residual; },
          "Its part of the natural map; absolute.")
      .def_property_readonly(
          "fclib_merit", [](const Certificate& c) { return c.fclib_merit; }, "For comparison only.")
      .def_property_readonly(
          "siconos_error", [](const Certificate& c) { return c.siconos_error; }, "For comparison only.")
      .def("__repr__", [](const Certificate& c) {
        return std::string("<") + nsm::text(static_cast<nsm_verdict>(c.verdict)) + ": residual " + shown(c.residual) +
               ", tolerance " + shown(c.tolerance) + ", rounding floor " + shown(c.rounding_floor) + ">";
      });
}

void define_result(py::module_& module) {
  py::class_<Result> type(module, "Result", "What a solve ended with, and its best iterate.");
  refuse_pickling(type);
  type.def_property_readonly(
          "converged", [](const Result& r) { return r.result.converged(); }, "Is the solution certified?")
      .def_property_readonly(
          "outcome", [](const Result& r) { return nsm::name(r.result.outcome()); },
          "'converged', 'infeasible', 'ray', 'iteration_limit', 'time_limit', 'stalled', 'cancelled' or 'breakdown'.")
      .def_property_readonly(
          "z", [](const Result& r) { return r.z; }, "The unknowns; of global classes (v, l, r).")
      .def_property_readonly(
          "w", [](const Result& r) { return r.w; }, "M z + q; u of friction.")
      .def_property_readonly(
          "residual", [](const Result& r) { return r.result.residual(); }, "Residual of the certificate.")
      .def_property_readonly(
          "certificate", [](const Result& r) { return r.result.certificate(); }, "Of z and w.")
      .def_property_readonly(
          "proof", [](const Result& r) { return r.proof; }, "Of outcome 'infeasible': the verified proof; else None.")
      .def_property_readonly(
          "iterations", [](const Result& r) { return r.result.iterations(); }, "Pivots, sweeps, Newton steps ... of the method.")
      .def_property_readonly(
          "solutions", [](const Result& r) { return r.result.solutions(); }, "Found, where the method counts them.")
      .def_property_readonly(
          "seconds", [](const Result& r) { return r.result.seconds(); }, "Wall-clock time of the solve.")
      .def_property_readonly(
          "setup_seconds", [](const Result& r) { return r.result.setup_seconds(); },
          "Part of them: stages of auto that were set up.")
      .def_property_readonly(
          "finished_by", [](const Result& r) { return r.result.finished_by(); }, "The method at work at the end.")
      .def_property_readonly(
          "relaxation_residual", [](const Result& r) { return r.result.relaxation_residual(); },
          "With the option convex_relaxation; else -1.")
      .def("__repr__", [](const Result& r) {
        return std::string("<") + nsm::name(r.result.outcome()) + " after " + std::to_string(r.result.iterations()) +
               (r.result.iterations() == 1 ? " iteration" : " iterations") + " of " + r.result.finished_by() + ": residual " +
               shown(r.result.residual()) + ">";
      });
}

void define_updates(py::class_<Solver>& type) {
  using namespace py::literals;
  type.def(
          "update_q", [](Solver& s, const Given<nsm::Vector>& q) { s.update(q.required("q"), &nsm::Solver::update_q); }, "q"_a,
          "q, or w of global classes.")
      .def(
          "update_f", [](Solver& s, const Given<nsm::Vector>& f) { s.update(f.required("f"), &nsm::Solver::update_f); }, "f"_a,
          "Forces of global classes.")
      .def(
          "update_mu", [](Solver& s, const Given<nsm::Vector>& mu) { s.update(mu.required("mu"), &nsm::Solver::update_mu); },
          "mu"_a, "Friction coefficients, one per contact; generic: per block.")
      .def(
          "update_matrix", [](Solver& s, const Given<nsm::Matrix>& M) { s.update(M.required("M"), &nsm::Solver::update_matrix); },
          "M"_a, "In the storage and with the pattern that the problem was made with.")
      .def(
          "warm_start", [](Solver& s, const Given<nsm::Vector>& z) { s.update(z.required("z"), &nsm::Solver::warm_start); },
          "z"_a, "Where the next solve starts.");
}

void define_derivatives(py::class_<Solver>& type) {
  using namespace py::literals;
  type.def(
          "differentiate",
          [](Solver& s, const Given<nsm::Vector>& dq, const Given<nsm::Vector>& dmu) {
            nsm::Vector by_q = dq.as("dq"), by_mu = dmu.as("dmu");
            const nsm::Solution change = s.use([&](auto& solver) {
              if (by_q.empty()) by_q.resize(static_cast<std::size_t>(solver.q_size()));
              return solver.differentiate(by_q, by_mu);
            });
            return std::pair(change.z, change.w);
          },
          "dq"_a = py::none(), "dmu"_a = py::none(), "(dz, dw), how the last solution moves with q and mu; None: 0.")
      .def(
          "gradient",
          [](Solver& s, const Given<nsm::Vector>& gz, const Given<nsm::Vector>& gw) {
            const nsm::Vector by_z = gz.as("gz"), by_w = gw.as("gw");
            const nsm::Gradient gradient = s.use([&](auto& solver) { return solver.gradient(by_z, by_w); });
            return std::pair(gradient.q, gradient.mu);
          },
          "gz"_a = py::none(), "gw"_a = py::none(),
          "(gq, gmu), the gradient of a loss by q and mu from its gradient by the last solution; None: 0.");
}

Result solve_once(const Problem& problem, const std::string& method, const Given<nsm::Vector>& start, const py::kwargs& options) {
  const nsm::Vector point = start.as("start");
  Solver solver(problem, method, to_options(options));
  if (!start.values.is_none()) solver.update(point, &nsm::Solver::warm_start);
  return solver.solve();
}

}  // namespace

nsm::Options to_options(const py::kwargs& values) {
  nsm::Options options;
  for (const auto& [name, value] : values) {
    const std::string option = py::str(name);
    if (py::isinstance<py::str>(value))
      options.set_text(option, value.cast<std::string>());
    else if (PyNumber_Check(value.ptr()) != 0)
      options.set(option, to_number(option, value));
    else
      throw py::type_error("option " + option + ": expected a number or a word, got " + py::repr(value).cast<std::string>());
  }
  return options;
}

Solver::Solver(const Problem& problem, const std::string& method, const nsm::Options& options)
    : solver_(set_up(problem, method, options)), size_(problem.size()), functions_(problem.functions) {
  shown_ =
      "<Solver: " + solver_.method() + ", " + nsm::name(problem.problem_class()) + ", " + std::to_string(size_) + " unknowns>";
  solver_.set_progress([this](auto... told) { return goes_on(told...); });
}

// Some times a second.
bool Solver::goes_on(std::int64_t iteration, double residual, double seconds) {
  const Locked lock;
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (progress_.is_none()) return true;
  const py::object returned = call(progress_, iteration, residual, seconds);
  return returned.is_none() || py::bool_(returned);  // numpy's False is false too
}

Result Solver::solve() {
  const Turn turn(busy_);
  const nsm::Result result = [this] {
    const Unlocked unlocked;
    return solver_.solve();
  }();
  const nsm::Solution solution = solver_.solution();
  py::object proof = py::none();
  if (result.outcome() == NSM_INFEASIBLE) proof = to_array(solver_.infeasibility_certificate());
  return {result, to_array(solution.z), to_array(solution.w), proof};
}

std::pair<py::array_t<double>, std::vector<std::string>> Solver::solve_batch(const py::object& q, const py::object& z) {
  const std::int64_t length = use([](nsm::Solver& solver) { return solver.q_size(); });
  const nsm::Vector right_hand_sides = named("q", [&] { return to_rows(q, length); });
  const auto count = static_cast<std::int64_t>(right_hand_sides.size()) / std::max<std::int64_t>(1, length);
  nsm::Vector iterates =
      z.is_none() ? nsm::Vector(static_cast<std::size_t>(count * size_)) : named("z", [&] { return to_rows(z, size_); });
  const auto outcomes = use([&](nsm::Solver& solver) { return solver.solve_batch(count, right_hand_sides, iterates); });
  std::vector<std::string> names;
  for (const nsm_outcome outcome : outcomes) names.emplace_back(nsm::name(outcome));
  return {to_array(iterates).reshape({count, size_}), std::move(names)};
}

void Solver::set_progress(const py::object& progress) {
  require_function(progress, "progress");
  progress_ = progress;
}

void Solver::set_log(const py::object& log) {
  require_function(log, "log");
  const Turn turn(busy_);
  log_ = log;
  if (log.is_none()) return solver_.set_log({});
  solver_.set_log([this](const char* message) {
    const Locked lock;
    call(log_, to_text(message));
  });
}

void define_solver(py::module_& module) {
  using namespace py::literals;
  define_certificate(module);
  define_result(module);
  py::class_<Solver> type(module, "Solver", "A method set up for one problem. Used by one thread at a time.",
                          collected<Solver>());
  type.def(py::init([](const Problem& problem, const std::string& method, const py::kwargs& options) {
             return std::make_unique<Solver>(problem, method, to_options(options));
           }),
           "problem"_a, "method"_a = "", "method '': auto. Options by name, as nonsmooth.options() lists them: tolerance=1e-10.")
      .def("solve", &Solver::solve, "Starts from the last solution, or from warm_start.")
      .def(
          "solve_batch", &Solver::solve_batch, "q"_a, "z"_a = py::none(),
          "Problems that differ in what update_q takes alone, one a row; z: starting points. Returns the solutions, by rows, and "
          "the outcomes.")
      .def(
          "solution_at",
          [](Solver& s, std::int64_t index) {
            const nsm::Solution solution = s.use([&](auto& solver) { return solver.solution_at(index); });
            return std::pair(solution.z, solution.w);
          },
          "index"_a, "(z, w) of one of several solutions, where the method lists them (enumeration).")
      .def("set_progress", &Solver::set_progress, "progress"_a,
           "A function of (iteration, residual, seconds), called some times a second. Anything false other than None cancels the "
           "solve. None: nobody.")
      .def("set_log", &Solver::set_log, "log"_a,
           "A function that gets a line of text for what a solve tries, and, if a method was named, for the residual at "
           "iterations that grow by a tenth. None: nobody.")
      .def("cancel", &Solver::cancel, "Ends a running solve or batch; if none runs, the next one. From any thread.")
      .def("__repr__", &Solver::shown)
      .def_property_readonly(
          "method", [](Solver& s) { return s.use([](auto& solver) { return solver.method(); }); }, "The method in use.");
  refuse_pickling(type);
  define_updates(type);
  define_derivatives(type);
  module.def("solve", &solve_once, "problem"_a, "method"_a = "", "start"_a = py::none(),
             "Sets a Solver up, for one solve. Options by name.");
}

}  // namespace nonsmooth_python
