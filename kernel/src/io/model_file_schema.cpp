#include "io/model_file_schema.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

namespace nonsmooth::kernel::model_file {
namespace {

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

// Insertions, removals and changes of letters from one word to the other (Levenshtein 1966), whatever their case.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

constexpr std::size_t longest_name = 64;  // of a field, for suggestions

const Field& fieldOf(const ClassInfo& info, const std::string& name) {
  for (const Field& field : info.fields)
    if (field.name == name) return field;
  fail("the schema has no field %s of %s", name.c_str(), info.name);
}

}  // namespace

const char* name(Type type) {
  switch (type) {
    case Type::Number: return "number";
    case Type::Count: return "count";
    case Type::Switch: return "true or false";
    case Type::Text: return "text";
    case Type::Word: return "word";
    case Type::NumberOrWord: return "number or word";
    case Type::List: return "words";
    case Type::Vector: return "vector";
    case Type::Matrix: return "matrix";
    case Type::Operator: return "operator";
    case Type::Function: return "function";
    case Type::VectorOrFunction: return "vector or function";
    case Type::MatrixOrFunction: return "matrix or function";
    case Type::OperatorOrFunction: return "operator or function";
    case Type::Object: return "object";
  }
  return "";
}

std::string suggestion(const std::string& wrong, const std::vector<std::string>& known) {
  if (wrong.size() > longest_name) return "";
  std::size_t least = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  std::string nearest;
  for (const std::string& name : known)
    if (const std::size_t d = distance(wrong, name); d < least) least = d, nearest = name;
  return nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?";
}

Object::Object(const Node& node, const ClassInfo& info, const std::vector<std::string>& inner) : node_(node), info_(info) {
  if (node.value != Node::Value::None)
    node.refuse(std::string("an object with the fields of ") + info.name + " is needed, not a value");
  const auto isRepeated = [&](const Node& child) {
    if (std::find(inner.begin(), inner.end(), child.name) != inner.end()) return true;
    for (const Field& field : info.fields)
      if (field.name == child.name) return field.repeated;
    std::set<std::string> names(inner.begin(), inner.end());
    for (const Field& field : info.fields) names.insert(field.name);
    child.refuse("unknown field of " + std::string(info.name) + suggestion(child.name, {names.begin(), names.end()}));
  };
  std::set<std::string_view> seen;
  for (const auto& child : node.children)
    if (const bool again = isRepeated(*child); !seen.insert(child->name).second && !again) child->refuse("given twice");
  for (const auto& child : node.none)
    if (!isRepeated(*child)) child->refuse("the value is missing: the array is empty");
  for (const Field& field : info.fields)
    if (field.fallback == required && !seen.contains(field.name))
      node.refuse(std::string("field \"") + field.name + "\" is missing");
}

// What `read` makes of the field, or of the default that the table has for it.
template <class Read>
auto Object::valueOr(const char* field, Read read) const {
  if (const Node* given = find(field)) return read(*given);
  Node fallback(*node_.document, nullptr, field, node_.line);
  fallback.setText(fieldOf(info_, field).fallback);
  return read(fallback);
}

double Object::number(const char* field, bool infinite) const {
  return valueOr(field, [&](const Node& value) { return value.number(infinite); });
}
Index Object::count(const char* field) const {
  return valueOr(field, [](const Node& value) { return value.count(); });
}
bool Object::boolean(const char* field) const {
  return valueOr(field, [](const Node& value) { return value.boolean(); });
}
std::string Object::text(const char* field) const {
  return valueOr(field, [](const Node& value) { return value.words(); });
}
std::vector<std::string> Object::list(const char* field) const {
  return valueOr(field, [](const Node& value) { return value.list(); });
}

Vector Object::vector(const char* field) const {
  const Node* value = find(field);
  return value == nullptr ? Vector() : value->vector();
}

Matrix Object::matrix(const char* field) const {
  const Node* value = find(field);
  return value == nullptr ? Matrix() : value->matrix();
}

LinearOperator Object::linearOperator(const char* field, Index size) const {
  const Node* value = find(field);
  if (value == nullptr) return {};
  if (value->children.empty()) return value->matrix();
  const Object stored(*value, operatorClass());
  if (stored.has("diagonal") == stored.has("triplets")) value->refuse("one of \"diagonal\" and \"triplets\" is needed");
  if (stored.has("diagonal")) return Diagonal(stored.vector("diagonal"));
  const Node& entries = *stored.find("triplets");
  const Matrix rows = entries.matrix();
  if (rows.cols() != 3) entries.refuse("rows of 3 numbers are needed: row, column, value");
  std::vector<Eigen::Triplet<double>> triplets;
  for (Index k = 0; k < rows.rows(); ++k) {
    const auto index = [&](Index column) {
      const double place = rows(k, column);
      if (!(place >= 0 && place < static_cast<double>(size)) || place != static_cast<double>(static_cast<Index>(place)))
        entries.refuse("row " + std::to_string(k + 1) + ": indices go from 0 to " + std::to_string(size - 1));
      return static_cast<int>(place);
    };
    triplets.emplace_back(index(0), index(1), rows(k, 2));
  }
  SparseMatrix sparse(size, size);
  sparse.setFromTriplets(triplets.begin(), triplets.end());
  return sparse;
}

const ClassInfo& functionClass() {
  static const ClassInfo info{"function",
                              "a function of a plugin",
                              {{"plugin", Type::Text, required, "shared library, beside the model file or found by the loader"},
                               {"function", Type::Text, required, "name in it"}}};
  return info;
}

const ClassInfo& operatorClass() {
  static const ClassInfo info{"operator",
                              "a square matrix that is not written in full",
                              {{"diagonal", Type::Vector, none, "its diagonal, all else zero"},
                               {"triplets", Type::Matrix, none, "rows of row, column (from 0) and value; equal places add up"}}};
  return info;
}

bool isFunction(const Node& node) { return node.find("plugin") != nullptr || node.find("function") != nullptr; }

FunctionName functionName(const Node& node) {
  const Object object(node, functionClass());
  FunctionName result{object.text("plugin"), object.text("function")};
  // Beside the model file first; a name that is not there is the loader's business.
  const std::filesystem::path beside = std::filesystem::path(node.document->folder) / result.plugin;
  const std::filesystem::path candidates[] = {beside, beside.string() + ".so"};
  for (const auto& path : candidates)
    if (std::error_code error; std::filesystem::is_regular_file(path, error)) {
      result.plugin = std::filesystem::absolute(path).string();
      break;
    }
  return result;
}

}  // namespace nonsmooth::kernel::model_file
