// The schema of model files: one table of classes per kind of object, each class a list of fields. The same tables check a file,
// build the objects and write the documentation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "io/model_file_tree.hpp"
#include "nonsmooth/kernel/first_order_relations.hpp"
#include "nonsmooth/kernel/newton_euler_relations.hpp"
#include "nonsmooth/kernel/planar_relations.hpp"
#include "nonsmooth/kernel/projection.hpp"

namespace nonsmooth::kernel::model_file {

enum class Type {
  Number,
  Count,
  Switch,
  Text,
  Word,
  NumberOrWord,
  List,
  Vector,
  Matrix,
  Operator,
  Function,
  VectorOrFunction,
  MatrixOrFunction,
  OperatorOrFunction,
  Object
};
const char* name(Type type);

// What stands in the place of a default: the field must be given; there is none.
inline constexpr const char* required = nullptr;
inline constexpr const char* none = "";

struct Field {
  const char* name;
  Type type;
  const char* fallback;  // required, none, or the text of the default
  const char* meaning;
  bool repeated = false;
};

struct ClassInfo {
  const char* name;
  const char* meaning;
  std::vector<Field> fields;
};

// An object of the file whose fields have been checked against its class: none unknown, none twice, none missing. Values that are
// not given are the defaults of the table.
class Object {
 public:
  // `inner` are names of further elements, which the caller treats.
  Object(const Node& node, const ClassInfo& info, const std::vector<std::string>& inner = {});
  const Node& node() const { return node_; }
  // Null where the field is not given.
  const Node* find(const char* field) const { return node_.find(field); }
  bool has(const char* field) const { return find(field) != nullptr; }

  double number(const char* field, bool infinite = false) const;
  Index count(const char* field) const;
  bool boolean(const char* field) const;
  std::string text(const char* field) const;
  std::vector<std::string> list(const char* field) const;
  Vector vector(const char* field) const;  // empty if not given
  Matrix matrix(const char* field) const;  // empty if not given
  // Zero if not given; a matrix, or an object with `diagonal` or `triplets` ("row column value" each). `size` rows.
  LinearOperator linearOperator(const char* field, Index size) const;

 private:
  template <class Read>
  auto valueOr(const char* field, Read read) const;
  const Node& node_;
  const ClassInfo& info_;
};

// Library and name of a function, as a Function field or an operand has them.
struct FunctionName {
  std::string plugin, function;
};
// Values written as objects: the storages of an operator, a function.
const ClassInfo& operatorClass();
const ClassInfo& functionClass();
bool isFunction(const Node& node);
FunctionName functionName(const Node& node);

// Runs `build`; what the kernel refuses is reported with the place in the file.
template <class Build>
auto at(const Node& node, Build build) -> decltype(build()) {
  try {
    return build();
  } catch (const Error& error) {
    const std::string what = error.what();
    if (what.starts_with(node.document->file + ":")) throw;  // has a place already
    node.refuse(what);
  }
}

template <class Function>
Function load(const Node& node) {
  const FunctionName name = functionName(node);
  return at(node, [&] { return loadFunction<Function>(name.plugin, name.function); });
}

// --- classes that make objects of a family Base ---

// How a field is handed to an object; empty where the constructor has taken it.
template <class Base>
struct Property {
  Field field;
  std::function<void(Base&, const Object&, const Node*)> apply;  // the node is null for a default
};

template <class Base, class... Context>
struct Class {
  ClassInfo info;
  std::vector<std::function<void(Base&, const Object&, const Node*)>> apply;
  std::function<std::shared_ptr<Base>(const Object&, Context...)> make;
  std::vector<std::string> inner = {};  // further elements, which the caller treats

  Class(const char* name, const char* meaning, std::vector<Property<Base>> properties,
        std::function<std::shared_ptr<Base>(const Object&, Context...)> maker)
      : info{name, meaning, {}}, make(std::move(maker)) {
    for (auto& property : properties) {
      info.fields.push_back(property.field);
      apply.push_back(std::move(property.apply));
    }
  }

