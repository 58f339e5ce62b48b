// What `auto` tries, and in which order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "methods/auto/sweep_budget.hpp"
#include "methods/frame/options.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

constexpr std::int64_t unlimited = 0;
// Up to it the whole tree of bases is searched within its budget: what has no solution may still be solved within a loose
// tolerance.
constexpr std::int64_t largest_searched_order = 16;

// Of problems whose factorisations cost few sweeps, or many; what is very dear is dear too, and what is cheap less dear than
// that.
enum class Factors { any, cheap, less_dear, dear, very_dear };

// Of the structure that contacts make: long and thin, as arches, stacks and chains are, or not.
enum class Shape { any, slender, stout };

// Of solves that start from 0, or from elsewhere, as the next one of a sequence does.
enum class Start { any, zero, warm };

// What is no method of the table.
enum class Own {
  none,
  normals_first,     // the normals alone (normals_first.hpp), where nothing is driven sideways
  closing_normals,   // a proof that normals cannot stay apart (closing_normals.hpp)
  kept_motion,       // equations of motion among the rows (kept_motion.hpp)
  with_multipliers,  // variational inequalities over polyhedra by rows (with_multipliers.hpp)
  hasty_josephy,     // josephy_newton that takes little time for each linearisation (josephy_newton.hpp)
  face_steps,        // steps from face to face (face_steps.hpp)
  drawn_starts       // the method, `budget` iterations from each of `farthest` starts (drawn_starts.hpp)
};

struct Stage {
  const char* method = nullptr;
  std::int64_t budget = 0;  // iterations
  Extent extent = Extent::fixed;
  std::int64_t farthest = 0;
  const char* option = nullptr;  // of the method, and its value unless the caller has another
  double value = 0;
  // The stage is left out unless the problem has
  Factors factors = Factors::any;
  Shape shape = Shape::any;
  Start start = Start::any;                                                            // of the solve
  double least_residual = 0, most_residual = std::numeric_limits<double>::infinity();  // of the best iterate
  Definiteness needs = Definiteness::none;                                             // of M + M', as far as can be seen
  // Exchanges of many rows at once, from the signs of what was swept before all stages: pivots need more steps from there than
  // from the start. Left out where M is mostly skew: they go round in circles there.
  bool takes_signs = false;
  bool aside = false;             // a try: those behind it go on as if it had not been made
  bool afresh = false;            // from the start of the solve, not from the best iterate
  bool goes_on = false;           // from where the stage before it ended: what it has done need not show in the residual
  Own own = Own::none;            // in place of the method, after which it is named
  bool in_place_of_last = false;  // left out where the last stage before it that is in place of none treats the problem
  bool operator==(const Stage&) const = default;
};

// Without allocating: it is asked for at every new matrix.
class StageList {
 public:
  StageList() = default;
  StageList(std::initializer_list<Stage> stages) {
    for (const Stage& stage : stages) push_back(stage);
  }
  std::size_t size() const { return count_; }
  const Stage* begin() const { return stages_.data(); }
  const Stage* end() const { return begin() + count_; }
  Stage* begin() { return stages_.data(); }
  Stage* end() { return begin() + count_; }
  void push_back(const Stage& stage) { stages_.at(count_++) = stage; }
  void insert(Stage* place, const Stage& stage) {
    push_back(stage);
    std::rotate(place, end() - 1, end());
  }
  template <class Predicate>
  void erase_if(Predicate is_out) {
    count_ = static_cast<std::size_t>(std::remove_if(begin(), end(), is_out) - begin());
  }

 private:
  std::array<Stage, 40> stages_{};
  std::size_t count_ = 0;
};

// In the order in which they are tried. Reads M.
StageList stages_of(const Inclusion& view, const Options& options);

}  // namespace nonsmooth
