// Relations and joints of model files.
#include "io/model_file_schema.hpp"

namespace nonsmooth::kernel::model_file {
namespace {

using RelationField = Property<Relation>;
using Made = std::shared_ptr<Relation>;
using RelationTable = Table<Relation, const Linked&>;

RelationField relationField(const char* name, Type type, const char* fallback, const char* meaning) {
  return given<Relation>(name, type, fallback, meaning);
}
RelationField matrix(const char* name, const char* fallback, const char* meaning) {
  return relationField(name, Type::Matrix, fallback, meaning);
}
RelationField loaded(const char* name, const char* fallback, const char* meaning) {
  return relationField(name, Type::Function, fallback, meaning);
}

// Parameters of the user functions.
std::vector<RelationField> withParameters(std::vector<RelationField> own) {
  return join(std::move(own), {constant<Relation>("z", none, "parameters of its functions", &Relation::setz)});
}

CoupledToVector coupledVector(const Object& from, const char* name) { return load<CoupledToVector>(*from.find(name)); }
CoupledToMatrix coupledMatrix(const Object& from, const char* name) {
  const Node* node = from.find(name);
  return node == nullptr ? nullptr : load<CoupledToMatrix>(*node);
}

void addFirstOrder(RelationTable& table) {
  const RelationField h = loaded("h", required, "y = h(t, x, lambda)"), g = loaded("g", required, "r = g(t, x, lambda)");
  const RelationField C = loaded("C", required, "dh/dx [rows, n]"), B = loaded("B", required, "dg/dlambda [n, rows]");
  const RelationField D = loaded("D", none, "dh/dlambda [rows, rows], zero if not given");
  table.emplace_back("FirstOrderNonLinearR", "y = h(t, x, lambda), r = g(t, x, lambda)",
                     withParameters({h, g, C, B, D, loaded("K", none, "dg/dx [n, n], zero if not given")}),
                     [](const Object& from, const Linked&) -> Made {
                       return std::make_shared<FirstOrderNonLinearR>(coupledVector(from, "h"), coupledVector(from, "g"),
                                                                     coupledMatrix(from, "C"), coupledMatrix(from, "B"),
                                                                     coupledMatrix(from, "D"), coupledMatrix(from, "K"));
                     });
  table.emplace_back("FirstOrderType1R", "y = h(t, x), r = g(t, lambda)", withParameters({h, g, C, B}),
                     [](const Object& from, const Linked&) -> Made {
                       return std::make_shared<FirstOrderType1R>(coupledVector(from, "h"), coupledVector(from, "g"),
                                                                 coupledMatrix(from, "C"), coupledMatrix(from, "B"));
                     });
  table.emplace_back("FirstOrderType2R", "y = h(t, x, lambda), r = g(t, lambda)",
                     withParameters({h, g, C, B, loaded("D", required, "dh/dlambda [rows, rows]")}),
                     [](const Object& from, const Linked&) -> Made {
                       return std::make_shared<FirstOrderType2R>(coupledVector(from, "h"), coupledVector(from, "g"),
                                                                 coupledMatrix(from, "C"), coupledMatrix(from, "D"),
                                                                 coupledMatrix(from, "B"));
                     });
  using L = FirstOrderLinearR;
  table.emplace_back(
      "FirstOrderLinearR", "y = C(t) x + D(t) lambda + F(t) z + e(t), r = B(t) lambda",
      withParameters({operand<Relation>("C", required, "[rows, n], f(t)", &L::setC, &L::setComputeC),
                      operand<Relation>("B", required, "[n, rows], f(t)", &L::setB, &L::setComputeB),
                      operand<Relation>("D", none, "[rows, rows], f(t), zero if not given", &L::setD, &L::setComputeD),
                      operand<Relation>("F", none, "[rows, parameters], f(t), zero if not given", &L::setF, &L::setComputeF),
                      operand<Relation>("e", none, "[rows], f(t), zero if not given", &L::sete, &L::setComputee)}),
      [](const Object&, const Linked&) -> Made { return std::make_shared<L>(); });
  table.emplace_back("FirstOrderLinearTIR", "y = C x + D lambda + F z + e, r = B lambda, constant matrices",
                     withParameters({matrix("C", required, "[rows, n]"), matrix("B", required, "[n, rows]"),
                                     matrix("D", none, "[rows, rows], zero if not given"),
                                     matrix("F", none, "[rows, parameters], zero if not given"),
                                     relationField("e", Type::Vector, none, "[rows], zero if not given")}),
                     [](const Object& from, const Linked&) -> Made {
                       return std::make_shared<FirstOrderLinearTIR>(from.matrix("C"), from.matrix("D"), from.matrix("F"),
                                                                    from.vector("e"), from.matrix("B"));
                     });
}

Made makeScleronomous(const Object& from, const Linked&) {
  const Node* Gdot = from.find("Gdot");
  return std::make_shared<LagrangianScleronomousR>(load<ConfigurationToVector>(*from.find("h")),
                                                   load<ConfigurationToMatrix>(*from.find("G")),
                                                   Gdot ? load<RateToMatrix>(*Gdot) : nullptr);
}

void addLagrangian(RelationTable& table) {
  const RelationField C = matrix("C", required, "[rows, ndof]"),
                      e = relationField("e", Type::Vector, none, "[rows], zero if not given");
  const RelationField G = loaded("G", required, "dh/dq [rows, ndof]");
  const RelationField F = constant<Relation>("F", none, "[rows, parameters], zero if not given", &LagrangianLinearTIR::setF);
  table.emplace_back("LagrangianLinearTIR", "y = C q + F z + e", withParameters({C, F, e}),
                     [](const Object& from, const Linked&) -> Made {
                       return std::make_shared<LagrangianLinearTIR>(from.matrix("C"), from.vector("e"));
                     });
  table.emplace_back(
      "LagrangianCompliantLinearTIR", "y = C q + D lambda + F z + e",
      withParameters({C, matrix("D", required, "[rows, rows]"), F, e}), [](const Object& from, const Linked&) -> Made {
        return std::make_shared<LagrangianCompliantLinearTIR>(from.matrix("C"), from.matrix("D"), from.vector("e"));
      });
  table.emplace_back("LagrangianScleronomousR", "y = h(q)",
                     withParameters({loaded("h", required, "h(q), a ConfigurationFunction"), G,
                                     loaded("Gdot", none, "dG/dt along the motion, f(0, q, v); for accelerations")}),
                     makeScleronomous);
  table.emplace_back("LagrangianRheonomousR", "y = h(t, q)",
                     withParameters({loaded("h", required, "h(t, q)"), G, loaded("hdot", required, "partial dh/dt [rows]"),
                                     loaded("curvature", none, "what y'' has beyond G v', f(t, q, v); for accelerations")}),
                     [](const Object& from, const Linked&) -> Made {
                       const Node* curvature = from.find("curvature");
                       return std::make_shared<LagrangianRheonomousR>(
                           load<StateToVector>(*from.find("h")), load<StateToMatrix>(*from.find("G")),
                           load<StateToVector>(*from.find("hdot")), curvature ? load<MotionToVector>(*curvature) : nullptr);
                     });
  table.emplace_back(
      "LagrangianCompliantR", "y = h(q, lambda)",
      withParameters({loaded("h", required, "h(t, q, lambda)"), G, loaded("D", required, "dh/dlambda [rows, rows]")}),
      [](const Object& from, const Linked&) -> Made {
        return std::make_shared<LagrangianCompliantR>(coupledVector(from, "h"), coupledMatrix(from, "G"),
                                                      coupledMatrix(from, "D"));
      });
}

template <class R>
void addPlanarContact(RelationTable& table, const char* name, const char* meaning) {
  table.emplace_back(name, meaning, planarGeometryFields(),
                     [](const Object& from, const Linked&) -> Made { return std::make_shared<R>(planarGeometry(from)); });
}

template <class R>
void addSpatialContact(RelationTable& table, const char* name, const char* meaning) {
  table.emplace_back(name, meaning, spatialGeometryFields(),
                     [](const Object& from, const Linked&) -> Made { return std::make_shared<R>(spatialGeometry(from)); });
}

Vector3 direction(const Object& from, const char* name) {
  const Vector value = from.vector(name);
  if (value.size() != 3) from.find(name)->refuse(std::to_string(value.size()) + " numbers, 3 expected");
  return value;
}

// The joint R(arguments ..., q1) or R(arguments ..., q1, q2), for the initial positions of the linked bodies.
template <class R, class... Arguments>
Made makeJoint(const Linked& linked, const Arguments&... arguments) {
  const auto position = [](const DynamicalSystem& system) {
    const auto* body = dynamic_cast<const NewtonEulerDS*>(&system);
    if (body == nullptr) fail("a joint links rigid bodies (NewtonEulerDS), not a %s", system.className());
    return body->q0();
  };
  if (linked.second == nullptr) return std::make_shared<R>(arguments..., position(linked.first));
  return std::make_shared<R>(arguments..., position(linked.first), position(*linked.second));
}

void addJoints(RelationTable& table) {
  const RelationField point = relationField("point", Type::Vector, required, "in body 1 [3]"),
                      axis = relationField("axis", Type::Vector, required, "in body 1 [3]");
  table.emplace_back(
      "KneeJointR", "ball joint: 3 rows", std::vector<RelationField>{point},
      [](const Object& from, const Linked& linked) { return makeJoint<KneeJointR>(linked, direction(from, "point")); });
  table.emplace_back("PivotJointR", "hinge: 5 rows", std::vector<RelationField>{point, axis},
                     [](const Object& from, const Linked& linked) {
                       return makeJoint<PivotJointR>(linked, direction(from, "point"), direction(from, "axis"));
                     });
  table.emplace_back(
      "PrismaticJointR", "slider: 5 rows", std::vector<RelationField>{axis},
      [](const Object& from, const Linked& linked) { return makeJoint<PrismaticJointR>(linked, direction(from, "axis")); });
  table.emplace_back("FixedJointR", "no relative motion: 6 rows", std::vector<RelationField>{},
                     [](const Object&, const Linked& linked) { return makeJoint<FixedJointR>(linked); });
}

RelationTable makeRelationTable() {
  RelationTable table;
  addFirstOrder(table);
  addLagrangian(table);
  addPlanarContact<Lagrangian2d1DR>(table, "Lagrangian2d1DR", "contact in the plane, normal row; systems with q = (x, y, angle)");
  addPlanarContact<Lagrangian2d2DR>(table, "Lagrangian2d2DR",
                                    "contact in the plane, rows normal and tangent; systems with q = (x, y, angle)");
  addPlanarContact<Lagrangian2d3DR>(table, "Lagrangian2d3DR",
                                    "contact in the plane, rows normal, tangent and rolling; systems with q = (x, y, angle)");
  addSpatialContact<NewtonEuler1DR>(table, "NewtonEuler1DR", "contact of rigid bodies, normal row");
  addSpatialContact<NewtonEuler3DR>(table, "NewtonEuler3DR", "contact of rigid bodies, rows normal and two tangents");
  addSpatialContact<NewtonEuler5DR>(table, "NewtonEuler5DR",
                                    "contact of rigid bodies, rows normal, two tangents and rolling about them");
  addJoints(table);
  return table;
}

}  // namespace

const Table<Relation, const Linked&>& relationTable() {
  static const RelationTable table = makeRelationTable();
  return table;
}

}  // namespace nonsmooth::kernel::model_file