  std::shared_ptr<Base> build(const Node& node, Context... context) const {
    const Object object(node, info, inner);
    auto result = at(node, [&] { return make(object, context...); });
    for (std::size_t k = 0; k < apply.size(); ++k) {
      if (!apply[k]) continue;
      const Node* field = node.find(info.fields[k].name);
      const char* fallback = info.fields[k].fallback;
      if (field == nullptr && (fallback == required || *fallback == '\0')) continue;
      at(field != nullptr ? *field : node, [&] { apply[k](*result, object, field); });
    }
    return result;
  }
};

template <class Base, class... Context>
using Table = std::vector<Class<Base, Context...>>;

template <class Entry>
const Entry* findClass(const std::vector<Entry>& table, const std::string& name) {
  for (const Entry& entry : table)
    if (entry.info.name == name) return &entry;
  return nullptr;
}

template <class Entry>
void addNames(std::vector<std::string>& names, const std::vector<Entry>& table) {
  for (const Entry& entry : table) names.emplace_back(entry.info.name);
}

template <class Base>
std::vector<Property<Base>> join(std::vector<Property<Base>> first, const std::vector<Property<Base>>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// A field that the constructor takes.
template <class Base>
Property<Base> given(const char* name, Type type, const char* fallback, const char* meaning) {
  return {{name, type, fallback, meaning}, nullptr};
}

// Fields that a member function takes.
template <class Base, class T>
Property<Base> number(const char* name, const char* fallback, const char* meaning, void (T::*set)(double)) {
  return {{name, Type::Number, fallback, meaning},
          [=](Base& object, const Object& from, const Node*) { (dynamic_cast<T&>(object).*set)(from.number(name)); }};
}
template <class Base, class T, class Integer>
Property<Base> count(const char* name, const char* fallback, const char* meaning, void (T::*set)(Integer)) {
  return {{name, Type::Count, fallback, meaning}, [=](Base& object, const Object& from, const Node*) {
            (dynamic_cast<T&>(object).*set)(static_cast<Integer>(from.count(name)));
          }};
}
template <class Base, class T>
Property<Base> boolean(const char* name, const char* fallback, const char* meaning, void (T::*set)(bool)) {
  return {{name, Type::Switch, fallback, meaning},
          [=](Base& object, const Object& from, const Node*) { (dynamic_cast<T&>(object).*set)(from.boolean(name)); }};
}
// One of some words; `meaning` should list them.
template <class Base, class T, class Choice>
Property<Base> choice(const char* name, const char* fallback, const char* meaning, std::map<std::string, Choice> words,
                      void (T::*set)(Choice)) {
  return {{name, Type::Word, fallback, meaning}, [=](Base& object, const Object& from, const Node*) {
            const auto found = words.find(from.text(name));
            if (found == words.end()) {
              std::string all;
              for (const auto& [word, unused] : words) all += (all.empty() ? "" : ", ") + word;
              fail("\"%s\" is none of: %s", from.text(name).c_str(), all.c_str());
            }
            (dynamic_cast<T&>(object).*set)(found->second);
          }};
}
template <class Base, class T>
Property<Base> constant(const char* name, const char* fallback, const char* meaning, void (T::*set)(const Vector&)) {
  return {{name, Type::Vector, fallback, meaning},
          [=](Base& object, const Object&, const Node* node) { (dynamic_cast<T&>(object).*set)(node->vector()); }};
}
template <class Base, class T>
Property<Base> constant(const char* name, const char* fallback, const char* meaning, void (T::*set)(const Matrix&)) {
  return {{name, Type::Matrix, fallback, meaning},
          [=](Base& object, const Object&, const Node* node) { (dynamic_cast<T&>(object).*set)(node->matrix()); }};
}
// A constant, or a function of a plugin.
template <class Base, class T>
Property<Base> operand(const char* name, const char* fallback, const char* meaning, void (T::*set)(const Vector&),
                       void (T::*compute)(const std::string&, const std::string&)) {
  return {{name, Type::VectorOrFunction, fallback, meaning}, [=](Base& object, const Object&, const Node* node) {
            T& target = dynamic_cast<T&>(object);
            if (!isFunction(*node)) return (target.*set)(node->vector());
            const FunctionName function = functionName(*node);
            (target.*compute)(function.plugin, function.function);
          }};
}
template <class Base, class T>
Property<Base> operand(const char* name, const char* fallback, const char* meaning, void (T::*set)(const Matrix&),
                       void (T::*compute)(const std::string&, const std::string&)) {
  return {{name, Type::MatrixOrFunction, fallback, meaning}, [=](Base& object, const Object&, const Node* node) {
            T& target = dynamic_cast<T&>(object);
            if (!isFunction(*node)) return (target.*set)(node->matrix());
            const FunctionName function = functionName(*node);
            (target.*compute)(function.plugin, function.function);
          }};
}
template <class Base, class T>
Property<Base> function(const char* name, const char* fallback, const char* meaning,
                        void (T::*compute)(const std::string&, const std::string&)) {
  return {{name, Type::Function, fallback, meaning}, [=](Base& object, const Object&, const Node* node) {
            const FunctionName function = functionName(*node);
            (dynamic_cast<T&>(object).*compute)(function.plugin, function.function);
          }};
}

// The name among `known` that is nearest to a wrong one, as "; did you mean ...?", or nothing.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& known);

// --- the tables ---

const Table<DynamicalSystem>& systemTable();
const Table<NonSmoothLaw>& lawTable();
const Table<BoundaryCondition>& boundaryTable();

// Relations are made for the systems they link.
struct Linked {
  const DynamicalSystem& first;
  const DynamicalSystem* second;
};
const Table<Relation, const Linked&>& relationTable();

// Fields of contact relations that tell the geometry: exactly one of them must be given.
std::vector<Property<Relation>> spatialGeometryFields();
std::vector<Property<Relation>> planarGeometryFields();
NewtonEulerContactR::Geometry spatialGeometry(const Object& relation);
PlanarContactR::Geometry planarGeometry(const Object& relation);
// The classes of those fields, for the documentation.
const std::vector<ClassInfo>& geometryClasses();

const Table<OneStepIntegrator>& integratorTable();
const Table<OneStepNSProblem>& problemTable();
const ClassInfo& optionClass();
// Of the tables, in model_file_events.cpp.
void addEventIntegrators(Table<OneStepIntegrator>& table, const Property<OneStepIntegrator>& systems);
std::vector<Property<OneStepNSProblem>> multipleImpactFields();
void addMultipleImpact(Table<OneStepNSProblem>& table, std::vector<Property<OneStepNSProblem>> fields);

// What a simulation is made of, in the order of the file; integrators without systems take all that are left.
struct SimulationParts {
  struct Integrator {
    std::shared_ptr<OneStepIntegrator> object;
    std::vector<DynamicalSystem*> systems;
  };
  struct Problem {
    std::shared_ptr<OneStepNSProblem> object;
    std::string name;
  };
  std::shared_ptr<NonSmoothDynamicalSystem> model;
  std::shared_ptr<TimeDiscretisation> instants;
  std::vector<Integrator> integrators;
  std::vector<Problem> problems;
};
const Table<Simulation, const SimulationParts&>& simulationTable();

}  // namespace nonsmooth::kernel::model_file
