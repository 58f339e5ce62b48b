// Spheres that settle in a box: one line of a file per step, and the report made of such files.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace nonsmooth::settling {

struct Scene {
  int side = 10;        // side^3 spheres
  int box = 32;         // spheres that have room side by side along an edge of the box
  double height = 0.5;  // m, of the lowest above the floor
  double h = 1e-3;      // s
  double mu = 0.2;
  double threshold = 1e-4;  // m: contacts whose predicted gap is less are active
};

struct Request {
  Scene scene;
  long steps = 10000;
  std::vector<double> tolerances{1e-8, 1e-4};
  std::string method;                  // of the numerics library, with ",NAME=VALUE" options; empty: its default
  std::string output = "settling";     // OUTPUT-TOLERANCE.csv
  bool resume = false;                 // from OUTPUT-TOLERANCE.state, saved now and then and at the end; anew where none is
  bool overwrite = false;              // runs that are there, which are not resumed then
  std::string capture;                 // problems without certificate go to CAPTURE-TOLERANCE-NUMBER.json; empty: nowhere
  long iterations = 40000;             // of a solve: no clock decides, so that the same run gives the same steps
  long turn = 100, print_every = 500;  // steps of one simulation before it is the other's turn; of the console
};

struct Step {
  long number = 0, contacts = 0, iterations = 0;
  bool changed = false, certified = false;  // changed: other contacts are active than in the step before
  double time = 0, residual = 0;
  double cpu = 0, detection = 0, free_state = 0, assembly = 0, solver = 0, update = 0;  // s; phases by the wall clock
  double kinetic = 0, violation = 0;                                                    // J, m
  std::string outcome, method;                                                          // method: that finished
};

// How a run solves.
struct Solves {
  std::string method;   // with its options; empty: not known, of a file that does not tell
  long iterations = 0;  // at most; 0: not known
};

struct Run {
  std::string path;
  double tolerance = 0;
  Scene scene;
  Solves solves;
  std::vector<Step> steps;
};

// How a file begins: tolerance, scene and, where they are known, solves, in as many digits as it keeps.
std::string headOf(const Scene& scene, double tolerance, const Solves& solves = {});
// The first lines of a file, and one step of it.
void writeHead(std::ostream& out, const Scene& scene, double tolerance, const Solves& solves);
void writeStep(std::ostream& out, const Step& step);
// What is whole of the file. Throws std::runtime_error where it is no such file.
Run readRun(const std::string& path);

// Simulates until all steps are done or `interrupted` answers true. Number of steps that were not certified.
long simulate(const Request& request, bool (*interrupted)());

// Markdown. Throws std::runtime_error where the runs are not of one scene.
void writeReport(std::ostream& out, std::vector<Run> runs);

}  // namespace nonsmooth::settling
