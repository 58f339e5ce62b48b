// Models from files: XML or JSON, one schema (docs/model-files.md).
#ifndef NONSMOOTH_KERNEL_MODEL_FILE_HPP
#define NONSMOOTH_KERNEL_MODEL_FILE_HPP

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {

// What a file asks to be written: a table of quantities at every n-th step, or a plot of them.
struct OutputRequest {
  std::string file;        // "" if the file leaves it to the user
  std::string quantities;  // "" for all
  // Every how many steps a row is written.
  long every = 1;
  // Title of a plot.
  std::string title;
};

// A model and its simulation, ready to run. Objects are found by the names they have in the file.
struct LoadedModel {
  // A system and its id in the file.
  struct NamedSystem {
    // The id.
    std::string id;
    // The system.
    std::shared_ptr<DynamicalSystem> object;
    int level;  // of its integrator
  };
  // An interaction and its id in the file.
  struct NamedInteraction {
    // The id.
    std::string id;
    // The interaction.
    std::shared_ptr<Interaction> object;
    int level;  // of its multipliers
  };

  // As in the file; empty where they are left out.
  std::string title, description;
  // Of the text that was read: another text has another one.
  std::string fingerprint;
  // Ready to run.
  std::shared_ptr<NonSmoothDynamicalSystem> model;
  // With everything inserted; ready to run.
  std::shared_ptr<Simulation> simulation;
  // In the order of the file.
  std::vector<NamedSystem> systems;
  std::vector<NamedInteraction> interactions;
  // Tables and plots that the file asks for.
  std::vector<OutputRequest> outputs, plots;

  // Throw Error where nothing has that name.
  DynamicalSystem& dynamicalSystem(const std::string& id) const;
  Interaction& interaction(const std::string& id) const;
};

// Throws Error: "FILE:LINE: Model/TimeStepping/MoreauJeanOSI/theta: \"a half\" is not a number". The syntax is found by content.
// A model may name functions of shared libraries, which are loaded: read only files you trust as you would a program.
LoadedModel readModel(const std::string& path);
// The same from memory; `name` stands for the file in messages, plugins are looked for in the current folder.
LoadedModel readModelText(std::string_view text, const std::string& name);

// A number that changes during a run, and its names: "q[0] of ball" for people, "ball_q0" for tables; that of
// "lambda1[0] of floor" is "floor_lambda1_0".
struct Quantity {
  // Its two names.
  std::string label, column;
  // Its value at the present state.
  std::function<double()> value;
};

// The names that findQuantities knows, as help and messages show them; lambda is that of the level of the integrator.
inline constexpr const char* quantity_names =
    "q, v, x, p of a system; y, ydot, yddot, lambda, lambda0, lambda1, lambda2 of an interaction; "
    "kinetic_energy, violation, active_contacts, newton_iterations, residual of the run";

// The quantities of a list such as "q[0] of ball, lambda of floor, kinetic_energy", separated by commas and with names from
// quantity_names; "" means the states of all systems, y and lambda of all interactions. Without an index all components, without
// "of" all objects that have the quantity. Objects of `loaded` must outlive the result.
std::vector<Quantity> findQuantities(const LoadedModel& loaded, const std::string& list);

// The schema as JSON, one class per line: {"kind", "class", "meaning", "fields": [{"name", "type", "default", "meaning"}]};
// fields that must be given have no default. The documentation is made from it.
std::string modelSchema();

}  // namespace nonsmooth::kernel
#endif
