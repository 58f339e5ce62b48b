// nonsmooth-simulate, run as `nonsmooth simulate`: runs a model file.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <programs/command_line.hpp>
#include <programs/interruption.hpp>
#include <programs/openblas.hpp>

#include "common.hpp"
#include "run.hpp"

namespace {

using namespace nonsmooth::kernel;

constexpr const char* examples = R"(
Examples:
  nonsmooth simulate ball.xml
  nonsmooth simulate ball.xml --output ball.csv --every 10
  nonsmooth simulate ball.xml --plot "q[0] of ball, lambda of floor" --plot-file ball.svg
  nonsmooth simulate ball.json --final-time 2 --summary json
  nonsmooth simulate ball.xml --output ball.h5 --save-state ball.state --save-every 1000
  nonsmooth simulate ball.xml --resume ball.state --final-time 20

Quantities, without an index all components, without "of" those of all objects that have them:
)";
constexpr const char* remarks = R"(
An event-driven run writes one row per instant, and two rows per nonsmooth event: before and after it. Its steps are events.

Ctrl-C ends a run with a whole step: its tables, plots and state are written. A second one kills it.

Exit codes: 0 every step certified, 1 a step was not (the summary tells which), 3 wrong usage, 4 bad file, 5 interrupted, 70 internal error.
A model file may name functions of shared libraries, which are loaded: run files you trust.)";

// One line for each kind of object.
std::string quantityLines() {
  std::string lines = std::string("  ") + quantity_names;
  for (std::size_t at; (at = lines.find("; ")) != std::string::npos;) lines.replace(at, 2, "\n  ");
  return lines + "\n";
}

struct Arguments {
  std::string model, output, quantities, plot, plot_file, save_state, resume, summary = "text";
  long every = 1, steps = 0, save_every = 0;
  double final_time = 0;
  bool progress = false, quiet = false, check = false, schema = false;
  CLI::Option *has_output = nullptr, *has_quantities = nullptr, *has_every = nullptr, *has_plot = nullptr, *has_steps = nullptr,
              *has_final_time = nullptr;
};

// Whole numbers from `least` on, in whose message no bound has 309 digits.
CLI::Validator countFrom(long least) {
  const auto check = [least](std::string& text) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool counts = error == std::errc() && end == text.data() + text.size() && value >= least;
    return counts ? std::string() : text + " is not a whole number from " + std::to_string(least);
  };
  return CLI::Validator(check, "");
}

// The name of a file: a shell variable that is not set gives none.
CLI::Validator fileName() {
  return CLI::Validator(
      [](std::string& text) { return text.empty() ? "the name of a file is needed, this one is empty" : std::string(); }, "");
}

void addOptions(CLI::App& app, Arguments& a) {
  app.add_option("MODEL", a.model, "model file, XML or JSON");
  a.has_output =
      app.add_option("-o,--output", a.output, "write a table of quantities over time (FILE.csv, FILE.h5)")->check(fileName());
  a.has_quantities = app.add_option("--quantities", a.quantities,
                                    "columns of the table of --output (\"\", the default: those the model file names, else all; "
                                    "in HDF5 else the whole state)")
                         ->needs(a.has_output);
  a.has_every = app.add_option("--every", a.every, "write a row every N steps (default 1); tables only")
                    ->check(countFrom(1))
                    ->needs(a.has_output);
  a.has_plot = app.add_option("--plot", a.plot,
                              "draw these quantities over time (without a value the plots the model file describes, else all)")
                   ->expected(0, 1);
  app.add_option("--plot-file", a.plot_file, "where --plot writes, FILE.svg (default: MODEL.svg in the current folder)")
      ->check(fileName());
  a.has_steps = app.add_option("--steps", a.steps, "end after at most N steps")->check(countFrom(0));
  a.has_final_time = app.add_option("--final-time", a.final_time, "final time in s, instead of that of the model file");
  CLI::Option* const save =
      app.add_option("--save-state", a.save_state, "save the state to this file at the start and at the end")->check(fileName());
  app.add_option("--save-every", a.save_every, "also save the state after every N steps")->check(countFrom(1))->needs(save);
  app.add_option("--resume", a.resume, "go on from a saved state of the same model; tables and plots begin there")
      ->check(fileName());
  app.add_flag("--progress", a.progress, "show a bar even if stderr is no terminal");
  app.add_flag("-q,--quiet", a.quiet, "show no bar and print no summary");
  app.add_option("--summary", a.summary, "what is printed at the end: text, json (one line)")
      ->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--check", a.check, "check the model and what would be written, but run nothing");
  app.add_flag("--schema", a.schema, "print the schema of model files as JSON, one class per line");
}

LoadedModel read(const Arguments& a) {
  try {
    LoadedModel loaded = readModel(a.model);
    if (a.has_final_time->count() > 0) {
      char text[96];
      if (!std::isfinite(a.final_time)) {
        std::snprintf(text, sizeof text, "--final-time: %g is not a finite number", a.final_time);
        throw cli::Failure{cli::usage, text};
      }
      if (!(a.final_time > loaded.model->t0())) {
        std::snprintf(text, sizeof text, "--final-time: %.9g s is not after the initial time of the model, %.9g s", a.final_time,
                      loaded.model->t0());
        throw cli::Failure{cli::usage, text};
      }
      loaded.model->setT(a.final_time);
      loaded.simulation->initialize();
    }
    if (a.has_steps->count() == 0 && !std::isfinite(loaded.model->finalT()))
      throw cli::Failure{cli::usage, a.model + ": the model has no final time: give --final-time or --steps"};
    return loaded;
  } catch (const Error& error) {
    throw cli::Failure{cli::bad_file, error.what()};
  }
}

