#include "methods/newton/newton_system.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "methods/newton/body_factors.hpp"
#include "methods/newton/contact_factors.hpp"
#include "methods/newton/elastic_factors.hpp"

namespace nonsmooth {
namespace {

// What K gets where its factors fail: from rounding on, more and more.
constexpr double smallest_shift = 1e-13, largest_shift = 1e-7, shift_growth = 100;
// Factors in single precision take half the time and half the bytes, and each step of refinement gains two to five digits with
// them where K is as regular as a proximal term makes it. Below so many multiplications refinement costs what is won.
constexpr double smallest_single_work = 1e7;
constexpr int stays_double = 10;  // factorisations, once refinement has failed
constexpr double single_defect = 1e-8;
// Of the right-hand side. Factors through the bodies lose digits where R_b is next to singular, as at the end of an interior
// point method: where steps of refinement leave more than the first, Krylov's are taken until the second is left.
constexpr double lost_defect = 1e-2, regained_defect = 1e-6;
constexpr int refinements = 3, single_refinements = 6;  // at most
constexpr double least_refinement = 0.5;  // of the last defect: a step that leaves more has come to where digits end

// The cheapest factors of K, and what they cost.
struct Choice {
  enum class Factors { contacts, bodies, elastic } factors = Factors::contacts;
  double work = 0;

  explicit Choice(const Inclusion& view) {
    if (view.elastic_operator() != nullptr) {
      factors = Factors::elastic;
      work = ElasticFactors::work(*view.elastic, HUGE_VAL);
      return;
    }
    work = ContactFactors::work(view);
    if (view.bodies != nullptr) consider(Factors::bodies, BodyFactors::work(*view.bodies));
    if (view.elastic != nullptr) consider(Factors::elastic, ElasticFactors::work(*view.elastic, work));
  }
  void consider(Factors other, double other_work) {
    if (!(other_work < work)) return;
    factors = other;
    work = other_work;
  }
};

std::unique_ptr<NewtonFactors> make_factors(const Inclusion& view, Choice::Factors kind) {
  switch (kind) {
    case Choice::Factors::bodies: return std::make_unique<BodyFactors>(view);
    case Choice::Factors::elastic: return std::make_unique<ElasticFactors>(view);
    case Choice::Factors::contacts: break;
  }
  return std::make_unique<ContactFactors>(view);
}

}  // namespace

double NewtonSystem::work(const Inclusion& view) { return Choice(view).work; }

void NewtonSystem::setup(const Inclusion& view, Space space) {
  factors_.reset();
  space_ = space;
  blocks_.setup(view);
  rhs_.resize(at(view.size()));
  correction_.resize(rhs_.size());
  const bool may_choose = space == Space::cheaper && (view.bodies != nullptr || view.elastic != nullptr);
  const auto kind = may_choose ? Choice(view).factors : Choice::Factors::contacts;
  factors_ = make_factors(view, kind);
  krylov_.reserve(kind == Choice::Factors::contacts ? 0 : rhs_.size());
}

void NewtonSystem::update(const Inclusion& view) {
  ++factorisation_;
  if (factors_ != nullptr && factors_->update(view))
    blocks_.measure(view);
  else
    setup(view, space_);
}

bool NewtonSystem::factorise(Precision wanted) {
  ++factorisation_;
  if (factors_ == nullptr) return false;
  const bool is_single = wanted == Precision::single && stay_ == 0 && factors_->work() > smallest_single_work;
  if (stay_ > 0) --stay_;
  return (is_single && factorise_in(Precision::single)) || factorise_in(Precision::full);
}

bool NewtonSystem::factorise_in(Precision precision) {
  precision_ = precision;
  const double largest = precision == Precision::single ? 0 : largest_shift;
  for (double shift = 0; shift <= largest; shift = std::max(smallest_shift, shift_growth * shift))
    if (factors_->factorise(blocks_, shift, precision)) return true;
  return false;
}

void NewtonSystem::solve(std::span<double> x, double refined) {
  std::copy(x.begin(), x.end(), rhs_.begin());
  if (precision_ == Precision::single) {
    if (refine(x, single_refinements, single_defect) <= single_defect) return;
    stay_ = stays_double;
    if (!factorise_in(Precision::full)) return std::fill(x.begin(), x.end(), 0.0);  // no step, as of a K that is singular
  }
  if (refine(x, refinements, refined) <= lost_defect || !krylov_.has_room()) return;
  std::copy(rhs_.begin(), rhs_.end(), x.begin());
  krylov_.solve(
      x, regained_defect, [this](std::span<double> v) { factors_->solve(blocks_, v); },
      [this](std::span<const double> v, std::span<double> y) { factors_->subtract_product(blocks_, v, y); });
}

// x = K^-1 rhs_, with up to so many steps of refinement; the defect that was seen last, over |rhs_|.
double NewtonSystem::refine(std::span<double> x, int steps, double refined) {
  const double size = norm2(rhs_);
  std::copy(rhs_.begin(), rhs_.end(), x.begin());
  factors_->solve(blocks_, x);
  if (!(size > 0)) return 0;
  double last = HUGE_VAL;
  for (int k = 0; k < steps; ++k) {
    std::copy(rhs_.begin(), rhs_.end(), correction_.begin());
    factors_->subtract_product(blocks_, x, correction_);
    const double defect = norm2(correction_);
    if (defect <= refined * size) return defect / size;
    const bool falls = defect < least_refinement * last;
    last = defect;
    if (!falls) break;
    factors_->solve(blocks_, correction_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction_[i];
  }
  return last / size;
}

}  // namespace nonsmooth
