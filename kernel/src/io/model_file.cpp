#include "nonsmooth/kernel/model_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unordered_map>
#include <unordered_set>

#include "io/fnv1a.hpp"
#include "io/model_file_structure.hpp"

namespace nonsmooth::kernel {
namespace model_file {
namespace {

constexpr Index longest_law = 10000;  // rows of one interaction: its matrices are dense

// Builds the objects of one file, in the order in which they need each other.
class Builder {
 public:
  explicit Builder(const Node& root) : root_(root) {}

  LoadedModel build() {
    if (root_.name != model_class.name)
      root_.refuse("the root is " + std::string(model_class.name) + suggestion(root_.name, {model_class.name}));
    std::vector<std::string> simulations;
    addNames(simulations, simulationTable());
    const Object model(root_, model_class, simulations);
    if (model.count("version") != 1) model.find("version")->refuse("this program reads version 1");
    loaded_.title = model.has("title") ? model.text("title") : "";
    loaded_.description = model.has("description") ? model.text("description") : "";
    loaded_.model =
        at(root_, [&] { return std::make_shared<NonSmoothDynamicalSystem>(model.number("t0"), model.number("T", true)); });
    const Node& nsds = *model.find("NonSmoothDynamicalSystem");
    buildSystems(nsds);
    buildInteractions(nsds);
    buildSimulation(simulations);
    loaded_.outputs = requests(output_class);
    loaded_.plots = requests(plot_class);
    return std::move(loaded_);
  }

 private:
  void buildSystems(const Node& nsds) {
    std::vector<std::string> names;
    addNames(names, systemTable());
    const Object checked(nsds, nsds_class, names);
    for (const auto& child : nsds.children) {
      const auto* entry = findClass(systemTable(), child->name);
      if (entry == nullptr) continue;
      auto system = entry->build(*child);
      const std::string id = nameOf(*child);
      if (!systems_.emplace(id, loaded_.systems.size()).second)
        child->find("id")->refuse("\"" + id + "\" is the name of another system");
      at(*child, [&] { loaded_.model->insertDynamicalSystem(system); });
      loaded_.systems.push_back({id, system, 0});
    }
    if (loaded_.systems.empty()) nsds.refuse("a model needs a system");
  }

  static std::string nameOf(const Node& node) {
    const Node& id = *node.find("id");
    const std::string name = id.words();
    // Lists of quantities and columns of tables are made of names.
    if (name.empty() || name.find_first_of(" \t\r\n,[]/\"") != std::string::npos)
      id.refuse("a name has no blanks, commas, brackets, slashes and quotation marks, and at least one letter");
    return name;
  }

  LoadedModel::NamedSystem& systemNamed(const Node& field, const std::string& id) {
    const auto found = systems_.find(id);
    if (found == systems_.end()) {
      std::vector<std::string> names;
      for (const auto& system : loaded_.systems) names.push_back(system.id);
      field.refuse("no system is named \"" + id + "\"" + suggestion(id, names));
    }
    return loaded_.systems[found->second];
  }

  void buildInteractions(const Node& nsds) {
    std::vector<std::string> names;
    addNames(names, lawTable());
    addNames(names, relationTable());
    std::unordered_set<std::string> used;
    for (const auto& child : nsds.children) {
      if (child->name != interaction_class.name) continue;
      const Object object(*child, interaction_class, names);
      const std::string id = nameOf(*child);
      if (!used.insert(id).second) child->find("id")->refuse("\"" + id + "\" is the name of another interaction");
      buildInteraction(object, id);
    }
  }

  void buildInteraction(const Object& object, const std::string& id) {
    const Node& node = object.node();
    const Node& field = *object.find("systems");
    const std::vector<std::string> linked = object.list("systems");
    if (linked.empty() || linked.size() > 2) field.refuse(std::to_string(linked.size()) + " systems, 1 or 2 expected");
    LoadedModel::NamedSystem& first = systemNamed(field, linked[0]);
    LoadedModel::NamedSystem* second = linked.size() > 1 ? &systemNamed(field, linked[1]) : nullptr;
    std::shared_ptr<NonSmoothLaw> law;
    std::shared_ptr<Relation> relation;
    for (const auto& child : node.children) {
      if (const auto* entry = findClass(lawTable(), child->name)) {
        if (law) child->refuse("an interaction has one law");
        law = entry->build(*child);
        if (law->size() > longest_law) child->refuse("more than " + std::to_string(longest_law) + " rows");
      } else if (const auto* other = findClass(relationTable(), child->name)) {
        if (relation) child->refuse("an interaction has one relation");
        relation = other->build(*child, Linked{*first.object, second != nullptr ? second->object.get() : nullptr});
      }
    }
    if (!law || !relation) node.refuse(law ? "the relation is missing" : "the law is missing");
    auto interaction = std::make_shared<Interaction>(law, relation);
    at(node, [&] {
      if (second == nullptr)
        loaded_.model->link(interaction, first.object);
      else
        loaded_.model->link(interaction, first.object, second->object);
    });
    loaded_.interactions.push_back({id, interaction, 0});
    first_system_.push_back(systems_.at(linked[0]));
  }

