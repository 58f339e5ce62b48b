// A pile large enough for what small problems never reach.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "generators.hpp"
#include "problems/global_friction.hpp"

namespace support {

using generate::at;
using generate::Values;

// Unit spheres on a grid of n x n x n, jittered, on a floor: contacts along the lines of the centres.
struct SpherePile {
  explicit SpherePile(int n) {
    generate::Random random(5);
    const auto index = [n](int i, int j, int k) { return (i * n + j) * n + k; };
    std::vector<Values> centre;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k)
          centre.push_back(
              {i + random.uniform(-0.05, 0.05), j + random.uniform(-0.05, 0.05), k + 0.5 + random.uniform(-0.05, 0.05)});
    bodies = n * n * n;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) {
          const int a = index(i, j, k);
          if (k == 0) add(a, -1, {0, 0, 1});
          for (int b :
               {i + 1 < n ? index(i + 1, j, k) : -1, j + 1 < n ? index(i, j + 1, k) : -1, k + 1 < n ? index(i, j, k + 1) : -1})
            if (b >= 0) {
              Values normal = centre[at(b)];
              for (std::size_t x = 0; x < 3; ++x) normal[x] -= centre[at(a)][x];
              add(b, a, normal);
            }
        }
    for (int b = 0; b < bodies; ++b)
      for (double x : {0.1 * random.normal(), 0.1 * random.normal(), -9.81, 0.0, 0.0, 0.0}) f.push_back(0.01 * x);
    w.assign(3 * mu.size(), 0.0);
  }

  // Three columns of H: the velocity of b against a along an orthonormal base.
  void add(int b, int a, Values normal) {
    const double length = generate::norm(normal);
    for (double& x : normal) x /= length;
    Values first = std::abs(normal[0]) < 0.7 ? Values{1, 0, 0} : Values{0, 1, 0};
    const double along = first[0] * normal[0] + first[1] * normal[1] + first[2] * normal[2];
    for (std::size_t x = 0; x < 3; ++x) first[x] -= along * normal[x];
    const double rest = generate::norm(first);
    for (double& x : first) x /= rest;
    const Values second = cross(normal, first);
    for (const Values& axis : {normal, first, second}) {
      std::vector<std::pair<int, double>> entries;
      const Values arm = cross(normal, axis);  // on a; that on b points the other way, and so does its sign
      for (int x = 0; x < 3; ++x) {
        entries.emplace_back(6 * b + x, axis[at(x)]);
        entries.emplace_back(6 * b + 3 + x, -0.5 * arm[at(x)]);
        if (a < 0) continue;
        entries.emplace_back(6 * a + x, -axis[at(x)]);
        entries.emplace_back(6 * a + 3 + x, -0.5 * arm[at(x)]);
      }
      std::sort(entries.begin(), entries.end());
      for (const auto& [row, value] : entries) {
        row_index.push_back(row);
        values.push_back(value);
      }
      start.push_back(static_cast<std::int32_t>(row_index.size()));
    }
    mu.push_back(0.4);
  }
  static Values cross(const Values& a, const Values& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }

  nonsmooth::GlobalFriction global() const {
    nonsmooth::IndexVector diagonal;
    nonsmooth::Vector mass;
    for (std::int32_t i = 0; i < 6 * bodies; ++i) {
      diagonal.push_back(i);
      mass.push_back(i % 6 < 3 ? 1.0 : 0.1);
    }
    nonsmooth::GlobalFriction data;
    data.M = nonsmooth::Matrix::from_triplets(6 * bodies, 6 * bodies, diagonal, diagonal, mass, "M");
    const auto columns = static_cast<std::int64_t>(w.size());
    data.H = nonsmooth::Matrix(nonsmooth::CscMatrix{6 * bodies, columns, start, row_index, values}, "H");
    data.f = f;
    data.w = w;
    data.mu = mu;
    return data;
  }

  int bodies = 0;
  nonsmooth::IndexVector start = {0}, row_index;
  nonsmooth::Vector values, f, w, mu;
};

}  // namespace support
