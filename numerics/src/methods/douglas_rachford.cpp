// The splitting of Douglas and Rachford (Lions and Mercier 1979) for contacts: in turn, all contacts without their law, by one
// factorisation, and the law of each contact without the others. With weights R = scale / reach,
//   (M + R) x = R z - l - q,   h = a x + (1 - a) z + R^-1 l,   z = T(h),   l = R (h - z),
// where T is the law of a contact whose matrix is the identity, so that -l obeys it with z exactly; -l tends to w. A projection
// on the cone after De Saxce in place of T (admm) would lag by an iteration.
//
// Where the law is not associated the iterates go round solutions, the wider the longer the reach; the shorter it is the slower
// they drift towards them. So the reach begins with the square of the structure's length, times the ratio of its masses, as
// long as forces take that go from contact to contact, becomes shorter whenever the residual no longer falls, down to where
// sweeps go as far, and from there begins anew. Forces cross a whole structure in one iteration: a few hundred come near a
// solution where sweeps need tens of thousands (docs/decisions/0055-splitting.md).
//
// Over-relaxation (a above) is worth a third of the iterations where errors fall slowly, but leaves 1 - a of those that one plain
// iteration takes away: contacts that stick, most of all. So every fifth iteration is a plain one
// (docs/decisions/0056-slender-structures.md).
#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "methods/frame/method.hpp"
#include "methods/newton/newton_system.hpp"
#include "methods/sweeps/coupling_graph.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double splitting_relaxation = 1.7;
constexpr std::int64_t iterations_to_a_plain_one = 5;
constexpr double least_first_reach = 100, largest_first_reach = 1e12, shortest_reach = 1, reach_shortening = 0.7;
constexpr std::int64_t iterations_between_checks = 10;
constexpr double first_fall = 0.2;  // of the residual from one check to the next; each descent is content with half of it

class DouglasRachford final : public Method {
 public:
  void share(std::shared_ptr<NewtonSystem>& system) override { system_ = NewtonSystem::share(system); }
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  double first_reach() const;
  bool factorise();
  bool iterate(std::span<double> z, double relaxation);
  bool shorten(double residual);

  const Inclusion* view_ = nullptr;
  std::shared_ptr<NewtonSystem> system_ = std::make_shared<NewtonSystem>();
  double length_ = 0, first_reach_ = 0, reach_ = 0, last_residual_ = HUGE_VAL;
  std::int64_t restarts_ = 0, descents_ = 0;
  Vector weight_;  // by block
  Vector l_, x_, h_;
};

void DouglasRachford::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  NewtonSystem::setup_shared(system_, view);
  length_ = static_cast<double>(structure_of(view).length);
  restarts_ = options.integer(Option::restarts);
  weight_.resize(view.blocks.size());
  std::int32_t largest = 0;
  for (const SetBlock& block : view.blocks) largest = std::max(largest, block.size);
  h_.resize(at(largest));
  for (Vector* v : {&l_, &x_}) v->resize(at(view.size()));
}

void DouglasRachford::update(Change change) {
  if (change == Change::matrix) system_->update(*view_);
}

double DouglasRachford::first_reach() const {
  double least = HUGE_VAL, largest = 0;
  for (std::size_t b = 0; b < weight_.size(); ++b) {
    least = std::min(least, system_->scale(b));
    largest = std::max(largest, system_->scale(b));
  }
  return std::min(largest_first_reach, std::max(least_first_reach, length_ * length_) * largest / least);
}

bool DouglasRachford::factorise() {
  for (std::size_t b = 0; b < weight_.size(); ++b) {
    const std::int32_t n = view_->blocks[b].size;
    weight_[b] = system_->scale(b) / reach_;
    double *L = system_->left(b), *R = system_->right(b);
    std::fill_n(L, n * n, 0.0);
    std::fill_n(R, n * n, 0.0);
    for (std::int32_t i = 0; i < n; ++i) {
      L[i * (n + 1)] = 1;
      R[i * (n + 1)] = weight_[b];
    }
  }
  return system_->factorise(Precision::full);  // the alternations refine nothing
}

// false if a projection fails.
bool DouglasRachford::iterate(std::span<double> z, double relaxation) {
  for (std::size_t b = 0; b < weight_.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    for (std::size_t i = at(block.start); i < at(block.start + block.size); ++i)
      x_[i] = weight_[b] * z[i] - l_[i] - (*view_->q)[i];
  }
  system_->solve_roughly(x_);
  for (std::size_t b = 0; b < weight_.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const std::size_t start = at(block.start), n = at(block.size);
    for (std::size_t i = 0; i < n; ++i)
      h_[i] = relaxation * x_[start + i] + (1 - relaxation) * z[start + i] + l_[start + i] / weight_[b];
    if (!obey(block, h_.data(), &z[start])) return false;
    for (std::size_t i = 0; i < n; ++i) l_[start + i] = weight_[b] * (h_[i] - z[start + i]);
  }
  return true;
}

// Where the residual does not fall. false if the matrix with new weights cannot be factorised.
bool DouglasRachford::shorten(double residual) {
  const double fall = std::ldexp(first_fall, -static_cast<int>(descents_));
  const bool falls = residual < (1 - fall) * last_residual_;
  last_residual_ = falls ? residual : HUGE_VAL;
  if (falls) return true;
  reach_ *= reach_shortening;
  if (reach_ < shortest_reach) {
    reach_ = first_reach_;
    ++descents_;
  }
  return factorise();
}

Stop DouglasRachford::solve(std::span<double> z, Control& control) {
  Stop stop = control.check(0, z);
  reach_ = first_reach_ = first_reach();
  last_residual_ = HUGE_VAL;
  std::fill(l_.begin(), l_.end(), 0.0);
  if (stop == Stop::none && !factorise()) return Stop::breakdown;
  std::int64_t descents = descents_ = 0;
  for (std::int64_t k = 1; stop == Stop::none; ++k) {
    if (!iterate(z, k % iterations_to_a_plain_one == 0 ? 1 : splitting_relaxation)) return Stop::breakdown;
    const bool checks = k % iterations_between_checks == 0;
    stop = checks ? control.check(k, z) : control.check_limits(k);
    if (stop != Stop::none || !checks) continue;
    if (!std::isfinite(control.residual())) return Stop::breakdown;
    if (!shorten(control.residual())) return Stop::breakdown;
    if (descents_ == descents) continue;
    descents = descents_;
    control.log("douglas_rachford: %lld iterations, best residual %.2e", static_cast<long long>(k), control.best_residual());
    if (descents > restarts_) return Stop::stalled;
  }
  return stop;
}

}  // namespace

extern const MethodEntry douglas_rachford_method;
const MethodEntry douglas_rachford_method{
    {sizeof(nsm_method_info), "douglas_rachford",
     "in turn all contacts without their law, by factors that serve ten steps and more, and the law of each contact by itself",
     "Lions and Mercier 1979; Alart and Curnier 1991", "none proven", contact_classes | class_bit(NSM_PLASTICITY), 100000,
     "walls, towers and stacks that move, arches and chains: factors are cheap there, and sweeps carry forces one contact at a "
     "time"},
    &make_method<DouglasRachford>};

}  // namespace nonsmooth
