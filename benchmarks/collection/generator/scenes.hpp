// The mechanical scenes of the collection. Lengths m, masses kg, time step 0.01 s, gravity 9.81 m/s^2.
#pragma once

#include "rigid_bodies.hpp"

namespace nonsmooth::collection {

// Cubes of edge 1 on the ground, four contacts at the corners of every face between two; the middle one pushed. Hyperstatic.
RigidBodies box_stack(int boxes);

// Spheres of radius 0.5 on a cubic grid nx x ny x nz, centres displaced by up to 0.08, small random velocities; contacts between
// neighbours of the grid along their centre line, and with the floor. 3 nx ny nz - (nx ny + ny nz + nz nx) + nx ny contacts.
struct SpherePile {
  int nx = 3, ny = 3, nz = 3;
  double mu = 0.3, mu_r = 0;
  RigidBodies::Law law = RigidBodies::Law::friction;
  unsigned seed = 3;
};
RigidBodies sphere_pile(const SpherePile& pile);
inline RigidBodies sphere_pile(int n, double mu) { return sphere_pile({n, n, n, mu, 0, RigidBodies::Law::friction, 3}); }

// A box of 1 x 1 x 0.5 at rest on a slope of 3 in 4 (sine 0.6, cosine 0.8), contacts at its four lower corners; x goes down the
// slope.
RigidBodies box_on_incline(double mu);
// Its reactions, known in closed form: the total is fixed, the pressure grows linearly down the slope. Sticks for mu >= 3/4.
nsm::Vector box_on_incline_reactions(double mu);

// Bricks of 2 x 1 in running bond in the plane, two contacts per overlap; one brick of the top row is pushed sideways.
RigidBodies wall_2d(int courses, int bricks);

// Semicircular arch of `stones` equal voussoirs (inner radius 4, outer radius 5) between two abutments; two contacts per joint,
// so that the reactions are not unique; the keystone is pushed down.
RigidBodies arch_2d(int stones);

// Cubes in a row on the ground, coupled by ball joints in the middle of their faces; the first is pulled away and sideways.
RigidBodies coupled_boxes(int boxes);

// A box of 1 x 1 x 0.5 that hits the ground at 2 m/s, sliding and turning; Newton's law of impact with the given restitution.
RigidBodies falling_box(double mu, double restitution);

// A ball on a plane, rolling without slip at 1 m/s: rolling resistance slows it down.
RigidBodies rolling_ball(double mu, double mu_r);

// Discs of radius 0.5 in the plane, stacked in a triangle with `bottom` of them on the floor; the topmost spins.
RigidBodies disc_triangle(int bottom, double mu, double mu_r);

}  // namespace nonsmooth::collection
