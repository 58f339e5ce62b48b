#include "nonsmooth/kernel/csv_trajectory.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <limits>

namespace nonsmooth::kernel {
namespace {

constexpr const char* contact_columns =
    "t,interaction,generation,tag,system1,system2,active,level,gap,x,y,z,nx,ny,nz,impulse_x,impulse_y,impulse_z,rows,"
    "velocities,multipliers\n";

std::string besides(const std::string& path) {
  const auto dot = path.rfind(".csv");
  return (dot != std::string::npos && dot + 4 == path.size() ? path.substr(0, dot) : path) + "_contacts.csv";
}

void append(std::string& text, double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  text.append(buffer, end);
}

void append(std::string& text, const Vector3& vector) {
  for (const double value : vector) {
    text += ",";
    append(text, value);
  }
}

// Any number of values in one cell.
void appendList(std::string& text, const VectorView& values) {
  for (Index k = 0; k < values.size(); ++k) {
    text += k == 0 ? "," : " ";
    append(text, values[k]);
  }
}

}  // namespace

class CsvTrajectory::Text {
 public:
  explicit Text(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "w")) {
    if (file_ == nullptr) fail("%s: %s", path_.c_str(), std::strerror(errno));
  }
  ~Text() { std::fclose(file_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  void write(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
      fail("%s: %s", path_.c_str(), std::strerror(errno));
  }

 private:
  std::string path_;
  std::FILE* file_;
};

CsvTrajectory::CsvTrajectory(const std::string& path) : Trajectory(path), rows_(std::make_unique<Text>(path)) {}

CsvTrajectory::~CsvTrajectory() = default;

void CsvTrajectory::addSystems(const Simulation& simulation, bool with_forces) {
  for (const DynamicalSystem* system : simulation.nonSmoothDynamicalSystem().systems()) {
    if (system == nullptr) continue;
    const std::string prefix = "system" + std::to_string(system->number());
    addSystem(prefix, *system);
    if (!with_forces) continue;
    const bool first_order = system->kind() == SystemKind::FirstOrder;
    const Motion input = first_order ? Motion::input0 : Motion::input1;
    for (Index k = 0; k < system->dimension(); ++k) {
      addColumn(prefix + "_force" + std::to_string(k), [system, k] { return system->motion(Motion::force)[k]; });
      addColumn(prefix + "_input" + std::to_string(k), [system, k, input] { return system->motion(input)[k]; });
    }
  }
}

void CsvTrajectory::addContacts(const Simulation& simulation, ContactChoice choice) {
  requireOpen();
  contacts_of_ = &simulation;
  choice_ = choice;
  contact_rows_ = std::make_unique<Text>(besides(path()));
}

void CsvTrajectory::addSteps(const Simulation& simulation) {
  for (const StepFigure& figure : stepFigures())
    addColumn(figure.name, [&simulation, value = figure.value] { return value(simulation.status()); });
}

void CsvTrajectory::recordContacts(double time) {
  std::string text = started_ ? "" : contact_columns;
  const Vector3 unknown = Vector3::Constant(std::numeric_limits<double>::quiet_NaN());
  forEachContact(*contacts_of_, choice_, [&](const ContactState& contact) {
    const Interaction& interaction = contact.interaction;
    append(text, time);
    for (const long long number :
         {static_cast<long long>(interaction.handle().index), static_cast<long long>(interaction.handle().generation),
          static_cast<long long>(interaction.tag()), static_cast<long long>(contact.system[0]),
          static_cast<long long>(contact.system[1]), static_cast<long long>(contact.active),
          static_cast<long long>(contact.level)})
      text += "," + std::to_string(number);
    text += ",";
    append(text, interaction.y(0)[0]);
    append(text, contact.frame ? contact.frame->point1 : unknown);
    append(text, contact.frame ? contact.frame->normal : unknown);
    append(text, contact.frame ? contact.impulse() : unknown);
    text += "," + std::to_string(interaction.dimension());
    if (contact.mechanical)
      appendList(text, interaction.y(1));
    else
      text += ",";
    appendList(text, interaction.lambda(contact.level));
    text += "\n";
  });
  contact_rows_->write(text);
}

void CsvTrajectory::record(double time) {
  std::string text;
  if (!started_) {
    text = "t";
    for (const Column& column : columns()) text += "," + column.name;
    text += "\n";
  }
  append(text, time);
  for (const Column& column : columns()) {
    text += ",";
    append(text, column.value());
  }
  if (contacts_of_ != nullptr) recordContacts(time);
  started_ = true;
  rows_->write(text + "\n");
}

}  // namespace nonsmooth::kernel