// The table asked for on the command line stands for the first one of the file that has no name of its own.
std::vector<OutputRequest> tables(const LoadedModel& loaded, const Arguments& a) {
  std::vector<OutputRequest> result, unnamed;
  for (const OutputRequest& request : loaded.outputs) (request.file.empty() ? unnamed : result).push_back(request);
  if (a.has_output->count() == 0) return result;
  OutputRequest own = unnamed.empty() ? OutputRequest() : unnamed.front();
  own.file = a.output;
  if (a.has_quantities->count() > 0) own.quantities = a.quantities;
  if (a.has_every->count() > 0) own.every = a.every;
  result.push_back(own);
  return result;
}

std::vector<OutputRequest> plots(const LoadedModel& loaded, const Arguments& a) {
  std::vector<OutputRequest> result, unnamed;
  for (const OutputRequest& request : loaded.plots) (request.file.empty() ? unnamed : result).push_back(request);
  if (a.has_plot->count() > 0) {
    if (!a.plot.empty() || unnamed.empty()) unnamed = {OutputRequest{"", a.plot, 1, ""}};
    const std::string stem = a.plot_file.empty() ? std::filesystem::path(a.model).stem().string() + ".svg" : a.plot_file;
    for (std::size_t k = 0; k < unnamed.size(); ++k) {
      std::filesystem::path file(stem);
      if (k > 0) file.replace_filename(file.stem().string() + "-" + std::to_string(k + 1) + file.extension().string());
      unnamed[k].file = file.string();
      result.push_back(unnamed[k]);
    }
  } else if (!a.plot_file.empty()) {
    throw cli::Failure{cli::usage, "--plot-file needs --plot"};
  }
  for (OutputRequest& plot : result)
    if (plot.title.empty()) plot.title = loaded.title.empty() ? std::filesystem::path(a.model).filename().string() : loaded.title;
  return result;
}

// The exit code of the run; throws it where there is something to say.
cli::ExitCode judge(const cli::Account& account) {
  char text[96];
  std::string messages;
  if (account.interrupted) {
    std::snprintf(text, sizeof text, "interrupted after step %ld (t = %.9g s)", account.steps, account.end);
    messages = text;
  }
  if (account.first_bad) {
    std::snprintf(text, sizeof text, "%s%s step %ld (t = %.9g s): ", messages.empty() ? "" : "; ",
                  account.ended_early ? "the run ended at" : "not certified:", account.first_bad->step, account.first_bad->time);
    messages += text + account.first_bad->reason;
  }
  if (messages.empty()) return cli::success;
  throw cli::Failure{account.interrupted ? cli::interrupted : cli::not_certified, messages};
}

cli::ExitCode simulate(const Arguments& a) {
  if (a.schema) {
    std::fputs(modelSchema().c_str(), stdout);
    return cli::success;
  }
  if (a.model.empty()) throw cli::Failure{cli::usage, "MODEL is required (see `nonsmooth simulate --help`)"};
  const LoadedModel loaded = read(a);
  cli::RunRequest request;
  request.model_file = a.model;
  request.tables = tables(loaded, a);
  request.plots = plots(loaded, a);
  if (a.has_steps->count() > 0) request.steps = a.steps;
  request.resume = a.resume;
  request.save_state = a.save_state;
  request.save_every = a.save_every;
  request.summary = !a.quiet;
  request.progress = !a.quiet && (a.progress || isatty(STDERR_FILENO) != 0);
  if (a.check) {
    cli::check(loaded, request);
    if (!a.quiet)
      std::printf("%s: %s, %s: the model can be run\n", a.model.c_str(), cli::counted(loaded.systems.size(), "system").c_str(),
                  cli::counted(loaded.interactions.size(), "interaction").c_str());
    return cli::success;
  }
  const cli::programs::Interruptible until_it_is_written;
  const cli::Account account = cli::run(loaded, request);
  if (!a.quiet)
    std::fputs(
        (a.summary == "json" ? cli::summaryJson(loaded, request, account) : cli::summaryText(loaded, request, account)).c_str(),
        stdout);
  return judge(account);
}

cli::ExitCode run(int count, char** arguments) {
  CLI::App app("Runs a model file: a nonsmooth dynamical system and how it is simulated (docs/model-files.md).",
               "nonsmooth simulate");
  app.set_version_flag("--version", "nonsmooth simulate " NONSMOOTH_VERSION);
  app.footer(examples + quantityLines() + remarks);
  Arguments parsed;
  addOptions(app, parsed);
  if (!cli::programs::parse(app, count, arguments)) return cli::success;
  cli::programs::set_openblas();
  return simulate(parsed);
}

}  // namespace

int main(int count, char** arguments) {
  return cli::programs::run_program("nonsmooth simulate", [&] { return run(count, arguments); });
}
