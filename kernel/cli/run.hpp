// Running a loaded model: steps, tables, plots, and the account of what happened.
#pragma once

#include <nonsmooth/kernel/model_file.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cli {

struct RunRequest {
  std::string model_file;
  std::vector<nonsmooth::kernel::OutputRequest> tables, plots;
  std::optional<long> steps;
  std::string resume, save_state;  // saved states: where the run starts, and where it is saved to
  long save_every = 0;             // steps; 0: at the start and the end only
  bool progress = false;
  bool summary = true;  // is one told, for which phases are timed?
};

// A step without a certificate.
struct BadStep {
  long step;
  double time;
  std::string reason;
};

struct Account {
  long steps = 0, certified = 0, newton_iterations = 0, halved = 0, most_contacts = 0;
  double start = 0, end = 0, residual = 0, violation = 0, wall_seconds = 0, energy_at_start = 0, energy_at_end = 0;
  nonsmooth::kernel::PhaseTimes phases;
  std::optional<BadStep> first_bad;
  bool ended_early = false;                           // at the step after the last one counted
  bool interrupted = false;                           // by a signal, with steps left
  std::vector<std::pair<std::string, long>> written;  // files, and rows or -1
};

// Throws Failure where run would before the first step; touches no file.
void check(const nonsmooth::kernel::LoadedModel& loaded, const RunRequest& request);
// Throws Failure where a file cannot be written, or a quantity is unknown.
Account run(const nonsmooth::kernel::LoadedModel& loaded, const RunRequest& request);

std::string summaryText(const nonsmooth::kernel::LoadedModel& loaded, const RunRequest& request, const Account& account);
std::string summaryJson(const nonsmooth::kernel::LoadedModel& loaded, const RunRequest& request, const Account& account);

}  // namespace cli
