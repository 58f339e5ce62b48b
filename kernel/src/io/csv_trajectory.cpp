#include "nonsmooth/kernel/csv_trajectory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
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

// Without a buffer of its own: what a full disk has taken of a row is taken back.
class CsvTrajectory::Text {
 public:
  explicit Text(const std::string& path)
      : path_(path), file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail("%s: %s", path_.c_str(), std::strerror(errno));
  }
  ~Text() { close(file_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  bool empty() const { return size_ == 0; }
  // Whole rows, all of them or none.
  void write(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t count = ::write(file_, text.data() + done, text.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) giveUp(errno);
      done += static_cast<std::size_t>(count);
    }
    size_ += static_cast<off_t>(text.size());
  }

 private:
  [[noreturn]] void giveUp(int reason) {
    // Fails for what is no regular file, and where the file system is at fault: nothing more can be done.
    static_cast<void>(ftruncate(file_, size_) == 0);
    fail("%s: %s", path_.c_str(), std::strerror(reason));
  }
  std::string path_;
  int file_;
  off_t size_ = 0;  // of the rows written
};

CsvTrajectory::CsvTrajectory(const std::string& path) : Trajectory(path), rows_(std::make_unique<Text>(path)) {
  reserveName("t");
}

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
      addColumnOf(*system, prefix + "_force" + std::to_string(k), [system, k] { return system->motion(Motion::force)[k]; });
      addColumnOf(*system, prefix + "_input" + std::to_string(k), [system, k, input] { return system->motion(input)[k]; });
    }
  }
}

void CsvTrajectory::addContacts(const Simulation& simulation, ContactChoice choice) {
  take(contacts_of_, simulation, "contacts");
  choice_ = choice;
  contact_rows_ = std::make_unique<Text>(besides(path()));
}

void CsvTrajectory::addSteps(const Simulation& simulation) {
  for (const StepFigure& figure : stepFigures())
    addColumn(figure.name, [&simulation, value = figure.value] { return value(simulation.status()); });
}

void CsvTrajectory::recordContacts(double time) {
  std::string text = contact_rows_->empty() ? contact_columns : "";
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
  if (rows_->empty()) {
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
