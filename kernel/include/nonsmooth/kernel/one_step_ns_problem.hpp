// One-step nonsmooth problems: assembled from the active interactions, solved by the numerics library, scattered back.
#ifndef NONSMOOTH_KERNEL_ONE_STEP_NS_PROBLEM_HPP
#define NONSMOOTH_KERNEL_ONE_STEP_NS_PROBLEM_HPP

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nonsmooth/kernel/integrators.hpp"

namespace nonsmooth::kernel {

// What became of a solve. `outcome` is the name of the numerics library's nsm_outcome; only a certified solution is `converged`.
struct SolveReport {
  // Is the solution certified?
  bool certified = true;
  // What became of the problem, by its name in the numerics library.
  const char* outcome = "converged";
  double residual = 0;  // of the certificate
  Index size = 0;       // unknowns
  // Name of the method that finished, of auto its stage, "" where nothing was to be solved; its iterations.
  const char* method = "";
  long iterations = 0;
  // Of assembling and of solving.
  double assembly_seconds = 0, solver_seconds = 0;
};

// Which method of the numerics library solves, and how.
struct SolverChoice {
  std::string method;  // "" for the default, auto
  // Names and numbers, names and words.
  std::vector<std::pair<std::string, double>> options;
  std::vector<std::pair<std::string, std::string>> words = {};
};

// What a problem needs of the simulation.
struct AssemblyContext {
  // The model at work.
  NonSmoothDynamicalSystem* model = nullptr;
  // By the number of the system.
  const std::vector<OneStepIntegrator*>* integrator_of_system = nullptr;
  Formulation* formulation = nullptr;  // of all systems; null: each interaction is treated by the integrator of its first system
  unsigned long response_version = 0;  // changes with any response S_d
  unsigned long jacobian_version = 0;  // changes with any matrix of an active interaction
  // Are phases timed?
  bool with_timings = true;
  // May solvers start from the multipliers that are there? The tolerance where the user has set none; 0: the numerics library's.
  bool warm_start = true;
  double tolerance = 0;
  const void* owner = nullptr;  // who asks: versions tell nothing about the matrices of another
  unsigned long step = 0;       // of the owner, the same for all iterates of a step; 0: each problem stands for itself

  // Of the system of that number.
  OneStepIntegrator& integratorOf(Index system) const { return *(*integrator_of_system)[static_cast<std::size_t>(system)]; }
};

// Classes of problems of the numerics library.
enum class ProblemKind { Lcp, Mlcp, Relay, Avi, Friction, Rolling, GlobalFriction, GlobalRolling, Generic };

class BlockAssembly;
class GlobalAssembly;
class NumericsSolver;
class Simulation;
struct ProblemData;

// What is solved once or several times per step: the laws of all active interactions together. One thread at a time; objects are
// independent of each other.
class OneStepNSProblem {
 public:
  virtual ~OneStepNSProblem();
  OneStepNSProblem(const OneStepNSProblem&) = delete;
  OneStepNSProblem& operator=(const OneStepNSProblem&) = delete;
  // Name of the class, for messages and tables.
  virtual const char* className() const = 0;

  // Name of a method of the numerics library (`nonsmooth methods` lists them) and its options (`nonsmooth options`): a
  // number, or a word where the option is a choice, a method, or true or false. Takes effect with the next solve.
  void setSolver(const std::string& method);
  void setOption(const std::string& name, double value);
  void setOption(const std::string& name, const std::string& word);
  bool hasOption(const std::string& name) const;
  // The tolerance of certificates, relative to max(1, |q|).
  void setTolerance(double tolerance) { setOption("tolerance", tolerance); }
  // Throws where the numerics library has no such method or option, the method does not treat this problem, or a value is outside
  // its bounds; the first solve does too.
  void checkSolver() const;
  // Starting from the multipliers of the last step; on by default.
  void setKeepLambdaAndYState(bool value) { warm_start_ = value; }

  // Every problem solved, or only those without a certified solution, is written to PREFIX-000001.ENDING and so on, counting
  // problems; ENDING json, hdf5 (FCLIB, friction) or dat. Of the iterates of a time step that fail, the last one is kept.
  enum class Capture { None, Failed, All };
  // Writes problems to files that `nonsmooth solve` reads: none, those without certificate, or all. The folder of PREFIX is
  // there.
  void setCapture(Capture which, const std::string& prefix = "problem", const std::string& ending = "json");

  // Throws, naming the pair, where laws of this kind have no place in this problem.
  void checkLaw(const NonSmoothLaw& law) const;
  virtual void checkIntegrator(const OneStepIntegrator& integrator) const;

  // M and q of the interactions `active` (indices of the model's records); computeQ needs assembleM first.
  void assembleM(const AssemblyContext& context, const std::vector<int>& active);
  void computeQ(const AssemblyContext& context);
  // Both as needed, then solves and writes lambda and y at the level of the integrator.
  virtual SolveReport compute(const AssemblyContext& context, const std::vector<int>& active);

  // The next solve starts as the first one did, but for the multipliers: solvers keep nothing.
  void forget();
  // Problems solved; captured ones are numbered by it.
  long solved() const { return solved_; }
  void setSolved(long count) { solved_ = count; }

