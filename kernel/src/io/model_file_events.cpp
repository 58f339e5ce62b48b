// Integrators of event-driven simulations and multiple impacts of model files.
#include "io/model_file_schema.hpp"
#include "nonsmooth/kernel/event_integrators.hpp"
#include "nonsmooth/kernel/multiple_impact.hpp"

namespace nonsmooth::kernel::model_file {
namespace {

using I = Property<OneStepIntegrator>;
using Integrator = std::shared_ptr<OneStepIntegrator>;

// Two numbers that one member function takes; both have defaults.
template <class Base, class T>
std::vector<Property<Base>> pair(Field first, Field second, void (T::*set)(double, double)) {
  const char *a = first.name, *b = second.name;
  return {{first, [=](Base& object, const Object& from,
                      const Node*) { (dynamic_cast<T&>(object).*set)(from.number(a, true), from.number(b, true)); }},
          {second, nullptr}};
}

template <class T>
std::vector<I> tolerances(const char* relative, const char* absolute) {
  return pair<OneStepIntegrator>({"relativeTolerance", Type::Number, relative, "relative tolerance of the local error"},
                                 {"absoluteTolerance", Type::Number, absolute, "absolute tolerance of the local error"},
                                 &T::setTol);
}

template <class T>
std::vector<I> stepSizes(const char* largest, const char* meaning) {
  return pair<OneStepIntegrator>({"minStepSize", Type::Number, "0", "smallest step [s]"},
                                 {"maxStepSize", Type::Number, largest, meaning}, &T::setMinMaxStepSizes);
}

template <class T>
I maxNstep() {
  return count<OneStepIntegrator>("maxNstep", "1000000", "most steps between two events", &T::setMaxNstep);
}

void addLsodar(Table<OneStepIntegrator>& table, const I& systems) {
  using L = LsodarOSI;
  std::vector<I> fields = join(
      {systems, choice<OneStepIntegrator>(
                    "method", "Automatic", "Adams, Bdf, or Automatic: Adams, then Bdf once the motion has been stiff",
                    {{"Automatic", L::Method::Automatic}, {"Adams", L::Method::Adams}, {"Bdf", L::Method::Bdf}}, &L::setMethod)},
      tolerances<L>("1e-12", "1e-17"));
  fields = join(fields, stepSizes<L>("0", "greatest step [s]; 0: no bound"));
  I order{{"maxOrderAdams", Type::Count, "12", "greatest order of the Adams methods, up to 12"},
          [](OneStepIntegrator& object, const Object& from, const Node*) {
            dynamic_cast<L&>(object).setMaxOrder(static_cast<int>(from.count("maxOrderAdams")),
                                                 static_cast<int>(from.count("maxOrderBdf")));
          }};
  fields = join(fields, {maxNstep<L>(), order,
                         given<OneStepIntegrator>("maxOrderBdf", Type::Count, "5", "greatest order of the BDF methods, up to 5"),
                         boolean<OneStepIntegrator>("useJacobians", "true",
                                                    "use the Jacobians of forces where they are given, not differences",
                                                    &L::setUseJacobians)});
  table.emplace_back("LsodarOSI", "for EventDriven: Adams and BDF methods of variable order and step", std::move(fields),
                     [](const Object&) -> Integrator { return std::make_shared<L>(); });
}

void addHem5(Table<OneStepIntegrator>& table, const I& systems) {
  using H = Hem5OSI;
  std::vector<I> fields = join({systems}, tolerances<H>("1e-10", "1e-12"));
  fields = join(fields, stepSizes<H>("inf", "greatest step [s]; equal to minStepSize: constant steps"));
  fields = join(fields, {maxNstep<H>(),
                         count<OneStepIntegrator>("projection", "0", "put the state on the constraints every N steps; 0: never",
                                                  &H::setProjection)});
  table.emplace_back("Hem5OSI", "for EventDriven: half-explicit Runge-Kutta method of order 5 with constraints",
                     std::move(fields), [](const Object&) -> Integrator { return std::make_shared<H>(); });
}

Integrator makeNewMarkAlpha(const Object& from) {
  const char* const names[] = {"beta", "gamma", "alpha_m", "alpha_f"};
  int numbers = 0;
  for (const char* name : names) numbers += from.has(name) ? 1 : 0;
  const bool velocity_level = from.boolean("velocityLevel");
  if (from.has("rho_inf") ? numbers > 0 : numbers < 4)
    from.node().refuse("\"rho_inf\", or all of \"beta\", \"gamma\", \"alpha_m\" and \"alpha_f\" are needed");
  if (from.has("rho_inf")) return std::make_shared<NewMarkAlphaOSI>(from.number("rho_inf"), velocity_level);
  return std::make_shared<NewMarkAlphaOSI>(from.number("beta"), from.number("gamma"), from.number("alpha_m"),
                                           from.number("alpha_f"), velocity_level);
}

void addNewMarkAlpha(Table<OneStepIntegrator>& table, const I& systems) {
  using N = NewMarkAlphaOSI;
  const auto field = [](const char* name, const char* meaning) {
    return given<OneStepIntegrator>(name, Type::Number, none, meaning);
  };
  const std::vector<I> fields = {
      systems,
      field("rho_inf",
            "damping of high frequencies, from 0 (greatest) to 1 (none); beta, gamma, alpha_m and alpha_f follow from it"),
      field("beta", "coefficient of positions, where rho_inf is not given"),
      field("gamma", "coefficient of velocities, where rho_inf is not given"),
      field("alpha_m", "coefficient of the inertia, where rho_inf is not given"),
      field("alpha_f", "coefficient of the forces, where rho_inf is not given"),
      given<OneStepIntegrator>("velocityLevel", Type::Switch, "false", "constraints as y' = 0 instead of y = 0"),
      number<OneStepIntegrator>("newtonTolerance", "1e-12",
                                "tolerance of the residual of the equations of motion and constraints", &N::setNewtonTolerance),
      count<OneStepIntegrator>("newtonMaxIteration", "50", "most Newton iterations in a step", &N::setNewtonMaxIteration),
      number<OneStepIntegrator>("maxStepSize", none, "longer intervals between events are divided [s]", &N::setMaxStepSize),
      boolean<OneStepIntegrator>("ownAuxiliaryAcceleration", "true",
                                 "true: the auxiliary acceleration is a state of its own; false: each step starts it from q''",
                                 &N::setOwnAuxiliaryAcceleration)};
  table.emplace_back("NewMarkAlphaOSI", "for EventDriven: generalised-alpha method, steps end at the instants", fields,
                     makeNewMarkAlpha);
}

}  // namespace

void addEventIntegrators(Table<OneStepIntegrator>& table, const I& systems) {
  addLsodar(table, systems);
  addHem5(table, systems);
  addNewMarkAlpha(table, systems);
}

std::vector<Property<OneStepNSProblem>> multipleImpactFields() {
  using O = OSNSMultipleImpact;
  Property<OneStepNSProblem> zero{
      {"zeroTolerance", Type::Number, none, "velocities [m/s] and energies [J] up to it count as zero; needs deltaP"},
      [](OneStepNSProblem& object, const Object& from, const Node* node) {
        if (!from.has("deltaP")) node->refuse("it needs \"deltaP\"");
        dynamic_cast<O&>(object).setZeroTolerance(from.number("zeroTolerance"), from.boolean("scaledZeroTolerance"));
      }};
  Property<OneStepNSProblem> scaled{
      {"scaledZeroTolerance", Type::Switch, "false", "zeroTolerance is relative to the fastest approach"},
      [](OneStepNSProblem&, const Object& from, const Node* node) {
        if (node != nullptr && !from.has("zeroTolerance")) node->refuse("it needs \"zeroTolerance\"");
      }};
  return {given<OneStepNSProblem>("compliance", Type::Word, "BiStiffness", "BiStiffness or MonoStiffness"),
          given<OneStepNSProblem>("deltaP", Type::Number, none, "constant steps of the impulse [N s]; adaptive if not given"),
          choice<OneStepNSProblem>(
              "impactLaw", "DarbouxKeller", "DarbouxKeller, Newton or Poisson",
              {{"DarbouxKeller", ImpactLaw::DarbouxKeller}, {"Newton", ImpactLaw::Newton}, {"Poisson", ImpactLaw::Poisson}},
              &O::setImpactLaw),
          number<OneStepNSProblem>("accuracy", "1e-12", "error allowed in an adaptive step, relative to the fastest approach",
                                   &O::setAccuracy),
          zero,
          scaled,
          count<OneStepNSProblem>("maxSteps", "1000000", "most steps of one impact", &O::setMaxSteps),
          number<OneStepNSProblem>("velocityOfRest", "1e-10", "a contact that approaches no faster is at rest [m/s]",
                                   &O::setVelocityOfRest)};
}

void addMultipleImpact(Table<OneStepNSProblem>& table, std::vector<Property<OneStepNSProblem>> fields) {
  table.emplace_back("OSNSMultipleImpact", "Newton impact, multiple impact; frictionless", std::move(fields),
                     [](const Object& from) -> std::shared_ptr<OneStepNSProblem> {
                       const std::string compliance = from.text("compliance");
                       if (!from.has("deltaP")) return std::make_shared<OSNSMultipleImpact>(compliance);
                       return std::make_shared<OSNSMultipleImpact>(compliance, from.number("deltaP"));
                     });
}

}  // namespace nonsmooth::kernel::model_file
