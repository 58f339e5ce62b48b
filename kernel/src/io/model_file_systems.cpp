// Systems and boundary conditions of model files.
#include "io/model_file_schema.hpp"

namespace nonsmooth::kernel::model_file {
namespace {

using SystemField = Property<DynamicalSystem>;
using System = std::shared_ptr<DynamicalSystem>;

SystemField systemField(const char* name, Type type, const char* fallback, const char* meaning) {
  return given<DynamicalSystem>(name, type, fallback, meaning);
}

std::vector<SystemField> common() {
  return {systemField("id", Type::Word, required, "its name in this file"),
          constant<DynamicalSystem>("z", none, "parameters of its functions", &DynamicalSystem::setz)};
}

std::vector<Index> indices(const Object& object) {
  std::vector<Index> result;
  const Vector values = object.vector("indices");
  for (const double value : values) {
    if (!(value >= 0 && value < 1e9 && value == static_cast<double>(static_cast<Index>(value))))
      object.find("indices")->refuse("indices are whole numbers from 0");
    result.push_back(static_cast<Index>(value));
  }
  return result;
}

SystemField boundary(const char* name, const char* meaning) {
  return {{name, Type::Object, none, meaning}, [name](DynamicalSystem& system, const Object&, const Node* node) {
            auto& mechanical = dynamic_cast<SecondOrderDS&>(system);
            if (mechanical.boundaryConditions()) node->refuse("a system has one boundary condition");
            mechanical.setBoundaryConditions(findClass(boundaryTable(), name)->build(*node));
          }};
}

std::vector<SystemField> secondOrder(std::vector<SystemField> own) {
  return join(join(common(), own),
              {boundary("FixedBC", "velocities held at zero"), boundary("HarmonicBC", "velocities as a cosine"),
               boundary("BoundaryCondition", "velocities given by a function")});
}

std::vector<SystemField> firstOrder(std::vector<SystemField> own) {
  return join(
      join(common(), {systemField("x0", Type::Vector, required, "initial state [n]")}),
      join(own, {constant<DynamicalSystem>("M", none, "[n, n], the identity if not given", &FirstOrderNonLinearDS::setM)}));
}

// Forces of LagrangianDS that have Jacobians.
std::vector<SystemField> forces() {
  using D = LagrangianDS;
  return {
      operand<DynamicalSystem>("FExt", none, "external force, f(t)", &D::setFExt, &D::setComputeFExt),
      operand<DynamicalSystem>("FInt", none, "internal force, f(t, q, v)", &D::setFInt, &D::setComputeFInt),
      operand<DynamicalSystem>("FGyr", none, "gyroscopic force, f(q, v)", &D::setFGyr, &D::setComputeFGyr),
      operand<DynamicalSystem>("JacobianFIntq", none, "dFInt/dq", &D::setJacobianFIntq, &D::setComputeJacobianFIntq),
      operand<DynamicalSystem>("JacobianFIntqDot", none, "dFInt/dv", &D::setJacobianFIntqDot, &D::setComputeJacobianFIntqDot),
      operand<DynamicalSystem>("JacobianFGyrq", none, "dFGyr/dq", &D::setJacobianFGyrq, &D::setComputeJacobianFGyrq),
      operand<DynamicalSystem>("JacobianFGyrqDot", none, "dFGyr/dv", &D::setJacobianFGyrqDot, &D::setComputeJacobianFGyrqDot)};
}

std::vector<SystemField> rigidBody() {
  using D = NewtonEulerDS;
  return {systemField("q0", Type::Vector, required, "position and unit quaternion (w, x, y, z) [7]"),
          systemField("twist0", Type::Vector, required, "velocity and angular velocity in the body frame [6]"),
          systemField("mass", Type::Number, required, "[kg]"),
          systemField("inertia", Type::Matrix, required, "in the body frame [3, 3], or its diagonal [3]"),
          operand<DynamicalSystem>("FExt", none, "external force [3], inertial frame, f(t)", &D::setFExt, &D::setComputeFExt),
          operand<DynamicalSystem>("MExt", none, "external moment [3], body frame, f(t)", &D::setMExt, &D::setComputeMExt),
          operand<DynamicalSystem>("FInt", none, "internal force [3], f(t, q, v)", &D::setFInt, &D::setComputeFInt),
          operand<DynamicalSystem>("MInt", none, "internal moment [3], f(t, q, v)", &D::setMInt, &D::setComputeMInt),
          operand<DynamicalSystem>("JacobianFIntq", none, "dFInt/dq [3, 6]", &D::setJacobianFIntq, &D::setComputeJacobianFIntq),
          operand<DynamicalSystem>("JacobianFIntTwist", none, "dFInt/dv [3, 6]", &D::setJacobianFIntTwist,
                                   &D::setComputeJacobianFIntTwist),
          operand<DynamicalSystem>("JacobianMIntq", none, "dMInt/dq [3, 6]", &D::setJacobianMIntq, &D::setComputeJacobianMIntq),
          operand<DynamicalSystem>("JacobianMIntTwist", none, "dMInt/dv [3, 6]", &D::setJacobianMIntTwist,
                                   &D::setComputeJacobianMIntTwist),
          boolean<DynamicalSystem>("explicitGyroscopicMoment", "false", "gyroscopic moment by fixed-point iterations",
                                   &D::setExplicitGyroscopicMoment)};
}

System makeRigidBody(const Object& from) {
  const Matrix given_inertia = from.matrix("inertia");
  Matrix3 inertia = Matrix3::Zero();
  if (given_inertia.rows() == 1)
    requireShape(given_inertia, 1, 3, "inertia"), inertia.diagonal() = given_inertia.transpose();
  else
    requireShape(given_inertia, 3, 3, "inertia"), inertia = given_inertia;
  return std::make_shared<NewtonEulerDS>(from.vector("q0"), from.vector("twist0"), from.number("mass"), inertia);
}

System makeLagrangian(const Object& from) {
  auto system = std::make_shared<LagrangianDS>(from.vector("q0"), from.vector("velocity0"));
  const Node& mass = *from.find("Mass");
  at(mass, [&] {
    if (!isFunction(mass)) return system->setMass(from.linearOperator("Mass", system->dimension()));
    const FunctionName function = functionName(mass);
    system->setComputeMass(function.plugin, function.function);
  });
  return system;
}

System makeLagrangianLinear(const Object& from) {
  const Vector q0 = from.vector("q0");
  const auto read = [&](const char* name) { return from.linearOperator(name, q0.size()); };
  return std::make_shared<LagrangianLinearTIDS>(q0, from.vector("velocity0"), read("Mass"), read("K"), read("C"));
}

// Sizes are compared here: the system itself knows the three as operators of other names.
System makeDiagonal(const Object& from) {
  const Vector q0 = from.vector("q0");
  const auto diagonal = [&](const char* field) {
    Vector entries = from.vector(field);
    if (entries.size() != q0.size())
      from.find(field)->refuse(std::to_string(entries.size()) + " numbers, " + std::to_string(q0.size()) + " expected");
    return entries;
  };
  return std::make_shared<LagrangianLinearDiagonalDS>(q0, from.vector("velocity0"), diagonal("stiffness"), diagonal("damping"),
                                                      diagonal("mass"));
}

Table<DynamicalSystem> makeSystemTable() {
  const SystemField q0 = systemField("q0", Type::Vector, required, "initial position [ndof]");
  const SystemField velocity0 = systemField("velocity0", Type::Vector, required, "initial velocity [ndof]");
  using N = FirstOrderNonLinearDS;
  using L = FirstOrderLinearDS;
  Table<DynamicalSystem> table;
  table.emplace_back("FirstOrderNonLinearDS", "M x' = f(t, x) + r",
                     firstOrder({function<DynamicalSystem>("f", required, "f(t, x)", &N::setComputef),
                                 function<DynamicalSystem>("jacobianfx", required, "df/dx", &N::setComputeJacobianfx)}),
                     [](const Object& from) -> System { return std::make_shared<N>(from.vector("x0")); });
  table.emplace_back("FirstOrderLinearDS", "M x' = A(t) x + b(t) + r",
                     firstOrder({operand<DynamicalSystem>("A", none, "[n, n], zero if not given", &L::setA, &L::setComputeA),
                                 operand<DynamicalSystem>("b", none, "[n], zero if not given", &L::setb, &L::setComputeb)}),
                     [](const Object& from) -> System { return std::make_shared<L>(from.vector("x0")); });
  table.emplace_back(
      "FirstOrderLinearTIDS", "M x' = A x + b + r, constant A and b",
      firstOrder({systemField("A", Type::Matrix, required, "[n, n]"),
                  constant<DynamicalSystem>("b", none, "[n], zero if not given", &L::setb)}),
      [](const Object& from) -> System { return std::make_shared<FirstOrderLinearTIDS>(from.vector("x0"), from.matrix("A")); });
  table.emplace_back(
      "LagrangianDS", "Mass(q) q'' + FGyr(q, v) + FInt(t, q, v) = FExt(t) + p",
      secondOrder(join({q0, velocity0, systemField("Mass", Type::OperatorOrFunction, required, "mass matrix, f(q)")}, forces())),
      makeLagrangian);
  table.emplace_back("LagrangianLinearTIDS", "Mass q'' + C q' + K q = FExt(t) + p",
                     secondOrder({q0, velocity0, systemField("Mass", Type::Operator, required, "mass matrix"),
                                  systemField("K", Type::Operator, none, "stiffness, zero if not given"),
                                  systemField("C", Type::Operator, none, "damping, zero if not given"), forces()[0]}),
                     makeLagrangianLinear);
  table.emplace_back("LagrangianLinearDiagonalDS", "a LagrangianLinearTIDS with diagonal operators, given as vectors",
                     secondOrder({q0, velocity0, systemField("stiffness", Type::Vector, required, "[ndof]"),
                                  systemField("damping", Type::Vector, required, "[ndof]"),
                                  systemField("mass", Type::Vector, required, "[ndof]"), forces()[0]}),
                     makeDiagonal);
  table.emplace_back("NewtonEulerDS", "a rigid body in space", secondOrder(rigidBody()), makeRigidBody);
  return table;
}

}  // namespace

const Table<DynamicalSystem>& systemTable() {
  static const Table<DynamicalSystem> table = makeSystemTable();
  return table;
}

const Table<BoundaryCondition>& boundaryTable() {
  using B = BoundaryCondition;
  using MadeBoundary = std::shared_ptr<B>;
  static const auto which = given<B>("indices", Type::Vector, required, "components of the velocity, from 0");
  static const auto value = [](const char* name, const char* meaning) { return given<B>(name, Type::Number, required, meaning); };
  static const Table<B> table = {
      {"FixedBC",
       "velocities held at zero",
       {which},
       [](const Object& from) -> MadeBoundary { return std::make_shared<FixedBC>(indices(from)); }},
      {"HarmonicBC",
       "velocity = a + b cos(omega t + phi)",
       {which, value("a", "mean [m/s]"), value("b", "amplitude [m/s]"), value("omega", "[rad/s]"), value("phi", "phase [rad]")},
       [](const Object& from) -> MadeBoundary {
         return std::make_shared<HarmonicBC>(indices(from), from.number("a"), from.number("b"), from.number("omega"),
                                             from.number("phi"));
       }},
      {"BoundaryCondition",
       "velocities given by a function f(t)",
       {which, given<B>("prescribed", Type::Function, required, "a TimeFunction")},
       [](const Object& from) -> MadeBoundary {
         const auto function = load<TimeToVector>(*from.find("prescribed"));
         return std::make_shared<B>(indices(from), [function](double t, VectorRef v) {
           Vector no_parameters;
           v.setZero();
           function(t, v, no_parameters);
         });
       }}};
  return table;
}

}  // namespace nonsmooth::kernel::model_file