  // Unknowns of the last problem.
  Index getSizeOutput() const { return size_; }
  // Copies, as of the last compute.
  Matrix getM() const;
  const Vector& q() const { return q_; }
  const Vector& z() const { return lambda_; }
  const Vector& w() const { return y_; }
  // What the last solve ended with.
  const SolveReport& report() const { return report_; }

  // Up to so many rows a dense matrix is smaller and faster than its blocks.
  static constexpr Index dense_rows = 60;

 protected:
  OneStepNSProblem(SolverChoice solver);
  virtual bool accepts(LawKind kind) const = 0;
  // What the numerics library is given to solve.
  virtual ProblemKind kind() const = 0;
  // Size all laws must have; 0: any.
  virtual Index lawSize() const { return 0; }
  // Methods for contacts work on blocks of one size: they take block rows as they are.
  Index largestDense() const { return lawSize() > 0 ? 0 : dense_rows; }
  // Fills the data of the laws.
  virtual void formulate(ProblemData& data) = 0;
  // Those that do not condense the systems away fill M and what belongs to it themselves.
  virtual bool condensed() const { return true; }
  virtual void assembleGlobal(const AssemblyContext&, ProblemData&) {}
  // lambda_, y_ and report_ from M and q_ (which may change to what has been solved).
  virtual void solve(const AssemblyContext& context);
  // What the numerics library makes of M and this q; z is the starting point (0 if !warm).
  SolveReport solveByNumerics(const Vector& q, bool warm, Vector& z, Vector& w);

  const std::vector<const NonSmoothLaw*>& laws() const { return laws_; }
  const std::vector<int>& active() const { return active_; }
  const std::vector<Index>& rowStarts() const { return row_start_; }
  // Coefficients of friction of the active interactions.
  const std::vector<double>& friction() const { return mu_; }

  Vector q_, lambda_, y_;
  SolveReport report_;

 private:
  bool sameSet(const AssemblyContext& context, const std::vector<int>& active) const;
  void takeSet(const AssemblyContext& context, const std::vector<int>& active);
  void loadStart(const AssemblyContext& context);
  void scatter(const AssemblyContext& context);
  void captureIfAsked(const AssemblyContext& context);
  void forgetOption(const std::string& name);
  void takeDefaults(const AssemblyContext& context);
  SolverChoice choice() const;

  SolverChoice solver_;
  bool solver_changed_ = true, warm_start_ = true;
  bool warm_ = true;              // and so wants whoever asks
  double default_tolerance_ = 0;  // of whoever asks
  Capture capture_ = Capture::None;
  std::string capture_prefix_, capture_ending_;
  std::string captured_;  // the last file of a problem that failed; of which step
  unsigned long captured_step_ = 0;
  const void* captured_owner_ = nullptr;
  long solved_ = 0;
  Index size_ = 0;
  unsigned long response_ = 0, jacobian_ = 0;
  const void *owner_ = nullptr, *formulation_ = nullptr;  // of whom the matrices are
  bool needs_setup_ = true, values_changed_ = false;      // since the numerics library has seen the problem
  std::vector<int> active_;
  std::vector<std::uint32_t> generations_;  // of the active interactions
  std::vector<const NonSmoothLaw*> laws_;
  std::vector<Index> row_start_;
  std::vector<double> mu_;
  std::unique_ptr<BlockAssembly> assembly_;
  std::unique_ptr<ProblemData> data_;
  std::unique_ptr<NumericsSolver> numerics_;
};

// Problems that finite methods solve to rounding: tolerance 1e-12. (The certificate measures against max(1, |q|); velocities and
// currents of small systems lie far below 1.)
inline SolverChoice pivoting(const std::string& method) { return {method, {{"tolerance", 1e-12}}}; }

// w = M z + q, 0 <= w _|_ z >= 0. Laws: complementarity, Newton impact, multiple impact (its e as Newton's).
class LCP : public OneStepNSProblem {
 public:
  explicit LCP(const std::string& method = "") : OneStepNSProblem(pivoting(method)) {}
  // Form of the specification: inserted in the simulation under that name; the norm and the relaxation are the solver's own
  // business.
  LCP(Simulation* simulation, const std::string& name, const std::string& method, int max_iterations, double tolerance,
      const std::string& norm = "max", double relaxation = 1.0);
  const char* className() const override { return "LCP"; }

 protected:
  bool accepts(LawKind kind) const override;
  ProblemKind kind() const override { return ProblemKind::Lcp; }
  void formulate(ProblemData& data) override;
};

// LCP with rows of equality. Laws: complementarity, Newton impact, equality, mixed complementarity.
class MLCP : public OneStepNSProblem {
 public:
  explicit MLCP(const std::string& method = "") : OneStepNSProblem(pivoting(method)) {}
  const char* className() const override { return "MLCP"; }

