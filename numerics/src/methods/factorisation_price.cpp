#include "methods/factorisation_price.hpp"

#include <new>

#include "methods/newton_system.hpp"

namespace nonsmooth {
namespace {

// Measured, in multiplications of a product with M: one of a factorisation, a projection on the cone of a contact.
constexpr double factor_multiplication = 1.0 / 3, contact_projection = 50;

// Of W, which is not formed for that.
double entries_of(const DelassusOperator& bodies) {
  return static_cast<double>(bodies.blocks()) * bodies.dimension() * bodies.dimension();
}

double products_per_factorisation(const Inclusion& view) {
  const bool dense = view.bodies == nullptr && view.M->dense() != nullptr;  // its zeros are left out
  double product = contact_projection * static_cast<double>(view.blocks.size());
  if (dense)
    for (const double value : view.M->values()) product += value == 0 ? 0 : 1;
  else
    product += view.bodies != nullptr ? entries_of(*view.bodies) : static_cast<double>(view.M->values().size());
  return factor_multiplication * NewtonSystem::work(view) / product;
}

}  // namespace

void FactorisationPrice::update() {
  if (products_ >= 0 && view_->F == nullptr && view_->bodies == nullptr && view_->M->dense() != nullptr) products_ = -1;
}

double FactorisationPrice::products() {
  if (products_ < 0) try {
      products_ = products_per_factorisation(*view_);
    } catch (const std::bad_alloc&) {
      return 0;
    }
  return products_;
}

double FactorisationPrice::products(Control& control) {
  if (products_ >= 0) return products_;
  const double start = control.seconds();
  const double price = products();
  control.count_setup(control.seconds() - start);
  return price;
}

}  // namespace nonsmooth