  std::shared_ptr<TimeDiscretisation> buildInstants(const Node& node) {
    const Object from(node, instants_class);
    NonSmoothDynamicalSystem& model = *loaded_.model;
    const bool h = from.has("h"), steps = from.has("nSteps"), instants = from.has("instants");
    if (instants ? h || steps : !h && !steps) node.refuse("one of \"h\", \"nSteps\" and \"instants\" is needed, or h and nSteps");
    return at(node, [&] {
      const double T = model.finalT();  // h and nSteps replace it
      const auto count = steps ? static_cast<unsigned>(from.count("nSteps")) : 0u;
      if (count > 0 && !h && !std::isfinite(T)) node.refuse("nSteps without h needs the final time T of the Model");
      std::shared_ptr<TimeDiscretisation> result;
      if (instants) {
        const Vector times = from.vector("instants");
        if (times[0] != model.t0()) node.refuse("the first instant is not t0");
        result = std::make_shared<TimeDiscretisation>(std::vector<double>(times.begin(), times.end()));
      } else if (h && steps) {
        result = std::make_shared<TimeDiscretisation>(from.number("h"), count, loaded_.model);
      } else if (h) {
        result = std::make_shared<TimeDiscretisation>(model.t0(), from.number("h"));
      } else {
        result = std::make_shared<TimeDiscretisation>(count, model.t0(), T);
      }
      const bool beyond = h && steps && result->numberOfSteps(T) < static_cast<long>(count);
      if (std::isfinite(T) && (beyond || !result->reaches(T)))
        fail("the last instant is %.9g, the final time T of the Model %.9g", result->lastInstant(), T);
      return result;
    });
  }

  void buildSimulation(const std::vector<std::string>& names) {
    const Node* node = nullptr;
    for (const auto& child : root_.children)
      if (findClass(simulationTable(), child->name) != nullptr) {
        if (node != nullptr) child->refuse("a model has one simulation");
        node = child.get();
      }
    if (node == nullptr) {
      std::string all;
      for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
      root_.refuse("a simulation is missing: " + all);
    }
    const auto& entry = *findClass(simulationTable(), node->name);
    const SimulationParts parts = buildParts(*node, entry);
    loaded_.simulation = at(*node, [&] {
      auto simulation = entry.build(*node, parts);
      simulation->initialize();
      evaluateOutputs();
      return simulation;
    });
    for (std::size_t k = 0; k < loaded_.interactions.size(); ++k)
      loaded_.interactions[k].level = loaded_.systems[first_system_[k]].level;
  }

  SimulationParts buildParts(const Node& node, const Class<Simulation, const SimulationParts&>& entry) {
    const Object checked(node, entry.info, entry.inner);
    SimulationParts parts;
    parts.model = loaded_.model;
    const Node* instants = checked.find(instants_class.name);
    if (instants == nullptr) node.refuse(std::string("field \"") + instants_class.name + "\" is missing");
    for (const auto& child : node.children)
      if (child->name == instants_class.name && child.get() != instants) child->refuse("given twice");
    parts.instants = buildInstants(*instants);
    std::vector<bool> taken(loaded_.systems.size(), false);
    for (const auto& child : node.children) {
      if (const auto* integrator = findClass(integratorTable(), child->name))
        parts.integrators.push_back({integrator->build(*child), take(*child, taken)});
      else if (const auto* problem = findClass(problemTable(), child->name))
        parts.problems.push_back(buildProblem(*child, *problem));
    }
    if (parts.integrators.empty()) node.refuse("an integrator is missing");
    setLevels(parts);
    return parts;
  }

  static SimulationParts::Problem buildProblem(const Node& node, const Class<OneStepNSProblem>& entry) {
    auto problem = entry.build(node);
    at(node, [&] { problem->checkSolver(); });
    return {problem, Object(node, entry.info).text("name")};
  }

  // The systems an integrator names; a system has one integrator.
  std::vector<DynamicalSystem*> take(const Node& integrator, std::vector<bool>& taken) {
    std::vector<DynamicalSystem*> result;
    const Node* field = integrator.find("systems");
    if (field == nullptr) return result;
    for (const std::string& id : field->list()) {
      LoadedModel::NamedSystem& system = systemNamed(*field, id);
      const auto place = static_cast<std::size_t>(&system - loaded_.systems.data());
      if (taken[place]) field->refuse("\"" + id + "\" has an integrator already");
      taken[place] = true;
      result.push_back(system.object.get());
    }
    if (result.empty()) field->refuse("no system is named");
    return result;
  }

