// Spheres in a box: rigid bodies, Coulomb friction, contacts found on a grid of cells.
#ifndef NONSMOOTH_KERNEL_SPHERE_HEAP_HPP
#define NONSMOOTH_KERNEL_SPHERE_HEAP_HPP

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <nonsmooth/kernel/kernel.hpp>
#include <unordered_map>
#include <vector>

namespace heap {

using namespace nonsmooth::kernel;
using Spheres = std::vector<std::shared_ptr<NewtonEulerDS>>;

constexpr double radius = 0.1, margin = 0.02;  // m; contacts nearer than the margin are known to the model

inline void betweenSpheres(double, const double* a, const double* b, Contact& contact) {
  const Vector3 d(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const double distance = d.norm();
  contact.normal = d / distance;
  contact.gap = distance - 2 * radius;
  contact.point1 = Vector3(a[0], a[1], a[2]) - radius * contact.normal;
  contact.point2 = Vector3(b[0], b[1], b[2]) + radius * contact.normal;
}

struct Plane {
  Vector3 normal;
  double offset;
  double gap(const double* q) const { return normal.dot(Vector3(q[0], q[1], q[2])) - offset - radius; }
  void operator()(double, const double* q, const double*, Contact& contact) const {
    contact.normal = normal;
    contact.gap = gap(q);
    contact.point1 = contact.point2 = Vector3(q[0], q[1], q[2]) - radius * normal;
  }
};

// Keeps an interaction for every pair closer than the margin.
class Detection : public InteractionManager {
 public:
  Detection(NonSmoothDynamicalSystem& model, const Spheres& spheres, double half_width, double mu = 0.5)
      : model_(model), spheres_(spheres), law_(std::make_shared<NewtonImpactFrictionNSL>(0.0, 0.0, mu, 3)) {
    planes_ = {{Vector3::UnitZ(), 0.0},
               {Vector3::UnitX(), -half_width},
               {-Vector3::UnitX(), -half_width},
               {Vector3::UnitY(), -half_width},
               {-Vector3::UnitY(), -half_width}};
  }

  bool restoreInteraction(Simulation&, const SavedInteraction& saved) override {
    touch(static_cast<std::size_t>(saved.system[0]), static_cast<std::size_t>(saved.tag));
    return true;
  }

  void updateInteractions(Simulation&) override {
    ++step_;
    const double reach = 2 * radius + margin;
    cells_.clear();
    for (std::size_t i = 0; i < spheres_.size(); ++i) cells_[key(cell(i, reach))].push_back(i);
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
      touchPlanes(i);
      const auto c = cell(i, reach);
      for (int dx = -1; dx <= 1; ++dx)
        for (int dy = -1; dy <= 1; ++dy)
          for (int dz = -1; dz <= 1; ++dz) {
            const auto found = cells_.find(key({c[0] + dx, c[1] + dy, c[2] + dz}));
            if (found == cells_.end()) continue;
            for (const std::size_t j : found->second)
              if (j < i && (spheres_[i]->q().head<3>() - spheres_[j]->q().head<3>()).norm() < reach) touch(i, j);
          }
    }
    std::erase_if(known_, [&](const auto& entry) {
      const bool apart = entry.second.seen != step_;
      if (apart) model_.removeInteraction(entry.second.handle);
      return apart;
    });
  }

 private:
  struct Known {
    InteractionHandle handle;
    long seen;
  };

  std::array<long, 3> cell(std::size_t i, double size) const {
    const VectorView q = spheres_[i]->q();
    return {std::lround(std::floor(q[0] / size)), std::lround(std::floor(q[1] / size)), std::lround(std::floor(q[2] / size))};
  }
  static long key(const std::array<long, 3>& c) { return (c[0] + 10000) + 20011 * ((c[1] + 10000) + 20011 * (c[2] + 10000)); }

  void touchPlanes(std::size_t i) {
    for (std::size_t p = 0; p < planes_.size(); ++p)
      if (planes_[p].gap(spheres_[i]->q().data()) < margin) touch(i, spheres_.size() + p);
  }

  // A sphere and another one, or, where j counts beyond the spheres, a plane.
  void touch(std::size_t i, std::size_t j) {
    auto [it, inserted] = known_.try_emplace({i, j}, Known{{}, step_});
    it->second.seen = step_;
    if (!inserted) return;
    const bool between = j < spheres_.size();
    auto contact = std::make_shared<Interaction>(law_, between ? std::make_shared<NewtonEuler3DR>(betweenSpheres)
                                                               : std::make_shared<NewtonEuler3DR>(planes_[j - spheres_.size()]));
    contact->setTag(static_cast<std::int64_t>(j));
    it->second.handle = between ? model_.link(contact, *spheres_[i], *spheres_[j]) : model_.link(contact, *spheres_[i]);
  }

  NonSmoothDynamicalSystem& model_;
  const Spheres& spheres_;
  std::shared_ptr<NewtonImpactFrictionNSL> law_;
  std::vector<Plane> planes_;
  std::unordered_map<long, std::vector<std::size_t>> cells_;
  std::map<std::pair<std::size_t, std::size_t>, Known> known_;
  long step_ = 0;
};

constexpr double mass = 1.0, spacing = 2 * radius + 0.01;

// Of a box that holds side x side spheres with room to move.
inline double halfWidth(int side) { return 0.5 * spacing * side + 0.1; }

// side^3 spheres, the lowest `height` above the floor. Layers are shifted so that the heap is none of columns.
inline Spheres fill(NonSmoothDynamicalSystem& model, int side, double height = 0) {
  const double inertia = 0.4 * mass * radius * radius;
  Spheres spheres;
  for (int k = 0; k < side * side * side; ++k) {
    const int ix = k % side, iy = k / side % side, iz = k / side / side;
    Vector q(7);
    q << spacing * (ix - 0.5 * (side - 1)) + 0.03 * (iz % 2), spacing * (iy - 0.5 * (side - 1)) + 0.02 * (iz % 3),
        height + radius + spacing * iz, 1, 0, 0, 0;
    spheres.push_back(std::make_shared<NewtonEulerDS>(q, Vector::Zero(6), mass, inertia * Matrix3::Identity()));
    spheres.back()->setFExt(Eigen::Vector3d(0, 0, -9.81 * mass));
    model.insertDynamicalSystem(spheres.back());
  }
  return spheres;
}

}  // namespace heap

#endif
