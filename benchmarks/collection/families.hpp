// The complementarity problems on which solvers are compared: the families of the literature, contact and friction problems of
// rigid bodies, grids, circuits, relays, and problems without a solution. Everything deterministic.
#pragma once

#include <functional>
#include <nonsmooth/nonsmooth.hpp>
#include <string>
#include <vector>

namespace nonsmooth::collection {

enum class Answer { solvable, infeasible };

struct FamilyProblem {
  std::string family, name;
  Answer answer = Answer::solvable;
  std::function<nsm::Problem()> make;  // built when its turn comes: the largest take 100 MB
};

std::vector<FamilyProblem> complementarity_families();

}  // namespace nonsmooth::collection