  // The level at which each system is integrated; those named nowhere belong to the integrator without systems.
  void setLevels(const SimulationParts& parts) {
    for (const auto& [integrator, of] : parts.integrators)
      for (auto& system : loaded_.systems)
        if (of.empty()) system.level = integrator->level();
    for (const auto& [integrator, of] : parts.integrators)
      for (const DynamicalSystem* system : of)
        loaded_.systems[static_cast<std::size_t>(system->number())].level = integrator->level();
  }

  // y and y' of all interactions at t0; the steps compute them from then on.
  void evaluateOutputs() {
    NonSmoothDynamicalSystem& model = *loaded_.model;
    for (InteractionRecord& record : model.records()) {
      const bool is_mechanical = record.relation->family() != RelationFamily::FirstOrder;
      model.evaluateOutputs(record, model.point(record, model.t0(), 0), is_mechanical);
    }
  }

  std::vector<OutputRequest> requests(const ClassInfo& info) {
    std::vector<OutputRequest> result;
    for (const auto& child : root_.children) {
      if (child->name != info.name) continue;
      const Object object(*child, info);
      OutputRequest request;
      if (object.has("file")) request.file = object.text("file");
      if (object.has("quantities")) request.quantities = object.text("quantities");
      if (object.has("title")) request.title = object.text("title");
      if (object.has("every")) request.every = static_cast<long>(object.count("every"));
      if (request.every < 1) object.find("every")->refuse("a row every 0 steps");
      at(*child, [&] { findQuantities(loaded_, request.quantities); });
      result.push_back(std::move(request));
    }
    return result;
  }

  const Node& root_;
  LoadedModel loaded_;
  std::unordered_map<std::string, std::size_t> systems_;
  std::vector<std::size_t> first_system_;  // of the interactions
};

std::string readFile(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > largest_file)
    refuseFile(path, 0, std::to_string(size) + " bytes, more than the " + std::to_string(largest_file) + " that are read");
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, error))
    refuseFile(path, 0, std::string("cannot be read: ") + std::strerror(file ? EISDIR : errno));
  std::string text;
  char buffer[65536];
  while (file.read(buffer, sizeof buffer), file.gcount() > 0) {
    text.append(buffer, static_cast<std::size_t>(file.gcount()));
    if (text.size() > largest_file) refuseFile(path, 0, "more than the " + std::to_string(largest_file) + " bytes that are read");
  }
  if (file.bad()) refuseFile(path, 0, std::string("cannot be read: ") + std::strerror(errno));
  return text;
}

// Bytes of the UTF-8 character at the start of the text; 0 where there is none (RFC 3629: no surrogates, nothing longer than
// needed).
std::size_t characterSize(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xC2 && first < 0xE0   ? 2
                           : first >= 0xE0 && first < 0xF0 ? 3
                           : first >= 0xF0 && first < 0xF5 ? 4
                                                           : 0;
  for (std::size_t k = 1; k < size; ++k)
    if ((byte(k) & 0xC0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool refused = (first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) ||
                       (first == 0xF0 && second < 0x90) || (first == 0xF4 && second >= 0x90);
  return refused ? 0 : size;
}

void requireText(std::string_view text, const std::string& name) {
  if (text.find('\0') != std::string_view::npos) refuseFile(name, 0, "not a text: it has bytes of value 0");
  for (std::size_t at = 0, size; at < text.size(); at += size)
    if (size = characterSize(text.substr(at)); size == 0) {
      char byte[8];
      std::snprintf(byte, sizeof byte, "0x%02x", static_cast<unsigned>(static_cast<unsigned char>(text[at])));
      refuseFile(name, 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'),
                 std::string("not UTF-8: byte ") + byte);
    }
}

LoadedModel read(std::string_view text, const std::string& name, const std::string& folder) {
  Document document{.file = name, .folder = folder, .root = nullptr};
  requireText(text, name);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) refuseFile(name, 0, "the file is empty");
  if (text[start] == '<')
    parseXml(text, document);
  else if (text[start] == '{')
    parseJson(text, document);
  else
    refuseFile(name, 1, "neither XML nor JSON: it starts with neither < nor {");
  LoadedModel result = Builder(*document.root).build();
  result.fingerprint = std::to_string(fnv1a(text));
  return result;
}

}  // namespace
}  // namespace model_file

namespace {

template <class Entries>
auto& named(const Entries& entries, const std::string& id, const char* kind) {
  for (const auto& entry : entries)
    if (entry.id == id) return *entry.object;
  fail("no %s is named \"%s\"", kind, id.c_str());
}

}  // namespace

DynamicalSystem& LoadedModel::dynamicalSystem(const std::string& id) const { return named(systems, id, "system"); }
Interaction& LoadedModel::interaction(const std::string& id) const { return named(interactions, id, "interaction"); }

LoadedModel readModel(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return model_file::read(model_file::readFile(path), path, folder.empty() ? "." : folder);
}

LoadedModel readModelText(std::string_view text, const std::string& name) { return model_file::read(text, name, "."); }

}  // namespace nonsmooth::kernel
