// Quantities by name: "q[0] of ball, lambda of floor, kinetic_energy".
#include <algorithm>
#include <charconv>
#include <span>
#include <unordered_map>

#include "nonsmooth/kernel/model_file.hpp"

namespace nonsmooth::kernel {
namespace {

// One item of the list, taken apart.
struct Request {
  std::string item, name, of;
  Index index = -1;
};

std::string trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return "";
  return std::string(text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1));
}

[[noreturn]] void refuse(const std::string& item, const std::string& why) { throw Error("quantity \"" + item + "\": " + why); }

Request parse(const std::string& item) {
  Request request;
  request.item = item;
  std::string quantity = item;
  if (const std::size_t of = item.find(" of "); of != std::string::npos) {
    quantity = trimmed(item.substr(0, of));
    request.of = trimmed(item.substr(of + 4));
  }
  const std::size_t bracket = quantity.find('[');
  request.name = trimmed(quantity.substr(0, bracket));
  if (bracket == std::string::npos) return request;
  const char* first = quantity.data() + bracket + 1;
  const char* last = quantity.data() + quantity.size() - 1;
  const auto [end, error] = std::from_chars(first, std::max(first, last), request.index);
  if (quantity.back() != ']' || error != std::errc() || end != last || request.index < 0)
    refuse(item, "an index is a whole number in brackets");
  return request;
}

std::vector<std::string> itemsOf(const std::string& list) {
  std::vector<std::string> items;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (std::string item = trimmed(std::string_view(list).substr(at, end - at)); !item.empty()) items.push_back(std::move(item));
    at = end + 1;
  }
  return items;
}

using View = std::function<VectorView()>;

// Null where a system of its kind has no such quantity.
View viewOf(const LoadedModel::NamedSystem& system, const std::string& name) {
  DynamicalSystem* ds = system.object.get();
  const bool first_order = ds->kind() == SystemKind::FirstOrder;
  const Motion input = first_order ? Motion::input0 : inputField(system.level);
  if (name == "q" && !first_order) return [ds] { return ds->coordinates(Coordinate::q); };
  if (name == (first_order ? "x" : "v")) return [ds] { return ds->motion(Motion::v); };
  if (name == "p") return [ds, input] { return ds->motion(input); };
  return nullptr;
}

View viewOf(const LoadedModel::NamedInteraction& interaction, const std::string& name) {
  Interaction* object = interaction.object.get();
  static constexpr const char* outputs[] = {"y", "ydot", "yddot"};
  for (int level = 0; level < 3; ++level) {
    if (name == outputs[level]) return [object, level] { return object->y(level); };
    if (name == "lambda" + std::to_string(level)) return [object, level] { return object->lambda(level); };
  }
  if (name == "lambda") return [object, level = interaction.level] { return object->lambda(level); };
  return nullptr;
}

void addComponents(std::vector<Quantity>& result, const Request& request, const std::string& id, const View& view) {
  const Index size = view().size();
  if (request.index >= size) refuse(request.item, "it has " + std::to_string(size) + " components, counted from 0");
  // Component 0 of lambda1 is no component 10 of lambda.
  const char last = request.name.back();
  const std::string column = id + "_" + request.name + (last >= '0' && last <= '9' ? "_" : "");
  for (Index k = std::max<Index>(request.index, 0); k < (request.index < 0 ? size : request.index + 1); ++k)
    result.push_back(
        {request.name + "[" + std::to_string(k) + "] of " + id, column + std::to_string(k), [view, k] { return view()[k]; }});
}

// Lists may name thousands of objects one by one.
template <class Entry>
class Named {
 public:
  explicit Named(const std::vector<Entry>& entries) : entries_(entries) {
    for (std::size_t k = 0; k < entries.size(); ++k) place_.emplace(entries[k].id, k);
  }
  // All of them where no name is given.
  std::span<const Entry> find(const std::string& name) const {
    if (name.empty()) return entries_;
    const auto found = place_.find(name);
    return found == place_.end() ? std::span<const Entry>() : entries_.subspan(found->second, 1);
  }

 private:
  std::span<const Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> place_;
};

template <class Entry>
bool addObjects(std::vector<Quantity>& result, const Request& request, const Named<Entry>& objects, bool& known_object) {
  bool found = false;
  for (const Entry& entry : objects.find(request.of)) {
    known_object = true;
    if (const View view = viewOf(entry, request.name)) addComponents(result, request, entry.id, view), found = true;
  }
  return found;
}

bool addOfRun(std::vector<Quantity>& result, const Request& request, const LoadedModel& loaded) {
  const Simulation* simulation = loaded.simulation.get();
  const NonSmoothDynamicalSystem* model = loaded.model.get();
  std::function<double()> value;
  if (request.name == "kinetic_energy") value = [model] { return model->kineticEnergy(); };
  if (request.name == "violation") value = [simulation] { return simulation->status().violation; };
  if (request.name == "active_contacts")
    value = [simulation] { return static_cast<double>(simulation->status().activeContacts); };
  if (request.name == "newton_iterations") value = [simulation] { return simulation->status().newtonIterations; };
  if (request.name == "residual") value = [simulation] { return simulation->status().solve.residual; };
  if (!value) return false;
  if (!request.of.empty() || request.index >= 0) refuse(request.item, "it belongs to the run and has no components");
  result.push_back({request.name, request.name, std::move(value)});
  return true;
}

}  // namespace

std::vector<Quantity> findQuantities(const LoadedModel& loaded, const std::string& list) {
  std::vector<Quantity> result;
  std::vector<std::string> items = itemsOf(list);
  const bool everything = items.empty();
  if (everything) items = {"q", "v", "x", "y", "lambda"};
  const Named systems(loaded.systems);
  const Named interactions(loaded.interactions);
  for (const std::string& item : items) {
    const Request request = parse(item);
    if (addOfRun(result, request, loaded)) continue;
    bool known_object = request.of.empty();
    const bool of_systems = addObjects(result, request, systems, known_object);
    const bool of_interactions = addObjects(result, request, interactions, known_object);
    if (!known_object) refuse(item, "no system or interaction is named \"" + request.of + "\"");
    if (of_systems || of_interactions || everything) continue;
    const std::string reason = request.of.empty() ? "nothing in the model has it" : "\"" + request.of + "\" has none";
    refuse(item, reason + "; known are " + quantity_names);
  }
  return result;
}

}  // namespace nonsmooth::kernel
