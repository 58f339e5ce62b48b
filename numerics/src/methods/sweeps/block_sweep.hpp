// Sweeps over the blocks of a problem: every block's problem is solved exactly with the others held fixed. One after the other
// is block Gauss-Seidel, all at once is block Jacobi.
#pragma once

#include <memory>

#include "methods/equations/one_contact.hpp"
#include "methods/frame/method.hpp"
#include "methods/sweeps/conjugate_sweeps.hpp"

namespace nonsmooth {

enum class Acceleration { none, conjugate, over_relaxation };  // in the order of the option's words

struct SweepOptions {
  double relaxation = 1, proximal = 0;
  bool symmetric = false;     // every second sweep runs backwards
  bool simultaneous = false;  // all blocks from one common point (Jacobi)
  ContactSolver contact_solver = ContactSolver::exact;
  Acceleration acceleration = Acceleration::none;
  bool always_bodies = false;  // where there are bodies, also if rows of W cost less: to measure both
};

class Sweeper {
 public:
  virtual ~Sweeper() = default;
  virtual void load(const Inclusion& view) = 0;     // the matrix has changed
  virtual void prepare(const Inclusion& view) = 0;  // the sets have changed
  // Before the sweeps of a solve: as resume, and what is remembered of earlier sweeps is dropped, so that equal starts give equal
  // bits.
  virtual void start(double* z) = 0;
  // After z has been moved between two sweeps. Moves it into C, as the proximal terms of the one-block solvers assume.
  virtual void resume(double* z) = 0;
  // Halves the relaxation.
  virtual void damp() = 0;
  // After every evaluation of the residual.
  virtual void observe(double residual) = 0;
  virtual void sweep(double* z, bool backwards) = 0;
  // So many sweeps in a row, between steps of another kind; adds them to `iteration`. The residual is looked at after every
  // check_interval of them.
  Stop burst(std::span<double> z, Control& control, std::int64_t sweeps, std::int64_t check_interval, std::int64_t& iteration);

  // The blocks that prepare found in a condition other than definite.
  struct Finding {
    std::size_t count = 0, first = 0;
  };
  const Finding& regularised() const { return regularised_; }
  const Finding& ambiguous() const { return ambiguous_; }

 protected:
  Finding regularised_, ambiguous_;
};

// view: borrowed. Throws Error if a diagonal block is singular. Blocks of any sets but polyhedra.
std::unique_ptr<Sweeper> make_sweeper(const Inclusion& view, const SweepOptions& options);

class BlockSweep : public Method {
 public:
  enum class Order { successive, simultaneous };
  BlockSweep(const char* name, Order order) : name_(name), simultaneous_(order == Order::simultaneous) {}
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  bool updates_in_place() const override { return true; }
  Stop solve(std::span<double> z, Control& control) override;

 private:
  void report(const Control& control) const;

  const char* name_;
  bool simultaneous_;
  const Inclusion* view_ = nullptr;
  SweepOptions options_;
  std::int64_t check_interval_ = 10;
  std::unique_ptr<Sweeper> sweeper_;
  bool conjugate_ = false;
  ConjugateSweeps acceleration_;
};

}  // namespace nonsmooth
