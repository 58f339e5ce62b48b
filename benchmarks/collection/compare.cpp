// nonsmooth-compare: reports on the runs of nonsmooth-bench.
#include <CLI/CLI.hpp>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "../support/page.hpp"
#include "make_report.hpp"
#include "program.hpp"
#include "regressions.hpp"
#include "run_file.hpp"

namespace {

using namespace nonsmooth::bench;

struct Settings {
  std::vector<std::string> runs;
  std::string output, against, subject = "methods", pictures;
  ReportSettings report;
  RegressionSettings regressions;
};

constexpr const char* notes = R"(
The report has performance profiles (Dolan and More 2002), shares of problems by residual, tables by family and method, speed-ups with 95 %
intervals (bootstrap), the virtual best, and every problem. The ending of the name decides: .html (one self-contained page with plots and
tables that sort), .md (Markdown tables). Without -o Markdown goes to standard output. Of several results for the same problem, method and
tolerance the last counts, and of a problem whose data changed only what was measured on the last data.

Examples:
  nonsmooth compare shard1.jsonl shard2.jsonl -o report.html
  nonsmooth compare run.jsonl --against old.jsonl -o report.html
  nonsmooth compare run.jsonl --report scaling --pictures docs/pictures -o docs/friction-scaling.md

With --against, times are compared in units of a calibration kernel that was measured beside each solve, so that two machines can be compared.

Exit codes: 0 written, 1 there are regressions, 3 wrong usage, 4 a file cannot be read or written, 70 internal error.)";

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("RUN", settings.runs, "files of nonsmooth bench")->required();
  app.add_option("-o,--output", settings.output, "report: .html or .md")->check(file_name());
  app.add_option("--report", settings.subject,
                 "methods: all of them on all problems; accuracy: success against tolerance by number of contacts; scaling: time "
                 "and memory against contacts")
      ->check(CLI::IsMember({"methods", "accuracy", "scaling"}))
      ->capture_default_str();
  app.add_option("--pictures", settings.pictures, "folder for the plots of accuracy or scaling (SVG) that a .md report shows")
      ->check(CLI::ExistingDirectory);
  app.add_option("--title", settings.report.title, "of the report");
  app.add_option("--reference", settings.report.reference, "method that the others are compared with")->capture_default_str();
  CLI::Option* const against =
      app.add_option("--against", settings.against, "older run: regressions are listed and counted")->check(file_name());
  app.add_option("--time-ratio", settings.regressions.time_ratio,
                 "a solve that takes more than this times its older time is a regression")
      ->check(positive_number())
      ->needs(against)
      ->capture_default_str();
  app.add_option("--least-time", settings.regressions.least_seconds, "older time from which on a single solve is judged, s")
      ->check(non_negative_number())
      ->needs(against)
      ->capture_default_str();
  app.add_option("--mean-ratio", settings.regressions.mean_ratio,
                 "a method is a regression if the interval of the mean of its ratios lies above this")
      ->check(positive_number())
      ->needs(against)
      ->capture_default_str();
  app.footer(notes);
}

std::vector<Solve> read_all(const std::vector<std::string>& paths) {
  std::vector<Solve> lines;
  for (const std::string& path : paths) {
    int halves = 0;
    const std::vector<Solve> run = read_run(path, &halves);
    if (halves > 0)
      std::fprintf(stderr, "nonsmooth compare: %s: %d lines are not whole, or none of a solve, and were passed over\n",
                   path.c_str(), halves);
    lines.insert(lines.end(), run.begin(), run.end());
  }
  std::size_t other_data = 0;
  const std::vector<Solve> last = last_of_each(lines, &other_data);
  if (other_data > 0)
    std::fprintf(stderr, "nonsmooth compare: %zu lines are of problems whose data changed since, and were passed over\n",
                 other_data);
  return last;
}

// In small letters.
std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

void write(const Report& report, const std::string& path, const std::string& pictures) {
  nonsmooth::write_page(path, [&](std::ostream& out) {
    if (ending_of(path) == ".html")
      write_html(out, report);
    else
      write_markdown(out, report, pictures);
  });
}

// Writes the plots of the sections that have a name for them; where they are, from the report.
std::string write_pictures(const Report& report, const std::string& folder, const std::string& output) {
  if (folder.empty()) return "";
  for (const Section& section : report.sections) {
    if (section.picture.empty()) continue;
    const std::filesystem::path path = std::filesystem::path(folder) / section.picture;
    nonsmooth::write_whole(path.string(), picture(section.plots));
  }
  return std::filesystem::proximate(folder, std::filesystem::absolute(output).parent_path()).generic_string();
}

Report make(const Settings& settings, const std::vector<Solve>& lines) {
  if (settings.subject == "accuracy") return make_accuracy_report(lines, settings.report);
  if (settings.subject == "scaling") return make_scaling_report(lines, settings.report);
  return make_report(Comparison(lines), lines, settings.report);
}

// The default may be absent: then the first method takes its place.
void check_reference(const std::string& reference, const std::vector<Solve>& lines) {
  if (reference != ReportSettings().reference && std::none_of(lines.begin(), lines.end(), [&](const Solve& line) {
        return line.solver_of.empty() && line.method == reference;
      }))
    throw CLI::ValidationError("--reference", "no line of method " + reference);
}

// Hours of measuring are in them.
void check_no_run_is_replaced(const Settings& settings) {
  std::vector<std::string> runs = settings.runs;
  runs.push_back(settings.against);
  for (const std::string& path : runs)
    if (std::error_code unknown; std::filesystem::equivalent(path, settings.output, unknown))
      throw CLI::ValidationError("--output", "the report would replace the run " + path);
}

int run(Settings& settings) {
  const std::string ending = ending_of(settings.output);
  if (!settings.output.empty() && ending != ".html" && ending != ".md")
    throw CLI::ValidationError("--output", settings.output + " ends neither in .html nor in .md");
  if (!settings.pictures.empty() && (ending != ".md" || settings.subject == "methods"))
    throw CLI::ValidationError("--pictures", "is for a report of accuracy or scaling that ends in .md");
  check_no_run_is_replaced(settings);
  const std::vector<Solve> lines = read_all(settings.runs);
  check_reference(settings.report.reference, lines);
  if (settings.report.title.empty()) settings.report.title = "Comparison of methods";
  Report report = make(settings, lines);
  Regressions regressions;
  if (!settings.against.empty()) {
    regressions = find_regressions(lines, read_all({settings.against}), settings.regressions);
    report.sections.insert(report.sections.begin(), regressions.section);
    std::fprintf(stderr, "nonsmooth compare: %zu regressions in %zu solves; %zu solves of the older run are absent\n",
                 regressions.count, regressions.compared, regressions.gone);
  }
  write(report, settings.output, write_pictures(report, settings.pictures, settings.output));
  return regressions.count > 0 ? regressed : success;
}

}  // namespace

int main(int count, char** arguments) {
  Settings settings;
  CLI::App app{"Reports on runs of nonsmooth bench: profiles, tables, regressions.", "nonsmooth compare"};
  add_options(app, settings);
  return run_program(app, count, arguments, [&] { return run(settings); });
}
