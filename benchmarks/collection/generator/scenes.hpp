// The mechanical scenes of the collection. Lengths m, masses kg, time step 0.01 s, gravity 9.81 m/s^2.
#pragma once

#include "rigid_bodies.hpp"

namespace nonsmooth::collection {

// Cubes of edge 1 on the ground, four contacts at the corners of every face between two; the middle one pushed. Hyperstatic.
struct BoxStack {
  int boxes = 5;
  double tilt = 0;   // rad, of the ground about y: x goes down the slope
  double ratio = 1;  // mass of the topmost over that of the lowest, in equal factors from one to the next
  double mu = 0.4;
};
RigidBodies box_stack(const BoxStack& stack);
inline RigidBodies box_stack(int boxes) { return box_stack(BoxStack{boxes, 0, 1, 0.4}); }

// Spheres of radius 0.5 on a cubic grid nx x ny x nz, centres displaced by up to 0.08, small random velocities; contacts between
// neighbours of the grid along their centre line, and with the floor. 3 nx ny nz - (nx ny + ny nz + nz nx) + nx ny contacts.
struct SpherePile {
  int nx = 3, ny = 3, nz = 3;
  double mu = 0.3, mu_r = 0;
  RigidBodies::Law law = RigidBodies::Law::friction;
  unsigned seed = 3;
  double tilt = 0;     // rad, of the floor about y: x goes down the slope
  double shear = 0;    // 1/s: velocity down the slope per height
  bool walls = false;  // on both sides of the slope: with tilt and shear, a chute
};
RigidBodies sphere_pile(const SpherePile& pile);
inline RigidBodies sphere_pile(int n, double mu) { return sphere_pile({n, n, n, mu, 0, RigidBodies::Law::friction, 3}); }

// Spheres of radii 0.35 to 0.5 on a loose grid of nx x ny x nz above the floor, falling at 1 m/s; their contacts are found.
RigidBodies falling_spheres(RigidBodies::Law law, int nx, int ny, int nz, double tilt, unsigned seed);
// What they fall into: a floor, and walls around nx x ny cells of the grid; the slope: on its two sides alone.
Container box_around(int nx, int ny, bool slope, double mu, double mu_r = 0, double restitution = 0);

// A box of 1 x 1 x 0.5 at rest on a slope of 3 in 4 (sine 0.6, cosine 0.8), contacts at its four lower corners; x goes down the
// slope.
RigidBodies box_on_incline(double mu);
// Its reactions, known in closed form: the total is fixed, the pressure grows linearly down the slope. Sticks for mu >= 3/4.
nsm::Vector box_on_incline_reactions(double mu);

// A brick of 2 x 1 on a slope in the plane, two contacts.
RigidBodies brick_on_incline(double angle, double mu);

// Bricks of 2 x 1 in running bond in the plane, two contacts per overlap; one brick of the top row is pushed sideways.
RigidBodies wall_2d(int courses, int bricks);

// Semicircular arch of `stones` equal voussoirs (inner radius 4, outer radius 5) between two abutments; two contacts per joint,
// so that the reactions are not unique; the keystone is pushed down.
RigidBodies arch_2d(int stones);

// The same in space: bricks of 2 x 1 x 1, four contacts per overlap. impact: a brick of the top is hit across the wall; quake:
// the ground moves.
enum class Event { rest, impact, quake };
RigidBodies wall(int courses, int bricks, Event event);

// The arch in space, 1 deep, four contacts per joint; the load, in weights of a stone, lies on the keystone.
RigidBodies arch(int stones, double load);

// Layers of n x n, (n - 1) x (n - 1), ... cubes, each on the corners of four below: 4 contacts per overlap; 288 contacts for n =
// 4, 2,496 for n = 8. The topmost is pushed.
RigidBodies pyramid(int n);

// Layers of three planks, every second across: 36 contacts per layer. The ground moves.
RigidBodies tower(int layers);

// A flat box on n x n contacts: six degrees of freedom, n^2 contacts of different coefficients. Pushed and turned.
RigidBodies plate(int n);

// Spheres one on the other; the lowest pushed. One contact between two: the matrix is a chain.
RigidBodies beads(int n);

// Links hanging in a parabola between two fixed ends, one contact where two meet, its normal along the chain; one link is hit.
RigidBodies chain(int links);

// Layers of n parallel capsules of length n, every second layer across: one contact at each crossing, two between neighbours and
// with the floor.
RigidBodies capsules(int layers, int n, double mu);

// Boxes of random sizes (masses vary by a factor of ten) on a grid of n x n x layers, one to three contacts between neighbours,
// normals up to 0.3 off the line of the centres, mu between 0.2 and 0.9.
RigidBodies rock_pile(int n, int layers);

// Cubes in a row on the ground, coupled by ball joints in the middle of their faces; the first is pulled away and sideways.
RigidBodies coupled_boxes(int boxes);

// A box of 1 x 1 x 0.5 that hits the ground at 2 m/s, sliding and turning; Newton's law of impact with the given restitution.
RigidBodies falling_box(double mu, double restitution);

// A ball on a plane, rolling without slip at 1 m/s: rolling resistance slows it down.
RigidBodies rolling_ball(double mu, double mu_r);

// Discs of radius 0.5 in the plane, stacked in a triangle with `bottom` of them on the floor; the topmost spins.
RigidBodies disc_triangle(int bottom, double mu, double mu_r, RigidBodies::Law law = RigidBodies::Law::rolling);

// Crank, rod and slider in the plane; the slider moves in a guide, two contacts on each side where there is no clearance, else
// two below it. A torque turns the crank.
RigidBodies slider_crank(bool clearance, double mu);

// A pendulum of links in the plane, joined end to end, the last one lying on the ground at both ends; it swings down.
RigidBodies pendulum(int links);

// A rod in the plane at 60 degrees, sliding on one end (Painleve 1895): beyond mu = 1.35 its matrix has W_NN < mu |W_NT|, and
// solutions need not be unique.
RigidBodies painleve_rod(double mu);

// A disc between two walls that close: nothing can keep them apart.
RigidBodies clamps(double mu);

// A disc between two closing walls that lean outwards, 7 in 24: it is squeezed out upwards for mu < 7 / 24, else there is no
// solution.
RigidBodies wedge(double mu);

// An elastic cube of edge 1 (E = 1e6 Pa, nu = 0.3, 1000 kg / m^3) of n^3 bricks of eight nodes that hits the floor at 1 m/s,
// sliding; implicit Euler: M is mass + h^2 stiffness. (n + 1)^2 contacts.
GlobalData elastic_cube(int n, double mu);

}  // namespace nonsmooth::collection
