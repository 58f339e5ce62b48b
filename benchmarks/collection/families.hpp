// The problems on which solvers are compared: the families of the literature, contact and friction problems of rigid bodies,
// grids, circuits, relays, and problems without a solution. Everything deterministic.
#pragma once

#include <functional>
#include <nonsmooth/nonsmooth.hpp>
#include <string>
#include <vector>

namespace nonsmooth::collection {

enum class Answer {
  solvable,
  infeasible,  // and there is a proof of it
  unsolvable,  // no solution, and no proof to hand out: any outcome that does not claim one is right
  unknown
};

struct FamilyProblem {
  std::string family, name;
  Answer answer = Answer::solvable;
  std::function<nsm::Problem()> make;  // built when its turn comes: the largest take 100 MB
};

std::vector<FamilyProblem> complementarity_families();
// Coulomb friction, local and global, in the plane and in space, rolling friction, and mixed problems.
std::vector<FamilyProblem> friction_families();
std::vector<FamilyProblem> large_friction_families();  // 10,000 to 30,000 contacts

}  // namespace nonsmooth::collection
