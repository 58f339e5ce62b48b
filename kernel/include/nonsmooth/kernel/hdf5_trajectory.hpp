// Trajectories in HDF5: arrays that grow with every record. The layout is that of docs/formats.md.
#ifndef NONSMOOTH_KERNEL_HDF5_TRAJECTORY_HPP
#define NONSMOOTH_KERNEL_HDF5_TRAJECTORY_HPP

#include "nonsmooth/kernel/trajectory.hpp"

namespace nonsmooth::kernel {

// Systems and contacts may come and go during the run. Records are gathered in memory, up to 1 MB or ten seconds, and then
// written at once by flush(), after room for them has been reserved on the disk: what has been flushed stays readable when the
// disk is full or the program ends without closing the file. The attribute `records` of the file tells how many records are
// complete.
class Hdf5Trajectory : public Trajectory {
 public:
  // Replaces a file of that name.
  explicit Hdf5Trajectory(const std::string& path);
  // Flushes as far as that is possible; call flush() to be told of failures.
  ~Hdf5Trajectory() override;

  void addSystems(const Simulation& simulation, bool with_forces = false) override;
  void addContacts(const Simulation& simulation, ContactChoice choice = ContactChoice::Active) override;
  void addSteps(const Simulation& simulation) override;
  // Adds a record.
  void record(double time) override;
  // After "no room" it may be tried again; until it succeeds, record() throws.
  void flush() override;

  // Records made, and those of them that are in the file.
  long records() const;
  long flushedRecords() const;
  void setBufferSize(std::size_t bytes);  // default 2^20
  void setFlushSeconds(double seconds);   // default 10

 private:
  class File;
  std::unique_ptr<File> file_;
};

}  // namespace nonsmooth::kernel
#endif
