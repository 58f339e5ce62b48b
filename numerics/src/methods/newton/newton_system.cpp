#include "methods/newton/newton_system.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "methods/newton/body_factors.hpp"
#include "methods/newton/contact_factors.hpp"
#include "methods/newton/elastic_factors.hpp"

namespace nonsmooth {
namespace {

constexpr int refinements = 3;
constexpr double refined = 1e-14;
constexpr double smallest_shift = 1e-13, largest_shift = 1e-7;

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

std::unique_ptr<NewtonFactors> cheapest_factors(const Inclusion& view) {
  switch (Choice(view).factors) {
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
  factors_ = space == Space::cheaper ? cheapest_factors(view) : std::make_unique<ContactFactors>(view);
}

void NewtonSystem::update(const Inclusion& view) {
  ++factorisation_;
  if (factors_ != nullptr && factors_->update(view))
    blocks_.measure(view);
  else
    setup(view, space_);
}

bool NewtonSystem::factorise() {
  ++factorisation_;
  if (factors_ == nullptr) return false;
  for (double shift = 0; shift <= largest_shift; shift = std::max(smallest_shift, 100 * shift))
    if (factors_->factorise(blocks_, shift)) return true;
  return false;
}

void NewtonSystem::solve(std::span<double> x) {
  std::copy(x.begin(), x.end(), rhs_.begin());
  const double size = norm2(rhs_);
  factors_->solve(blocks_, x);
  double last = HUGE_VAL;
  for (int k = 0; k < refinements; ++k) {
    std::copy(rhs_.begin(), rhs_.end(), correction_.begin());
    factors_->subtract_product(blocks_, x, correction_);
    const double defect = norm2(correction_);
    if (!(defect > refined * size) || !(defect < 0.5 * last)) return;
    last = defect;
    factors_->solve(blocks_, correction_);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction_[i];
  }
}

}  // namespace nonsmooth