 protected:
  bool accepts(LawKind kind) const override;
  ProblemKind kind() const override { return ProblemKind::Mlcp; }
  void formulate(ProblemData& data) override;
};

// z in [lb, ub], -(M z + q) in N(z). Laws: relay, complementarity, equality, Newton impact.
class Relay : public OneStepNSProblem {
 public:
  explicit Relay(const std::string& method = "") : OneStepNSProblem(pivoting(method)) {}
  const char* className() const override { return "Relay"; }

 protected:
  bool accepts(LawKind kind) const override;
  ProblemKind kind() const override { return ProblemKind::Relay; }
  void formulate(ProblemData& data) override;
};

// M z + q = 0. Law: equality.
class Equality : public OneStepNSProblem {
 public:
  explicit Equality(const std::string& method = "") : OneStepNSProblem(pivoting(method)) {}
  const char* className() const override { return "Equality"; }

 protected:
  bool accepts(LawKind kind) const override { return kind == LawKind::EqualityCondition; }
  ProblemKind kind() const override { return ProblemKind::Mlcp; }
  void formulate(ProblemData& data) override;
};

// z in P, -(M z + q) in N_P(z), P a polyhedron. Law: normal cone; any number of interactions.
class AVI : public OneStepNSProblem {
 public:
  explicit AVI(const std::string& method = "") : OneStepNSProblem(pivoting(method)) {}
  const char* className() const override { return "AVI"; }

 protected:
  bool accepts(LawKind kind) const override { return kind == LawKind::NormalCone; }
  ProblemKind kind() const override { return ProblemKind::Avi; }
  void formulate(ProblemData& data) override;
};

// Coulomb friction, dimension 2 or 3. Law: Newton impact with friction of that size.
class FrictionContact : public OneStepNSProblem {
 public:
  explicit FrictionContact(int dimension = 3, const std::string& method = "");
  const char* className() const override { return "FrictionContact"; }
  // As given.
  int dimension() const { return dimension_; }

 protected:
  bool accepts(LawKind kind) const override { return kind == LawKind::NewtonImpactFriction; }
  ProblemKind kind() const override { return ProblemKind::Friction; }
  Index lawSize() const override { return dimension_; }
  void formulate(ProblemData& data) override;

 private:
  int dimension_;
};

// The same with rolling resistance; dimension 3 (plane) or 5 (space): rows of the law.
class RollingFrictionContact : public OneStepNSProblem {
 public:
  explicit RollingFrictionContact(int dimension = 5, const std::string& method = "");
  const char* className() const override { return "RollingFrictionContact"; }

 protected:
  bool accepts(LawKind kind) const override { return kind == LawKind::NewtonImpactRollingFriction; }
  ProblemKind kind() const override { return ProblemKind::Rolling; }
  Index lawSize() const override { return dimension_; }
  void formulate(ProblemData& data) override;

 private:
  int dimension_;
};

// Contacts without condensing the systems: M v = H r + f, u = H' v + w, with M the iteration matrices of the systems that the
// active contacts touch.
class GlobalContactProblem : public OneStepNSProblem {
 public:
  ~GlobalContactProblem() override;
  // Throws, naming the pair, where the scheme has no iteration matrix to hand over.
  void checkIntegrator(const OneStepIntegrator& integrator) const override;

 protected:
  GlobalContactProblem(int dimension, const std::string& method);
  int dimension() const { return dimension_; }
  Index lawSize() const override { return dimension_; }
  bool condensed() const override { return false; }
  void assembleGlobal(const AssemblyContext& context, ProblemData& data) override;

 private:
  int dimension_;
  std::unique_ptr<GlobalAssembly> systems_;
};

// Coulomb friction, dimension 2 or 3.
class GlobalFrictionContact : public GlobalContactProblem {
 public:
  explicit GlobalFrictionContact(int dimension = 3, const std::string& method = "");
  const char* className() const override { return "GlobalFrictionContact"; }

 protected:
  bool accepts(LawKind kind) const override { return kind == LawKind::NewtonImpactFriction; }
  ProblemKind kind() const override { return ProblemKind::GlobalFriction; }
  void formulate(ProblemData& data) override;
};

// The same with rolling resistance; dimension 3 (plane) or 5 (space).
class GlobalRollingFrictionContact : public GlobalContactProblem {
 public:
  explicit GlobalRollingFrictionContact(int dimension = 5, const std::string& method = "");
  const char* className() const override { return "GlobalRollingFrictionContact"; }

 protected:
  bool accepts(LawKind kind) const override { return kind == LawKind::NewtonImpactRollingFriction; }
  ProblemKind kind() const override { return ProblemKind::GlobalRolling; }
  void formulate(ProblemData& data) override;
};

// Blocks of equality, complementarity, relay and friction in one problem. Laws: all but rolling, normal cone, multiple impact.
class GenericMechanical : public OneStepNSProblem {
 public:
  explicit GenericMechanical(const std::string& method = "") : OneStepNSProblem({method, {}}) {}
  const char* className() const override { return "GenericMechanical"; }

 protected:
  bool accepts(LawKind kind) const override;
  ProblemKind kind() const override { return ProblemKind::Generic; }
  void formulate(ProblemData& data) override;
};

}  // namespace nonsmooth::kernel
#endif
