// Trajectories as text: one row per instant, comma separated.
#ifndef NONSMOOTH_KERNEL_CSV_TRAJECTORY_HPP
#define NONSMOOTH_KERNEL_CSV_TRAJECTORY_HPP

#include "nonsmooth/kernel/trajectory.hpp"

namespace nonsmooth::kernel {

// Columns are chosen first; the first row written is that of their names. Numbers are the shortest that read back as the same
// double. Each row is handed to the system when it is complete.
//
// addSystems takes the systems that are in the model then; those that leave it are nan from then on. Contacts come and go: they
// have a file of their own beside, NAME.csv has NAME_contacts.csv, with one row per contact and record (docs/formats.md).
class CsvTrajectory : public Trajectory {
 public:
  explicit CsvTrajectory(const std::string& path);
  ~CsvTrajectory() override;

  void addSystems(const Simulation& simulation, bool with_forces = false) override;
  void addContacts(const Simulation& simulation, ContactChoice choice = ContactChoice::Active) override;
  void addSteps(const Simulation& simulation) override;
  // Writes the rows of this instant.
  void record(double time) override;
  void flush() override {}

 private:
  class Text;
  void recordContacts(double time);
  std::unique_ptr<Text> rows_, contact_rows_;
  const Simulation* contacts_of_ = nullptr;
  ContactChoice choice_ = ContactChoice::Active;
};

}  // namespace nonsmooth::kernel
#endif
