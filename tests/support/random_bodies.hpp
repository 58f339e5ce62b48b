// Global contact problems of a few bodies.
#pragma once

#include <type_traits>

#include "generators.hpp"
#include "problems/global_friction.hpp"

namespace support {

struct Shape {
  int dimension, dofs, bodies, contacts;
};

// Block diagonal, symmetric positive definite; or its diagonal alone.
inline nonsmooth::DenseMatrix random_masses(generate::Random& random, int dofs, int bodies, bool diagonal) {
  using generate::at;
  const std::int64_t n = std::int64_t{dofs} * bodies;
  nonsmooth::DenseMatrix M{n, n, nonsmooth::Vector(at(n * n), 0.0)};
  for (int b = 0; b < bodies; ++b) {
    const nonsmooth::Vector block = generate::gram(random, dofs, 2 * dofs, 0.5);
    for (int j = 0; j < dofs; ++j)
      for (int i = 0; i < dofs; ++i)
        if (i == j || !diagonal) M.values[at(dofs * b + i + (dofs * b + j) * n)] = block[at(i + std::int64_t{dofs} * j)];
  }
  return M;
}

// Contacts between one or two of a few bodies; M and H by columns.
template <class Data>
Data random_bodies(generate::Random& random, const Shape& shape, bool diagonal) {
  using generate::at;
  const nonsmooth::DenseMatrix M = random_masses(random, shape.dofs, shape.bodies, diagonal);
  const std::int64_t n = M.rows, m = std::int64_t{shape.dimension} * shape.contacts;
  nonsmooth::DenseMatrix H{n, m, nonsmooth::Vector(at(n * m), 0.0)};
  for (int c = 0; c < shape.contacts; ++c)
    for (int body : {random.integer(0, shape.bodies - 1), random.integer(0, shape.bodies - 1)})
      for (int j = 0; j < shape.dimension; ++j)
        for (int i = 0; i < shape.dofs; ++i)
          H.values[at(shape.dofs * body + i + (shape.dimension * c + j) * n)] = random.normal();
  Data data;
  data.dimension = shape.dimension;
  data.M = nonsmooth::Matrix(to_csc(nonsmooth::Matrix(M, "M")), "M");
  data.H = nonsmooth::Matrix(to_csc(nonsmooth::Matrix(H, "H")), "H");
  data.f = random.normals(n);
  data.w = random.normals(m);
  data.mu = random.uniforms(shape.contacts, 0, 1);
  if constexpr (std::is_same_v<Data, nonsmooth::GlobalRolling>) data.mu_r = random.uniforms(shape.contacts, 0, 0.1);
  data.validate();
  return data;
}

}  // namespace support
