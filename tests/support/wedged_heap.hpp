// A heap on a body that two planes press out of a wedge: without friction, or with little, the body slips upwards; with friction
// above the slope of the planes it jams, and there is no solution. Forces grow with the height of the heap: 1e2 of what the
// velocities suggest.
#pragma once

#include <array>
#include <cmath>
#include <nonsmooth/nonsmooth.hpp>

#include "generators.hpp"

namespace generate {

class WedgedHeap {
 public:
  using Arm = std::array<double, 3>;

  // slope: of the planes against the vertical. Each body but the first lies on two before it.
  WedgedHeap(std::uint64_t seed, int bodies, double slope) : random_(seed), bodies_(bodies) {
    for (const double side : {1.0, -1.0})
      for (const double along : {0.3, -0.3}) {
        const Arm normal{side * std::cos(slope), 0, std::sin(slope)};
        add(0, -1, normal, {-0.5 * side, along, 0}, {}, -normal[0] * side);
      }
    for (int b = 1; b < bodies; ++b)
      for (int support = 0; support < 2; ++support) {
        Arm normal{0.4 * random_.normal(), 0.4 * random_.normal(), 1};
        const double length = std::hypot(normal[0], normal[1], normal[2]);
        for (double& n : normal) n /= length;
        const Arm below{-0.5 * normal[0], -0.5 * normal[1], -0.5 * normal[2]};
        add(b, random_.integer(0, b - 1), normal, below, {-below[0], -below[1], -below[2]}, 0);
      }
  }

  // size: of forces and velocities; the solutions grow with it.
  nsm::Problem global(double mu, double size = 1) const {
    const std::int64_t n = 6 * bodies_;
    nsm::Indices start{0}, index, diagonal{0}, rows;
    nsm::Vector values, masses, f(at(n), 0.0), w = w_;
    for (double& velocity : w) velocity *= size;
    for (std::int32_t i = 0; i < n; ++i) {
      rows.push_back(i);
      diagonal.push_back(i + 1);
      masses.push_back(i % 6 < 3 ? 1 : 0.1);
      if (i % 6 == 2) f[at(i)] = -0.1 * size;
    }
    for (const Column& column : columns_) {
      for (std::size_t k = 0; k < column.size(); ++k)
        if (column[k].body >= 0)
          for (std::int32_t i = 0; i < 6; ++i) {
            index.push_back(6 * column[k].body + i);
            values.push_back(column[k].entry[at(i)]);
          }
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    const auto contacts = static_cast<std::int64_t>(columns_.size()) / 3;
    return nsm::Problem::global_friction(3, nsm::Matrix::csc(n, n, diagonal, rows, masses),
                                         nsm::Matrix::csc(n, 3 * contacts, start, index, values), f, w,
                                         nsm::Vector(at(contacts), mu));
  }

 private:
  struct Part {
    std::int32_t body = -1;
    std::array<double, 6> entry{};
  };
  using Column = std::array<Part, 2>;  // the body that lies below comes first

  static Arm cross(const Arm& a, const Arm& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static Part part(int body, const Arm& direction, const Arm& arm, double sign) {
    const Arm moment = cross(arm, direction);
    Part p{body, {}};
    for (std::size_t i = 0; i < 3; ++i) {
      p.entry[i] = sign * direction[i];
      p.entry[3 + i] = sign * moment[i];
    }
    return p;
  }
  // Of body `upper` on body `lower`, or on a plane (-1), which come nearer by themselves at `velocity`.
  void add(int upper, int lower, const Arm& normal, const Arm& upper_arm, const Arm& lower_arm, double velocity) {
    Arm tangent = cross(normal, std::abs(normal[1]) < 0.8 ? Arm{0, 1, 0} : Arm{1, 0, 0});
    const double length = std::hypot(tangent[0], tangent[1], tangent[2]);
    for (double& t : tangent) t /= length;
    for (const Arm& direction : {normal, tangent, cross(normal, tangent)}) {
      const Part above = part(upper, direction, upper_arm, 1), below = part(lower, direction, lower_arm, -1);
      columns_.push_back({below, above});
      w_.push_back(direction == normal ? velocity : 0);
    }
  }

  Random random_;
  int bodies_;
  std::vector<Column> columns_;
  nsm::Vector w_;
};

}  // namespace generate
