#include "nonsmooth/kernel/csv_trajectory.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>

namespace nonsmooth::kernel {
namespace {

void append(std::string& text, double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  text.append(buffer, end);
}

}  // namespace

CsvTrajectory::CsvTrajectory(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "w")) {
  if (file_ == nullptr) fail("%s: %s", path.c_str(), std::strerror(errno));
}

CsvTrajectory::~CsvTrajectory() { std::fclose(file_); }

void CsvTrajectory::addColumn(const std::string& column, std::function<double()> value) {
  if (named_) fail("%s: columns are chosen before the first row", path_.c_str());
  names_.push_back(column);
  values_.push_back(std::move(value));
}

void CsvTrajectory::addSystem(const std::string& prefix, const DynamicalSystem& system) {
  for (Index k = 0; k < system.slot().nq; ++k)
    addColumn(prefix + "_q" + std::to_string(k), [&system, k] { return system.coordinates(Coordinate::q)[k]; });
  const std::string letter = system.kind() == SystemKind::FirstOrder ? "_x" : "_v";
  for (Index k = 0; k < system.dimension(); ++k)
    addColumn(prefix + letter + std::to_string(k), [&system, k] { return system.motion(Motion::v)[k]; });
}

void CsvTrajectory::addInteraction(const std::string& prefix, const Interaction& interaction, int level) {
  for (Index k = 0; k < interaction.dimension(); ++k) {
    addColumn(prefix + "_y" + std::to_string(k), [&interaction, level, k] { return interaction.y(level)[k]; });
    addColumn(prefix + "_lambda" + std::to_string(k), [&interaction, level, k] { return interaction.lambda(level)[k]; });
  }
}

void CsvTrajectory::addKineticEnergy(const NonSmoothDynamicalSystem& model) {
  addColumn("kinetic_energy", [&model] { return model.kineticEnergy(); });
}

void CsvTrajectory::write(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() || std::fflush(file_) != 0)
    fail("%s: %s", path_.c_str(), std::strerror(errno));
}

void CsvTrajectory::record(double time) {
  std::string text;
  if (!named_) {
    text = "t";
    for (const std::string& column : names_) text += "," + column;
    text += "\n";
    named_ = true;
  }
  append(text, time);
  for (const auto& value : values_) {
    text += ",";
    append(text, value());
  }
  write(text + "\n");
}

}  // namespace nonsmooth::kernel
