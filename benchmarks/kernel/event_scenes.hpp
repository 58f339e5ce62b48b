// Models of which the cost of an event-driven simulation is measured, as plain numbers: one body with a diagonal mass matrix.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace nonsmooth::scenes {

enum class Gap {
  Height,  // q_0
  Length,  // 1 - |q|^2
  Corners  // of a block at q = (x, y, angle): two gaps
};

struct EventScene {
  Gap gap;
  double h, duration;
  std::vector<double> position, mass, force;  // velocities are 0 at first
  double restitution;
};

// Half the sides of the block as its corners have them, contact stiffness and impulse step of the impact law of Liu, Zhao and
// Brogliato.
constexpr double half_length = 0.1, half_height = 0.05, stiffness = 1e10, impulse_step = 5e-5;

// Models of the tutorials of Siconos: 44 impacts of a ball; a pendulum, whose contact is closed all the time; a block that
// falls on its corners.
inline std::optional<EventScene> eventSceneNamed(const std::string& name) {
  const double g = 9.81, third = std::acos(-1.0) / 3;
  if (name == "event_ball") return EventScene{Gap::Height, 5e-3, 8.5, {1, 0, 0}, {1, 1, 6e-3}, {-g, 0, 0}, 0.9};
  if (name == "event_pendulum") return EventScene{Gap::Length, 1e-2, 10, {std::sin(third), std::cos(third)}, {1, 1}, {0, g}, 0.9};
  if (name == "event_block") {
    const double x = 0.5 * std::cos(third) - 0.25 * std::sin(third), y = 0.5 * std::sin(third) + 0.25 * std::cos(third);
    return EventScene{Gap::Corners, 1e-2, 2, {x, y, third}, {1, 1, 1.25 / 12}, {0, -g, 0}, 0.8};
  }
  return std::nullopt;
}

}  // namespace nonsmooth::scenes
