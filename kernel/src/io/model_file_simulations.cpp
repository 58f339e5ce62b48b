// Integrators, one-step problems and simulations of model files.
#include <algorithm>

#include "io/model_file_schema.hpp"
#include "nonsmooth/kernel/d1_minus.hpp"
#include "nonsmooth/kernel/event_driven.hpp"

namespace nonsmooth::kernel::model_file {
namespace {

using I = Property<OneStepIntegrator>;
using ProblemField = Property<OneStepNSProblem>;
using S = Property<Simulation>;
using Integrator = std::shared_ptr<OneStepIntegrator>;
using Problem = std::shared_ptr<OneStepNSProblem>;
using SimulationTable = Table<Simulation, const SimulationParts&>;

I systems() {
  return given<OneStepIntegrator>("systems", Type::List, none, "names of the systems it integrates; all if not given");
}
I theta(const char* fallback) { return given<OneStepIntegrator>("theta", Type::Number, fallback, "implicitness, from 0 to 1"); }

std::vector<I> moreauJean() {
  using M = MoreauJeanOSI;
  return {
      systems(),
      theta("0.5"),
      number<OneStepIntegrator>("activationGamma", none,
                                "a contact is active if y + h activationGamma y' <= constraintActivationThreshold",
                                &M::setActivationGamma),
      number<OneStepIntegrator>("constraintActivationThreshold", none,
                                "a contact is active if y + h activationGamma y' is not above it [m]",
                                &M::setConstraintActivationThreshold),
      boolean<OneStepIntegrator>("activateWithNegativeRelativeVelocity", none,
                                 "a contact is active only if also y' <= constraintActivationThresholdVelocity",
                                 &M::setActivateWithNegativeRelativeVelocity),
      number<OneStepIntegrator>("constraintActivationThresholdVelocity", none,
                                "greatest y' of an active contact [m/s], with activateWithNegativeRelativeVelocity",
                                &M::setConstraintActivationThresholdVelocity),
      boolean<OneStepIntegrator>("averageCompliance", "false",
                                 "laws of compliant relations hold for y at theta between the ends of the step, not at its end",
                                 &M::setAverageCompliance)};
}

Integrator makeEulerMoreau(const Object& from) {
  auto result = from.has("gamma") ? std::make_shared<EulerMoreauOSI>(from.number("theta"), from.number("gamma"))
                                  : std::make_shared<EulerMoreauOSI>(from.number("theta"));
  if (from.boolean("useGammaForRelation")) {
    if (!from.has("gamma")) from.find("useGammaForRelation")->refuse("it needs \"gamma\"");
    result->setUseGammaForRelation(true);
  }
  return result;
}

// An integrator made from theta alone.
template <class Made>
void addTheta(Table<OneStepIntegrator>& table, const char* name, const char* meaning, std::vector<I> fields) {
  table.emplace_back(name, meaning, std::move(fields),
                     [](const Object& from) -> Integrator { return std::make_shared<Made>(from.number("theta")); });
}

void addD1Minus(Table<OneStepIntegrator>& table) {
  table.emplace_back(
      "D1MinusLinearOSI", "half-explicit scheme of second order between impacts, for TimeSteppingD1Minus",
      std::vector<I>{systems(),
                     number<OneStepIntegrator>("tolerance", none,
                                               "a contact is closed up to this gap [m], and at rest up to this velocity [m/s]",
                                               &D1MinusLinearOSI::setTolerance)},
      [](const Object&) -> Integrator { return std::make_shared<D1MinusLinearOSI>(); });
}

Table<OneStepIntegrator> makeIntegratorTable() {
  using D = MoreauJeanDirectProjectionOSI;
  const auto field = [](const char* name, Type type, const char* fallback, const char* meaning) {
    return given<OneStepIntegrator>(name, type, fallback, meaning);
  };
  Table<OneStepIntegrator> table;
  addTheta<MoreauJeanOSI>(table, "MoreauJeanOSI", "theta-scheme for mechanical systems, impulses and velocities", moreauJean());
  const std::vector<I> projection =
      join(moreauJean(),
           {number<OneStepIntegrator>("deactivateYPosThreshold", none,
                                      "an active contact ends where y is above it [m] and y' above deactivateYVelThreshold",
                                      &D::setDeactivateYPosThreshold),
            number<OneStepIntegrator>("deactivateYVelThreshold", none,
                                      "an active contact ends where y' is above it [m/s] and y above deactivateYPosThreshold",
                                      &D::setDeactivateYVelThreshold)});
  addTheta<D>(table, "MoreauJeanDirectProjectionOSI", "MoreauJeanOSI for a TimeSteppingDirectProjection", projection);
  addTheta<MoreauJeanCombinedProjectionOSI>(table, "MoreauJeanCombinedProjectionOSI",
                                            "MoreauJeanOSI for a TimeSteppingCombinedProjection", projection);
  addTheta<SchatzmanPaoliOSI>(table, "SchatzmanPaoliOSI", "position-level scheme for LagrangianLinearTIDS",
                              {systems(), theta("0.5")});
  table.emplace_back(
      "EulerMoreauOSI", "theta-gamma scheme for first order systems",
      std::vector<I>{systems(), theta(required), field("gamma", Type::Number, none, "implicitness of the input; 1 if not given"),
                     field("useGammaForRelation", Type::Switch, "false", "gamma acts on the relation instead of the input")},
      makeEulerMoreau);
  table.emplace_back("ZeroOrderHoldOSI", "exact for first order linear systems with inputs held over the step",
                     std::vector<I>{systems()}, [](const Object&) -> Integrator { return std::make_shared<ZeroOrderHoldOSI>(); });
  addD1Minus(table);
  addEventIntegrators(table, systems());
  return table;
}

// Fields of every problem.
std::vector<ProblemField> problemFields(std::vector<ProblemField> own = {}) {
  using O = OneStepNSProblem;
  const auto field = [](const char* name, Type type, const char* fallback, const char* meaning) {
    return given<O>(name, type, fallback, meaning);
  };
  ProblemField method =
      field("method", Type::Word, none, "method of the numerics library (nonsmooth methods); `auto` if not given");
  method.apply = [](O& problem, const Object& from, const Node*) { problem.setSolver(from.text("method")); };
  ProblemField option{{"Option", Type::Object, none, "an option of the method", true},
                      [](O& problem, const Object& from, const Node*) {
                        for (const auto& child : from.node().children)
                          if (child->name == "Option") {
                            const Object one(*child, optionClass());
                            if (one.find("value")->isNumber())
                              problem.setOption(one.text("name"), one.number("value"));
                            else
                              problem.setOption(one.text("name"), one.text("value"));
                          }
                      }};
  ProblemField capture = field("capture", Type::Word, "None", "problems written to files: None, Failed or All");
  capture.apply = [](O& problem, const Object& from, const Node* node) {
    const std::map<std::string, O::Capture> words = {
        {"None", O::Capture::None}, {"Failed", O::Capture::Failed}, {"All", O::Capture::All}};
    const auto found = words.find(from.text("capture"));
    if (found == words.end()) node->refuse("\"" + from.text("capture") + "\" is none of: None, Failed, All");
    problem.setCapture(found->second, from.text("capturePrefix"), from.text("captureEnding"));
  };
  return join(
      own, {field("name", Type::Word, "timeStepping", "which problem of the simulation it is"), method,
            number<O>("tolerance", none, "tolerance of the certificate, relative to max(1, |q|)", &O::setTolerance), option,
            boolean<O>("keepLambdaAndYState", "true", "start from the multipliers of the last step", &O::setKeepLambdaAndYState),
            capture, field("capturePrefix", Type::Text, "problem", "captured problems are files PREFIX-000001.ENDING and so on"),
            field("captureEnding", Type::Word, "json", "format of captured problems: json, hdf5 or dat")});
}

template <class Made>
void addProblem(Table<OneStepNSProblem>& table, const char* name, const char* meaning) {
  table.emplace_back(name, meaning, problemFields(), [](const Object&) -> Problem { return std::make_shared<Made>(); });
}

template <class Made>
void addContactProblem(Table<OneStepNSProblem>& table, const char* name, const char* meaning, const char* rows) {
  table.emplace_back(
      name, meaning, problemFields({given<OneStepNSProblem>("dimension", Type::Count, required, rows)}),
      [](const Object& from) -> Problem { return std::make_shared<Made>(static_cast<int>(from.count("dimension"))); });
}

Table<OneStepNSProblem> makeProblemTable() {
  Table<OneStepNSProblem> table;
  addProblem<LCP>(table, "LCP", "complementarity, Newton impact");
  addProblem<MLCP>(table, "MLCP", "complementarity, Newton impact, equality, mixed complementarity");
  addProblem<Relay>(table, "Relay", "relay, complementarity, Newton impact, equality");
  addProblem<Equality>(table, "Equality", "equality");
  addProblem<AVI>(table, "AVI", "normal cone");
  addContactProblem<FrictionContact>(table, "FrictionContact", "Newton impact with friction", "2 or 3");
  addContactProblem<GlobalFrictionContact>(table, "GlobalFrictionContact",
                                           "Newton impact with friction, the systems are not condensed away", "2 or 3");
  addContactProblem<RollingFrictionContact>(table, "RollingFrictionContact", "Newton impact with rolling friction", "3 or 5");
  addContactProblem<GlobalRollingFrictionContact>(
      table, "GlobalRollingFrictionContact", "Newton impact with rolling friction, the systems are not condensed away", "3 or 5");
  addProblem<GenericMechanical>(table, "GenericMechanical", "equality, complementarity, Newton impact, relay, friction");
  addMultipleImpact(table, problemFields(multipleImpactFields()));
  return table;
}

S failurePolicy() {
  return choice<Simulation>("failurePolicy", "Throw", "a step without certificate: Throw, Record or Halve",
                            {{"Throw", FailurePolicy::Throw}, {"Record", FailurePolicy::Record}, {"Halve", FailurePolicy::Halve}},
                            &Simulation::setFailurePolicy);
}

std::vector<S> timeStepping(std::vector<S> own = {}) {
  using T = TimeStepping;
  using Newton = T::Newton;
  return join({failurePolicy(),
               choice<Simulation>("newtonOptions", "NonLinear", "Linear, LinearImplicit, NonLinear or NonLinearFull",
                                  {{"Linear", Newton::Linear},
                                   {"LinearImplicit", Newton::LinearImplicit},
                                   {"NonLinear", Newton::NonLinear},
                                   {"NonLinearFull", Newton::NonLinearFull}},
                                  &T::setNewtonOptions),
               number<Simulation>("newtonTolerance", "1e-6", "tolerance of the residual of the equations of motion",
                                  &T::setNewtonTolerance),
               count<Simulation>("newtonMaxIteration", "50", "most Newton iterations in a step", &T::setNewtonMaxIteration),
               boolean<Simulation>("resetAllLambda", "false", "every step starts from multipliers zero", &T::setResetAllLambda)},
              std::move(own));
}

// Hands over what the constructor has not: integrators and problems from the given numbers on.
void complete(Simulation& simulation, const SimulationParts& parts, std::size_t integrators_done, std::size_t problems_done) {
  for (std::size_t k = 0; k < parts.integrators.size(); ++k) {
    const auto& [integrator, its_systems] = parts.integrators[k];
    for (DynamicalSystem* system : its_systems) simulation.associate(integrator, *system);
    if (k >= integrators_done && its_systems.empty()) simulation.insertIntegrator(integrator);
  }
  for (std::size_t k = problems_done; k < parts.problems.size(); ++k)
    simulation.insertNonSmoothProblem(parts.problems[k].object, parts.problems[k].name);
}

// Problems by the names that the simulation asks for: others are refused, and so are missing ones where they are `needed`.
std::vector<std::shared_ptr<OneStepNSProblem>> problemsNamed(const SimulationParts& parts, const char* simulation, bool needed,
                                                             const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "\"" : " and \"") + name + "\"";
  const auto place = [&](const std::string& name) { return std::find(names.begin(), names.end(), name) - names.begin(); };
  std::vector<std::shared_ptr<OneStepNSProblem>> result(names.size());
  for (const auto& [problem, name] : parts.problems) {
    const auto at = static_cast<std::size_t>(place(name));
    if (at == names.size()) fail("problems of %s are named %s, not \"%s\"", simulation, all.c_str(), name.c_str());
    if (result[at]) fail("two problems are named \"%s\"", name.c_str());
    result[at] = problem;
  }
  for (std::size_t k = 0; k < names.size(); ++k)
    if (needed && !result[k]) fail("%s needs one-step problems named %s", simulation, all.c_str());
  return result;
}

// A simulation made from a model and instants; integrators and problems are inserted.
template <class Made>
void addSimulation(SimulationTable& table, const char* name, const char* meaning, const std::vector<std::string>& problems,
                   std::vector<S> fields) {
  table.emplace_back(name, meaning, std::move(fields),
                     [=](const Object&, const SimulationParts& parts) -> std::shared_ptr<Simulation> {
                       problemsNamed(parts, name, !parts.model->records().empty(), problems);
                       auto simulation = std::make_shared<Made>(parts.model, parts.instants);
                       complete(*simulation, parts, 0, 0);
                       return simulation;
                     });
}

template <class Made>
void addProjection(SimulationTable& table, const char* name, const char* meaning) {
  table.emplace_back(
      name, meaning,
      timeStepping(
          {number<Simulation>("constraintTol", "1e-8", "tolerance of equalities [m]", &Made::setConstraintTol),
           number<Simulation>("constraintTolUnilateral", "1e-8", "tolerance of contacts [m]", &Made::setConstraintTolUnilateral),
           count<Simulation>("projectionMaxIteration", "20", "most projections in a step", &Made::setProjectionMaxIteration)}),
      [=](const Object&, const SimulationParts& parts) -> std::shared_ptr<Simulation> {
        const auto problems = problemsNamed(parts, name, true, {"timeStepping"});
        auto simulation = std::make_shared<Made>(parts.model, parts.instants, parts.integrators[0].object, problems[0]);
        complete(*simulation, parts, 1, 1);
        return simulation;
      });
}

void addD1Minus(SimulationTable& table) {
  table.emplace_back(
      "TimeSteppingD1Minus",
      "event-capturing simulation, impulses at ends of steps, forces between; problems \"timeStepping\" and \"acceleration\"",
      std::vector<S>{failurePolicy()}, [](const Object&, const SimulationParts& parts) -> std::shared_ptr<Simulation> {
        const auto problems = problemsNamed(parts, "TimeSteppingD1Minus", true, {"timeStepping", "acceleration"});
        auto simulation = std::make_shared<TimeSteppingD1Minus>(parts.model, parts.instants, parts.integrators[0].object,
                                                                problems[0], problems[1]);
        complete(*simulation, parts, 1, 2);
        return simulation;
      });
}

void addEventDriven(SimulationTable& table) {
  using E = EventDriven;
  S projection{
      {"projectionTolerance", Type::Number, none, "drift at which closed contacts are put back on their constraints; inf: never"},
      [](Simulation& simulation, const Object& from, const Node*) {
        dynamic_cast<E&>(simulation).setProjectionTolerance(from.number("projectionTolerance", true));
      }};
  addSimulation<E>(
      table, "EventDriven", "smooth motion between events; problems \"impact\" and \"acceleration\"", {"impact", "acceleration"},
      {choice<Simulation>("failurePolicy", "Throw", "an event without certificate: Throw or Record",
                          {{"Throw", FailurePolicy::Throw}, {"Record", FailurePolicy::Record}}, &Simulation::setFailurePolicy),
       number<Simulation>("toleranceED", "1e-12", "below it a gap [m] or velocity [m/s] is zero", &E::setToleranceED),
       number<Simulation>("accumulationTolerance", none,
                          "an accumulation of impacts is jumped when less than this is left of it [s]; 0: never",
                          &E::setAccumulationTolerance),
       projection});
}

SimulationTable makeSimulationTable() {
  SimulationTable table;
  addSimulation<TimeStepping>(table, "TimeStepping", "event-capturing simulation", {"timeStepping"}, timeStepping());
  addProjection<TimeSteppingDirectProjection>(
      table, "TimeSteppingDirectProjection",
      "event-capturing simulation, positions are projected on the constraints after each step");
  addProjection<TimeSteppingCombinedProjection>(table, "TimeSteppingCombinedProjection",
                                                "event-capturing simulation, velocities agree with the projected positions");
  addD1Minus(table);
  addEventDriven(table);
  for (auto& entry : table) {
    entry.inner = {"TimeDiscretisation"};
    addNames(entry.inner, integratorTable());
    addNames(entry.inner, problemTable());
  }
  return table;
}

}  // namespace

const Table<OneStepIntegrator>& integratorTable() {
  static const Table<OneStepIntegrator> table = makeIntegratorTable();
  return table;
}

const Table<OneStepNSProblem>& problemTable() {
  static const Table<OneStepNSProblem> table = makeProblemTable();
  return table;
}

const ClassInfo& optionClass() {
  static const ClassInfo info{
      "Option",
      "an option of the method",
      {{"name", Type::Word, required, "as nonsmooth options lists it"},
       {"value", Type::NumberOrWord, required, "a number, or a word where the option is a choice, a method, or true or false"}}};
  return info;
}

const SimulationTable& simulationTable() {
  static const SimulationTable table = makeSimulationTable();
  return table;
}

}  // namespace nonsmooth::kernel::model_file
