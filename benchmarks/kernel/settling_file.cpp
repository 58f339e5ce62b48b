#include <cerrno>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <sstream>
#include <stdexcept>

#include "../support/number_in.hpp"
#include "settling.hpp"

namespace nonsmooth::settling {
namespace {

constexpr const char* columns =
    "step,time,contacts,changed,certified,outcome,residual,method,iterations,cpu,detection,free_state,assembly,solver,update,"
    "kinetic,violation";

// One line cut at its commas.
class Fields {
 public:
  explicit Fields(const std::string& line) : in_(line) {}
  std::string text() {
    std::string field;
    if (!std::getline(in_, field, ',')) throw std::runtime_error("fields are missing");
    return field;
  }
  double number() { return numberIn(text()); }
  long count() { return static_cast<long>(number()); }

 private:
  std::istringstream in_;
};

Step parse(const std::string& line) {
  Fields fields(line);
  Step step;
  step.number = fields.count();
  step.time = fields.number();
  step.contacts = fields.count();
  step.changed = fields.count() != 0;
  step.certified = fields.count() != 0;
  step.outcome = fields.text();
  step.residual = fields.number();
  step.method = fields.text();
  step.iterations = fields.count();
  for (double* value :
       {&step.cpu, &step.detection, &step.free_state, &step.assembly, &step.solver, &step.update, &step.kinetic, &step.violation})
    *value = fields.number();
  return step;
}

// The step of the next line. A last line without its end is not whole.
bool readStep(std::istream& in, Run& run) {
  std::string line;
  if (!std::getline(in, line) || in.eof()) return false;
  const std::size_t due = run.steps.size() + 1, lines_before = 2;
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error(run.path + ", line " + std::to_string(due + lines_before) + ": " + why);
  };
  try {
    run.steps.push_back(parse(line));
  } catch (const std::runtime_error& error) {
    refuse(error.what());
  }
  if (const long number = run.steps.back().number; number != static_cast<long>(due))
    refuse("step " + std::to_string(number) + ", where step " + std::to_string(due) + " is due");
  return true;
}

}  // namespace

std::string headOf(const Scene& scene, double tolerance, const Solves& solves) {
  std::ostringstream head;
  head << "# " << tolerance << ' ' << scene.side << ' ' << scene.box << ' ' << scene.height << ' ' << scene.h << ' ' << scene.mu
       << ' ' << scene.threshold;
  if (solves.iterations > 0) head << ' ' << solves.iterations << ' ' << solves.method;
  return head.str();
}

void writeHead(std::ostream& out, const Scene& scene, double tolerance, const Solves& solves) {
  out << headOf(scene, tolerance, solves) << '\n' << columns << std::endl;
}

void writeStep(std::ostream& out, const Step& s) {
  out << s.number << ',' << std::setprecision(9) << s.time << ',' << s.contacts << ',' << s.changed << ',' << s.certified << ','
      << s.outcome << ',' << s.residual << ',' << s.method << ',' << s.iterations << std::setprecision(6);
  for (const double value : {s.cpu, s.detection, s.free_state, s.assembly, s.solver, s.update, s.kinetic, s.violation})
    out << ',' << value;
  out << std::endl;  // a run may be ended at any moment
}

Run readRun(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(path + ": cannot be read: " + std::strerror(errno));
  Run run;
  run.path = path;
  Scene& scene = run.scene;
  char mark = 0;
  std::string head, line;
  std::getline(in, head);
  std::istringstream words(head);
  words >> mark >> run.tolerance >> scene.side >> scene.box >> scene.height >> scene.h >> scene.mu >> scene.threshold;
  if (!words || mark != '#' || !std::getline(in, line) || line != columns)
    throw std::runtime_error(path + " is no file of a settling run");
  if (words >> run.solves.iterations) std::getline(words >> std::ws, run.solves.method);
  while (readStep(in, run)) {
  }
  return run;
}

}  // namespace nonsmooth::settling
