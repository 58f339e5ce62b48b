// A simulation of spheres that fall into a box and settle, at several tolerances:
//   nonsmooth-settle run     simulates; one line a step goes to a file for each tolerance, also where the run is interrupted
//   nonsmooth-settle report  Markdown of such files
#include "settling.hpp"

#include <filesystem>

#include "../../programs/checks.hpp"
#include "../../programs/command_line.hpp"
#include "../../programs/interruption.hpp"
#include "../support/page.hpp"

namespace {

// Hours of simulation are in them.
void requireNoRunIsReplaced(const std::vector<std::string>& files, const std::string& page) {
  for (const std::string& file : files)
    if (std::error_code unknown; std::filesystem::equivalent(file, page, unknown))
      throw nonsmooth::programs::Failure{nonsmooth::programs::usage, "--output: the report would replace the run " + file};
}

}  // namespace

int main(int argc, char** argv) {
  using namespace nonsmooth::settling;
  namespace programs = nonsmooth::programs;
  Request request;
  std::vector<std::string> files;
  std::string report;
  CLI::App app{"Time per step of spheres that settle in a box", "nonsmooth-settle"};
  app.footer(
      "Exit codes: 0 written, 1 steps have no certificate, 3 wrong usage, 4 a file cannot be read or written, 70 internal "
      "error.");
  app.require_subcommand(1);
  app.option_defaults()->always_capture_default();
  CLI::App& run = *app.add_subcommand("run", "simulate; one line a step");
  run.add_option("--side", request.scene.side, "spheres along an edge of the block")->check(CLI::Range(1, 1000));
  run.add_option("--box", request.scene.box, "spheres side by side along an edge of the box")->check(CLI::Range(1, 1000));
  run.add_option("--height", request.scene.height, "m, of the lowest above the floor")->check(programs::number_between(0, 1e6));
  run.add_option("--time-step", request.scene.h, "s")->check(programs::number_between(1e-9, 1e3));
  run.add_option("--mu", request.scene.mu, "coefficient of friction")->check(programs::number_between(0, 1e6));
  run.add_option("--threshold", request.scene.threshold, "m: contacts whose predicted gap is less are active")
      ->check(programs::number_between(-1e6, 1e6));
  run.add_option("--steps", request.steps, "of each simulation")->check(CLI::Range(1, 1000000000));
  run.add_option("--tolerance", request.tolerances, "one simulation for each, by turns")->delimiter(',');
  run.add_option("--turn", request.turn, "steps of a turn")->check(CLI::Range(1, 1000000000));
  run.add_option("--method", request.method, "of the numerics library, and its options: NAME,OPTION=VALUE");
  run.add_option("--iterations", request.iterations, "at most, of a solve")->check(CLI::Range(1, 1000000000));
  run.add_option("--output", request.output, "OUTPUT-TOLERANCE.csv are written")->check(programs::file_name());
  run.add_flag("--resume", request.resume,
               "go on from OUTPUT-TOLERANCE.state, which is saved every hundred steps and at the end, where there are steps");
  run.add_flag("--overwrite", request.overwrite, "begin anew, also with --resume, where OUTPUT-TOLERANCE.csv has steps");
  run.add_option("--capture", request.capture, "problems without certificate go to CAPTURE-TOLERANCE-NUMBER.json");
  run.add_option("--print", request.print_every, "steps between lines of the console")->check(CLI::Range(1, 1000000000));
  CLI::App& reporting = *app.add_subcommand("report", "Markdown of files that run has written");
  reporting.add_option("FILE", files, "OUTPUT-TOLERANCE.csv of run")->required();
  reporting.add_option("--output", report, "standard output without it")->check(programs::file_name());
  const auto work = [&] {
    if (!programs::parse(app, argc, argv)) return 0;
    if (run.parsed()) {
      const programs::Interruptible while_it_runs;
      return simulate(request, programs::is_interrupted) == 0 ? 0 : 1;
    }
    requireNoRunIsReplaced(files, report);
    std::vector<Run> runs;
    for (const std::string& file : files) runs.push_back(readRun(file));
    nonsmooth::write_page(report, [&](std::ostream& out) { writeReport(out, std::move(runs)); });
    return 0;
  };
  return programs::run_program(app.get_name(), work, programs::bad_file);
}
