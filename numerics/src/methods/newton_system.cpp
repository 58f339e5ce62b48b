#include "methods/newton_system.hpp"

#include <algorithm>
#include <cmath>

#include "methods/body_factors.hpp"
#include "methods/contact_factors.hpp"

namespace nonsmooth {
namespace {

constexpr int refinements = 3;
constexpr double refined = 1e-14;
constexpr double smallest_shift = 1e-13, largest_shift = 1e-7;

bool bodies_are_cheaper(const Inclusion& view) {
  return view.bodies != nullptr && BodyFactors::work(*view.bodies) < ContactFactors::work(view);
}

}  // namespace

double NewtonSystem::work(const Inclusion& view) {
  const double contacts = ContactFactors::work(view);
  return view.bodies != nullptr ? std::min(contacts, BodyFactors::work(*view.bodies)) : contacts;
}

void NewtonSystem::setup(const Inclusion& view, Space space) {
  factors_.reset();
  space_ = space;
  blocks_.setup(view);
  rhs_.resize(static_cast<std::size_t>(view.size()));
  correction_.resize(rhs_.size());
  if (space == Space::cheaper && bodies_are_cheaper(view))
    factors_ = std::make_unique<BodyFactors>(view);
  else
    factors_ = std::make_unique<ContactFactors>(view);
}

void NewtonSystem::update(const Inclusion& view) {
  if (factors_ != nullptr && factors_->update(view))
    blocks_.measure(view);
  else
    setup(view, space_);
}

bool NewtonSystem::factorise() {
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
