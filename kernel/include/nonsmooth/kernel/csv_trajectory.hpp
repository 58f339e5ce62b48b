// Trajectories as text: one row per instant, comma separated.
#ifndef NONSMOOTH_KERNEL_CSV_TRAJECTORY_HPP
#define NONSMOOTH_KERNEL_CSV_TRAJECTORY_HPP

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {

// Columns are chosen first; the first row written is that of their names. Numbers are the shortest that read back as the same
// double. Each row is handed to the system when it is complete: after a crash or on a full disk what has been written stays
// readable, and record() throws, naming the file. Objects whose columns are recorded must outlive the recorder's use.
class CsvTrajectory {
 public:
  explicit CsvTrajectory(const std::string& path);
  ~CsvTrajectory();
  CsvTrajectory(const CsvTrajectory&) = delete;
  CsvTrajectory& operator=(const CsvTrajectory&) = delete;

  void addColumn(const std::string& name, std::function<double()> value);
  // PREFIX_q0 ... PREFIX_v0 ... of mechanical systems, PREFIX_x0 ... of first order ones.
  void addSystem(const std::string& prefix, const DynamicalSystem& system);
  // PREFIX_y0 ... PREFIX_lambda0 ... of a level.
  void addInteraction(const std::string& prefix, const Interaction& interaction, int level);
  // Kinetic energy [J].
  void addKineticEnergy(const NonSmoothDynamicalSystem& model);
  void record(double time);

 private:
  void write(const std::string& text);
  std::string path_;
  std::FILE* file_;
  std::vector<std::string> names_;
  std::vector<std::function<double()>> values_;
  bool named_ = false;
};

}  // namespace nonsmooth::kernel
#endif
