// Free boundaries on grids: obstacles, torsion, journal bearings, American options.
#include <vector>

#include "collection.hpp"
#include "constructions.hpp"

namespace nonsmooth::collection {
namespace {

void add_grid(Collection& collection, const std::string& name, const std::string& family, const std::string& title,
              const std::string& source, const generate::SparseLcp& lcp, bool symmetric = true) {
  collection.add({.file = (lcp.lo.empty() ? "lcp_" : "relay_") + name + "_" + std::to_string(lcp.n) + ".json",
                  .family = family,
                  .title = title,
                  .source = source,
                  .problem = problem(lcp),
                  .unique = symmetric ? positive_definite_matrix : p_matrix});
}

std::string square(int k) { return ", " + std::to_string(k) + " x " + std::to_string(k) + " points"; }

void add_obstacles(Collection& collection) {
  const std::string problem_of = "More and Toraldo 1991, five-point scheme on the unit square, no load: u >= ";
  for (int k : {20, 40}) {
    add_grid(collection, "obstacle", "obstacle", "Membrane over one bump" + square(k), problem_of + "(sin 3.2x sin 3.3y)^3",
             generate::obstacle(k));
    if (k == 20)
      add_grid(collection, "obstacle_waves", "obstacle", "Membrane over nine waves" + square(k),
               problem_of + "(sin 9.2x sin 9.3y)^3", generate::obstacle(k, true));
    add_grid(collection, "obstacle_two_sided", "obstacle", "Membrane between two obstacles" + square(k),
             problem_of + "(sin 9.2x sin 9.3y)^3 and u <= (sin 9.2x sin 9.3y)^2 + 0.02", generate::obstacle(k, true, true));
    if (k == 20)
      add_grid(collection, "torsion", "obstacle", "Elastic-plastic torsion" + square(k),
               "Ting 1986: -Laplace u = 10, |u| <= distance to the boundary of the unit square", generate::torsion(k, 10));
  }
  add_grid(collection, "obstacle_ball", "obstacle", "Membrane over a ball" + square(30),
           "Bueler 2021 (PETSc, example 9): on (-2, 2)^2, boundary values of the known continuous solution",
           generate::ball_obstacle(30));
}

void add_bearings(Collection& collection) {
  for (int tenths : {1, 5, 8})
    for (int k : tenths == 1 ? std::vector{20} : std::vector{20, 40})
      add_grid(collection, "bearing_eps0" + std::to_string(tenths), "journal bearing",
               "Journal bearing of eccentricity 0." + std::to_string(tenths) + square(k),
               "Cryer 1971: film (1 + eps cos x)^3 on (0, 2 pi) x (0, 20), load eps sin x, pressure >= 0",
               generate::journal_bearing(k, k, tenths / 10.0));
}

void add_options(Collection& collection) {
  for (int n : {100, 1000, 3000})
    add_grid(collection, "american_put", "American option", "American put, n = " + std::to_string(n),
             "Brennan and Schwartz 1977: first implicit step before maturity, 5 % interest, volatility 0.3, 0.01 years",
             generate::american_put(n), false);
  add_grid(collection, "american_put_volatile", "American option", "American put, volatility 0.9, n = 1000",
           "as lcp_american_put_1000.json with 10 % interest, volatility 0.9, 0.1 years",
           generate::american_put(1000, 0.1, 0.9, 0.1), false);
  add_grid(collection, "american_put_small_step", "American option", "American put, short step, n = 1000",
           "as lcp_american_put_1000.json with a step of 0.0001 years", generate::american_put(1000, 0.05, 0.3, 1e-4), false);
}

}  // namespace

void add_grids(Collection& collection) {
  add_obstacles(collection);
  add_bearings(collection);
  add_options(collection);
}

}  // namespace nonsmooth::collection
