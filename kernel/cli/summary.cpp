// The account of a run, for people and for programs.
#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <nonsmooth/kernel/event_driven.hpp>

#include "common.hpp"
#include "run.hpp"

namespace cli {
namespace {

using namespace nonsmooth::kernel;

__attribute__((format(printf, 3, 4))) void line(std::string& text, const char* name, const char* format, ...) {
  char buffer[600];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(buffer, sizeof buffer, format, values);
  va_end(values);
  char padded[24];
  std::snprintf(padded, sizeof padded, "%-13s", name);
  text += std::string(padded) + buffer + "\n";
}

std::string duration(double seconds) {
  char text[48];
  if (seconds < 1e-3)
    std::snprintf(text, sizeof text, "%.3g us", 1e6 * seconds);
  else if (seconds < 1)
    std::snprintf(text, sizeof text, "%.3g ms", 1e3 * seconds);
  else
    std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

constexpr int kinds_of_events = static_cast<int>(ContactEvent::Jammed) + 1;

// "3 impact, 1 closing" of contacts.
std::string contactEvents(const EventDriven& simulation) {
  std::string text;
  for (int k = 0; k < kinds_of_events; ++k)
    if (const auto kind = static_cast<ContactEvent>(k); simulation.count(kind) > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(simulation.count(kind)) + " " + name(kind);
  return text.empty() ? "of contacts none" : "of contacts: " + text;
}

}  // namespace

std::string summaryText(const LoadedModel& loaded, const RunRequest& request, const Account& account) {
  std::string text;
  line(text, "model", "%s",
       loaded.title.empty() ? request.model_file.c_str()
                            : (programs::one_line(loaded.title) + " (" + request.model_file + ")").c_str());
  line(text, "size", "%s, %s", counted(loaded.systems.size(), "system").c_str(),
       counted(loaded.interactions.size(), "interaction").c_str());
  const auto* events = dynamic_cast<const EventDriven*>(loaded.simulation.get());
  line(text, "time", "from %.6g to %.6g s in %ld %s%s", account.start, account.end, account.steps, events ? "events" : "steps",
       account.interrupted ? ", interrupted" : "");
  if (events != nullptr) line(text, "events", "%s", contactEvents(*events).c_str());
  if (!account.first_bad)
    line(text, "certified", "all steps");
  else
    line(text, "certified", "%ld of %ld steps; the first that was not is step %ld (t = %.9g s): %s", account.certified,
         account.steps + (account.ended_early ? 1 : 0), account.first_bad->step, account.first_bad->time,
         account.first_bad->reason.c_str());
  line(text, "residual", "%.3g at most, of the certificates", account.residual);
  if (!loaded.interactions.empty())
    line(text, "contacts", "%ld active at most; constraints violated by %.3g at most", account.most_contacts, account.violation);
  if (account.newton_iterations > account.steps) line(text, "Newton", "%ld iterations", account.newton_iterations);
  if (account.halved > 0) line(text, "halved", "%ld steps", account.halved);
  if (account.energy_at_start > 0 || account.energy_at_end > 0)
    line(text, "energy", "kinetic, %.6g J at the start, %.6g J at the end", account.energy_at_start, account.energy_at_end);
  const auto& p = account.phases;
  line(text, "run time", "%s, %s a step: free state %s, index sets %s, assembly %s, solver %s, update %s",
       duration(account.wall_seconds).c_str(),
       duration(account.steps > 0 ? account.wall_seconds / static_cast<double>(account.steps) : 0).c_str(),
       duration(p.freeState).c_str(), duration(p.detection).c_str(), duration(p.assembly).c_str(), duration(p.solver).c_str(),
       duration(p.update).c_str());
  for (const auto& [file, rows] : account.written)
    rows >= 0 ? line(text, "written", "%s, %ld rows", file.c_str(), rows) : line(text, "written", "%s", file.c_str());
  return text;
}

std::string summaryJson(const LoadedModel& loaded, const RunRequest& request, const Account& account) {
  nlohmann::ordered_json json = {{"model", request.model_file}, {"title", loaded.title}};
  json["systems"] = loaded.systems.size();
  json["interactions"] = loaded.interactions.size();
  json["start"] = account.start;
  json["end"] = account.end;
  json["steps"] = account.steps;
  json["certified_steps"] = account.certified;
  json["ended_early"] = account.ended_early;
  json["interrupted"] = account.interrupted;
  if (account.first_bad)
    json["first_not_certified"] = {
        {"step", account.first_bad->step}, {"time", account.first_bad->time}, {"reason", account.first_bad->reason}};
  json["residual"] = account.residual;
  json["violation"] = account.violation;
  json["active_contacts"] = account.most_contacts;
  json["newton_iterations"] = account.newton_iterations;
  json["halved_steps"] = account.halved;
  if (const auto* events = dynamic_cast<const EventDriven*>(loaded.simulation.get())) {
    auto& kinds = json["contact_events"] = nlohmann::ordered_json::object();
    for (int k = 0; k < kinds_of_events; ++k)
      kinds[name(static_cast<ContactEvent>(k))] = events->count(static_cast<ContactEvent>(k));
  }
  json["kinetic_energy"] = {account.energy_at_start, account.energy_at_end};
  json["seconds"] = {
      {"run", account.wall_seconds},         {"free_state", account.phases.freeState}, {"index_sets", account.phases.detection},
      {"assembly", account.phases.assembly}, {"solver", account.phases.solver},        {"update", account.phases.update}};
  json["written"] = nlohmann::ordered_json::array();
  for (const auto& [file, rows] : account.written) json["written"].push_back(file);
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace cli
