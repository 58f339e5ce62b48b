#include "methods/newton/factorisation_price.hpp"

#include <algorithm>
#include <new>

#include "methods/newton/newton_system.hpp"

namespace nonsmooth {
namespace {

// Measured, in multiplications of a product with M: one of a factorisation, a projection on the cone of a contact.
constexpr double factor_multiplication = 1.0 / 3, contact_projection = 50;

double products_per_factorisation(const Inclusion& view) {
  const double product = contact_projection * static_cast<double>(view.blocks.size()) + product_entries(view);
  return factor_multiplication * NewtonSystem::work(view) / product;
}

}  // namespace

double product_entries(const Inclusion& view) {
  if (view.bodies != nullptr)
    return static_cast<double>(view.bodies->blocks()) * view.bodies->dimension() * view.bodies->dimension();
  if (const ElasticOperator* W = view.elastic_operator()) return W->work();
  const std::span<const double> values = view.M->values();
  if (view.M->dense() == nullptr) return static_cast<double>(values.size());
  return static_cast<double>(std::ranges::count_if(values, [](double value) { return value != 0; }));
}

void FactorisationPrice::update() {
  if (products_ >= 0 && view_->F == nullptr && !view_->is_applied() && view_->M->dense() != nullptr) products_ = -1;
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
