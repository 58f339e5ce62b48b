// What every algorithm is: set up once, update values, solve again and again.
#pragma once

#include <memory>
#include <span>

#include "methods/frame/control.hpp"
#include "methods/frame/options.hpp"
#include "nonsmooth/solver.h"
#include "problems/inclusion.hpp"
#include "problems/problem.hpp"

namespace nonsmooth {

// What an update has changed; sizes and patterns never change. A change of the matrix has everything read again, one of the sets
// the right-hand side: callers may put off the first of two changes.
enum class Change { right_hand_side, sets, matrix };

class NewtonSystem;

class Method {
 public:
  virtual ~Method() = default;
  // Before setup: a system for Newton steps that other methods on the same view use too, none of them at the same time. Empty
  // until the first of them makes it.
  virtual void share(std::shared_ptr<NewtonSystem>&) {}
  // Before setup: nobody has a use for a proof that there is no solution, so that none is to be searched for.
  virtual void needs_no_proof() {}
  // All checks, allocation and ordering; called once. The view outlives the method. Throws Error if the problem is not one it
  // treats.
  virtual void setup(const Inclusion& view, const Options& options) = 0;
  // Values behind the view have changed.
  virtual void update(Change change) = 0;
  // Whether update allocates nothing, whatever has changed. A new right-hand side never allocates.
  virtual bool updates_in_place() const { return false; }
  // z: in the starting point, out the last iterate (Control keeps the best). Allocates nothing and throws nothing;
  // methods made of others may set those up on demand, and end with Stop::out_of_memory.
  virtual Stop solve(std::span<double> z, Control& control) = 0;

  // After Stop::infeasible: y of the claim. Empty otherwise.
  virtual std::span<const double> infeasibility_ray() const { return {}; }
  // Methods made of others: name of the one at work when the last solve ended; nullptr where it was none of them.
  virtual const char* finished_by() const { return nullptr; }
  // Methods that count solutions; 0 where they do not.
  virtual std::int64_t solution_count() const { return 0; }
  virtual std::int64_t stored_solutions() const { return 0; }
  virtual std::span<const double> stored_solution(std::int64_t) const { return {}; }
};

struct MethodEntry {
  nsm_method_info info;
  std::unique_ptr<Method> (*create)();
};

// methods.def, in order.
std::span<const MethodEntry* const> method_table();
// nullptr if there is none of that name.
const MethodEntry* find_method(const char* name);
// What is taken when no method is named; nullptr if none treats the problem.
const MethodEntry* default_method(const Problem& problem);

constexpr std::uint32_t class_bit(nsm_class c) { return 1u << static_cast<unsigned>(c); }
// Which are treated alike.
constexpr std::uint32_t linear_classes = class_bit(NSM_LCP) | class_bit(NSM_MLCP) | class_bit(NSM_RELAY) | class_bit(NSM_AVI) |
                                         class_bit(NSM_GENERIC);  // where that has no contacts: setup refuses those
constexpr std::uint32_t coulomb_classes = class_bit(NSM_FRICTION) | class_bit(NSM_GLOBAL_FRICTION);
constexpr std::uint32_t contact_classes =
    coulomb_classes | class_bit(NSM_ROLLING) | class_bit(NSM_GLOBAL_ROLLING) | class_bit(NSM_GENERIC);
constexpr std::uint32_t cone_classes = class_bit(NSM_SOCLCP) | class_bit(NSM_PLASTICITY);
constexpr std::uint32_t nonlinear_classes = class_bit(NSM_NCP) | class_bit(NSM_MCP) | class_bit(NSM_VI);

template <class M>
std::unique_ptr<Method> make_method() {
  return std::make_unique<M>();
}

}  // namespace nonsmooth
