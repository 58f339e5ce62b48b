// The schema as JSON, for the documentation.
#include <nlohmann/json.hpp>

#include "io/model_file_structure.hpp"
#include "nonsmooth/kernel/model_file.hpp"

namespace nonsmooth::kernel {
namespace model_file {
namespace {

void add(std::string& text, const char* kind, const ClassInfo& info, const std::vector<std::string>& inner = {}) {
  nlohmann::ordered_json line = {{"kind", kind}, {"class", info.name}, {"meaning", info.meaning}};
  line["fields"] = nlohmann::ordered_json::array();
  for (const Field& field : info.fields) {
    nlohmann::ordered_json entry = {{"name", field.name}, {"type", name(field.type)}, {"required", field.fallback == required}};
    if (field.fallback != required && *field.fallback != '\0') entry["default"] = field.fallback;
    entry["repeated"] = field.repeated;
    entry["meaning"] = field.meaning;
    line["fields"].push_back(std::move(entry));
  }
  line["inner"] = inner;
  text += line.dump() + "\n";
}

template <class Entry>
void addAll(std::string& text, const char* kind, const std::vector<Entry>& table) {
  for (const Entry& entry : table) add(text, kind, entry.info, entry.inner);
}

}  // namespace
}  // namespace model_file

std::string modelSchema() {
  using namespace model_file;
  std::string text;
  add(text, "structure", model_class);
  add(text, "structure", nsds_class);
  addAll(text, "system", systemTable());
  addAll(text, "boundary condition", boundaryTable());
  add(text, "structure", interaction_class);
  addAll(text, "law", lawTable());
  addAll(text, "relation", relationTable());
  for (const ClassInfo& info : geometryClasses()) add(text, "geometry", info);
  add(text, "value", operatorClass());
  add(text, "value", functionClass());
  addAll(text, "simulation", simulationTable());
  add(text, "structure", instants_class);
  addAll(text, "integrator", integratorTable());
  addAll(text, "problem", problemTable());
  add(text, "structure", optionClass());
  add(text, "structure", output_class);
  add(text, "structure", plot_class);
  return text;
}

}  // namespace nonsmooth::kernel
