#include "methods/pivoting/planar_expansion.hpp"

#include <algorithm>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "methods/frame/inner_solver.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double expansion_tolerance_share = 0.1;  // the residuals of both forms differ by a small factor

bool is_planar(const SetBlock& block) { return block.kind == SetKind::coulomb_2d; }

}  // namespace

void PlanarExpansion::setup(const Inclusion& view) {
  view_ = &view;
  expanded_ = {&M_, &q_, {}, view.scale};
  place_.assign(at(view.size()), 0);
  share_of_normal_.assign(at(view.size()), 0.0);
  std::int32_t n = 0;
  for (const SetBlock& block : view.blocks) {
    for (std::int32_t i = 0; i < block.size; ++i) place_[at(block.start + i)] = n + i;
    if (!is_planar(block)) {
      expanded_.blocks.push_back(block);
      expanded_.blocks.back().start = n;
      n += block.size;
      continue;
    }
    for (int i = 0; i < 3; ++i) expanded_.blocks.push_back({SetKind::orthant, n++, 1});
  }
  refuse_beyond(6000, n, "friction in the plane as an LCP is kept dense");
  M_ = Matrix(DenseMatrix{n, n, Vector(at(n) * at(n), 0.0)}, "expanded M");
  q_.assign(at(n), 0.0);
  load();
}

void PlanarExpansion::load_q() {
  expanded_.scale = view_->scale;
  for (std::size_t i = 0; i < place_.size(); ++i) q_[at(place_[i])] = (*view_->q)[i];
}

void PlanarExpansion::load() {
  load_q();
  const std::span<double> values = M_.own_values();
  const auto add_entry = [&](std::size_t row, std::size_t col, double value) { values[row + col * q_.size()] += value; };
  std::ranges::fill(values, 0.0);
  auto expanded_block = expanded_.blocks.begin();
  for (const SetBlock& block : view_->blocks) {
    if (!is_planar(block)) {
      expanded_block->a = block.a;
      expanded_block->b = block.b;
      ++expanded_block;
      continue;
    }
    expanded_block += 3;
    const std::size_t normal = at(place_[at(block.start)]), tangent = normal + 1, slack = normal + 2;
    share_of_normal_[at(block.start) + 1] = -block.a;
    add_entry(tangent, slack, 1);
    add_entry(slack, normal, 2 * block.a);
    add_entry(slack, tangent, -1);
  }
  for_each_entry(*view_->M, [&](std::int64_t i, std::int64_t j, double value) {
    const std::size_t row = at(place_[at(i)]), col = at(place_[at(j)]);
    add_entry(row, col, value);
    if (const double share = share_of_normal_[at(j)]; share != 0) add_entry(row, col - 1, share * value);
  });
}

void PlanarExpansion::from_original(std::span<const double> z, std::span<double> x) const {
  std::fill(x.begin(), x.end(), 0.0);
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const double share = share_of_normal_[i];
    x[at(place_[i])] = share != 0 ? z[i] - share * z[i - 1] : z[i];
  }
}

void PlanarExpansion::to_original(std::span<const double> x, std::span<double> z) const {
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const std::size_t p = at(place_[i]);
    const double share = share_of_normal_[i];
    z[i] = share != 0 ? x[p] + share * x[p - 1] : x[p];
  }
  for (const SetBlock& block : view_->blocks)
    if (is_planar(block)) project(block, &z[at(block.start)], &z[at(block.start)]);
}

namespace {

class PlanarFriction final : public Method {
 public:
  PlanarFriction(std::unique_ptr<Method> method, const char* name, std::int64_t default_iterations)
      : method_(std::move(method)), name_(name), default_iterations_(default_iterations) {}

  void setup(const Inclusion& view, const Options& options) override {
    refuse_disks(view, name_);
    is_expanded_ = has_contacts(view);
    if (!is_expanded_) return method_->setup(view, options);
    method_->needs_no_proof();  // it would be one for the LCP's rows
    for (const SetBlock& block : view.blocks)
      if (!is_planar(block) && (has_friction(block.kind) || block.kind == SetKind::second_order_cone))
        fail(NSM_UNSUPPORTED, "%s treats friction in the plane only, as an LCP (dimension 2)", name_);
    expansion_.setup(view);
    x_.resize(at(expansion_.inclusion().size()));
    lifted_.resize(at(view.size()));
    inner_.setup(expansion_.inclusion(), std::move(method_),
                 inner_options(options, expansion_tolerance_share, options.integer(Option::max_iterations)), default_iterations_);
  }

  void update(Change change) override {
    if (!is_expanded_) return method_->update(change);
    const bool new_q = change == Change::right_hand_side;  // the coefficients stand in the matrix
    new_q ? expansion_.load_q() : expansion_.load();
    if (!inner_.update(new_q ? change : Change::matrix)) fail(NSM_UNSUPPORTED, "%s does not treat the new values", name_);
  }
  bool updates_in_place() const override { return method().updates_in_place(); }

  Stop solve(std::span<double> z, Control& control) override {
    if (!is_expanded_) return method_->solve(z, control);
    expansion_.from_original(z, x_);
    const Stop stop = inner_.solve_as_whole(x_, control);
    expansion_.to_original(x_, z);
    const Stop own = control.check(inner_.control().iterations(), z);
    if (own == Stop::finished || stop == Stop::finished) return Stop::finished;
    if (own != Stop::none) return own;
    if (stop == Stop::iteration_limit) return Stop::stalled;  // of the method, not of the solve
    return stop == Stop::infeasible ? Stop::ray : stop;       // the proof is one for the LCP's rows
  }

  std::span<const double> infeasibility_ray() const override {
    return is_expanded_ ? std::span<const double>() : method().infeasibility_ray();
  }
  std::int64_t solution_count() const override { return method().solution_count(); }
  std::int64_t stored_solutions() const override { return method().stored_solutions(); }
  std::span<const double> stored_solution(std::int64_t index) const override {
    if (!is_expanded_) return method().stored_solution(index);
    expansion_.to_original(method().stored_solution(index), lifted_);
    return lifted_;
  }

 private:
  const Method& method() const { return is_expanded_ ? inner_.method() : *method_; }

  std::unique_ptr<Method> method_;  // moved into inner_ where there is friction
  const char* name_;
  std::int64_t default_iterations_;
  bool is_expanded_ = false;
  PlanarExpansion expansion_;
  InnerSolver inner_;
  Vector x_;
  mutable Vector lifted_;
};

}  // namespace

std::unique_ptr<Method> with_planar_friction(std::unique_ptr<Method> method, const char* name, std::int64_t default_iterations) {
  return std::make_unique<PlanarFriction>(std::move(method), name, default_iterations);
}

}  // namespace nonsmooth
