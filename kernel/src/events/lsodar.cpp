#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "events/smooth_motion.hpp"
#include "nonsmooth/kernel/event_integrators.hpp"
#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {
namespace {

// The automatic choice: windows of so many steps; a window with that share of failed corrector iterations is stiff.
constexpr long window = 40;
constexpr double stiff_share = 0.2;

// What CVODE's failures tell its user.
const char* meaning(int status) {
  switch (status) {
    case CV_TOO_MUCH_ACC: return "the tolerances are below rounding";
    case CV_ERR_FAILURE: return "the tolerances cannot be met, not even by the least step";
    case CV_CONV_FAILURE: return "the corrector does not converge, not even with the least step";
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return "the corrector's linear system cannot be solved";
    case CV_TOO_CLOSE: return "the interval is too short for a step";
    case CV_MEM_FAIL: return "no memory";
    case CV_ILL_INPUT: return "its data are not valid";
    default: return "CVODE has failed";
  }
}

double* dataOf(N_Vector x) { return static_cast<_N_VectorContent_Serial*>(x->content)->data; }

sunindextype lengthOf(N_Vector x) { return static_cast<_N_VectorContent_Serial*>(x->content)->length; }

// Most of CVODE's work is on short vectors, where plain loops are the faster: a x + b y, sums of several (x[0] may be z), norms.
void linearSum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  const double *first = dataOf(x), *second = dataOf(y);
  double* sum = dataOf(z);
  for (sunindextype i = 0; i < lengthOf(z); ++i) sum[i] = a * first[i] + b * second[i];
}

int linearCombination(int count, double* factors, N_Vector* x, N_Vector z) {
  double* sum = dataOf(z);
  const double* first = dataOf(x[0]);
  for (sunindextype i = 0; i < lengthOf(z); ++i) sum[i] = factors[0] * first[i];
  for (int k = 1; k < count; ++k) {
    const double* next = dataOf(x[k]);
    for (sunindextype i = 0; i < lengthOf(z); ++i) sum[i] += factors[k] * next[i];
  }
  return 0;
}

double weightedNorm(N_Vector x, N_Vector weight) {
  const double *value = dataOf(x), *w = dataOf(weight);
  double squares = 0;
  for (sunindextype i = 0; i < lengthOf(x); ++i) squares += value[i] * w[i] * value[i] * w[i];
  return std::sqrt(squares / static_cast<double>(lengthOf(x)));
}

void scale(double factor, N_Vector x, N_Vector z) {
  const double* from = dataOf(x);
  double* to = dataOf(z);
  for (sunindextype i = 0; i < lengthOf(z); ++i) to[i] = factor * from[i];
}

N_Vector newVector(sunindextype size, SUNContext context) {
  N_Vector x = N_VNew_Serial(size, context);
  if (x == nullptr) return nullptr;
  x->ops->nvlinearsum = linearSum;
  x->ops->nvlinearcombination = linearCombination;
  x->ops->nvscale = scale;
  x->ops->nvwrmsnorm = weightedNorm;
  return x;
}

}  // namespace

// All of CVODE's memory. Contexts are not shared: simulations may run in different threads.
struct LsodarOSI::Work {
  SUNContext context = nullptr;
  N_Vector x = nullptr, out = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  SUNNonlinearSolver nonlinear = nullptr;
  void* cvode = nullptr;
  LsodarOSI* owner = nullptr;
  std::exception_ptr thrown;  // by a user function, inside CVODE
  bool bdf = false, changed = true, jacobians = false;
  long since_restart = 0, failures_before = 0;
  Matrix dq, dv;
  Vector origin, moved;  // the state at the last restart; how far each component has been from it
  double lost = 0;       // [s] what instants are known to, where steps have become as short as that; else 0
  Vector rates;          // the greatest ones seen meanwhile

  Work() {
    if (SUNContext_Create(nullptr, &context) != 0) fail("SUNDIALS: no context");
  }
  ~Work() {
    release();
    SUNContext_Free(&context);
  }
  void release() {
    if (cvode != nullptr) CVodeFree(&cvode);
    if (nonlinear != nullptr) SUNNonlinSolFree(nonlinear);
    if (linear != nullptr) SUNLinSolFree(linear);
    if (matrix != nullptr) SUNMatDestroy(matrix);
    if (x != nullptr) N_VDestroy(x);
    if (out != nullptr) N_VDestroy(out);
    cvode = nullptr;
    nonlinear = nullptr;
    linear = nullptr;
    matrix = nullptr;
    x = out = nullptr;
  }
  void check(int status, const char* what) {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
    if (status < 0) fail("LsodarOSI: %s at t = %.17g: %s (CVODE's %d)", what, owner->step_end_, meaning(status), status);
  }
  void create();
  void fillJacobian(double time, double* J, Index size);
  void setOrigin();
  void noteMoves();
  void noteStep(double start, double end);
  static int weights(N_Vector x, N_Vector weight, void* data);
  static int rhs(double time, N_Vector x, N_Vector xdot, void* data);
  static int jacobian(double time, N_Vector x, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector, N_Vector);
};

int LsodarOSI::Work::rhs(double time, N_Vector x, N_Vector xdot, void* data) {
  Work& work = *static_cast<Work*>(data);
  const double* q = dataOf(x);
  double* qdot = dataOf(xdot);
  const Index positions = work.owner->positions();
  try {
    work.owner->evaluate(time, q, q + positions, qdot, qdot + positions);
    if (work.lost > 0) work.rates = work.rates.cwiseMax(ConstVectorView(qdot, work.rates.size()).cwiseAbs());
  } catch (...) {
    work.thrown = std::current_exception();
    return -1;
  }
  return 0;
}

void LsodarOSI::Work::setOrigin() {
  origin = ConstVectorView(dataOf(x), owner->positions() + owner->velocities());
  moved.setZero(origin.size());
  rates.setZero(origin.size());
  lost = 0;
}

void LsodarOSI::Work::noteMoves() { moved = moved.cwiseMax((ConstVectorView(dataOf(x), origin.size()) - origin).cwiseAbs()); }

// A force that jumps makes steps short. Where nothing has moved yet, its errors are not met before they are lost in the rounding
// of the instant: then that of the instant counts, times the rates beyond.
void LsodarOSI::Work::noteStep(double start, double end) {
  constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
  const double shortest = roundings * std::max(std::abs(start), std::abs(end));
  if (end - start <= shortest) lost = shortest;
  if (end - start <= 1e3 * shortest) return;
  lost = 0;
  rates.setZero();
}

// Errors are measured against how far a component has moved since the last event: a short flight far from the origin is as
// precise, for its length, as a long one.
int LsodarOSI::Work::weights(N_Vector x, N_Vector weight, void* data) {
  const Work& work = *static_cast<Work*>(data);
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  const double* value = dataOf(x);
  double* out = dataOf(weight);
  for (Index i = 0; i < work.origin.size(); ++i) {
    const double moved = std::max(work.moved[i], std::abs(value[i] - work.origin[i]));
    const double least = work.owner->absolute_ + rounding * std::abs(value[i]) + work.lost * work.rates[i];
    out[i] = 1 / (work.owner->relative_ * moved + least);
  }
  return 0;
}

// [0 I; S dfL/dq, S dfL/dv] of each system: constraints are left to the corrector's iteration.
void LsodarOSI::Work::fillJacobian(double time, double* J, Index size) {
  std::fill_n(J, size * size, 0.0);
  MatrixView whole(J, size, size);
  Index first = 0;
  const Index positions = owner->positions();
  for (const int number : owner->systems()) {
    auto& ds = *static_cast<SecondOrderDS*>(owner->model().systemAt(number));
    const Index n = ds.dimension();
    whole.block(first, positions + first, n, n).setIdentity();
    ds.evaluateForceJacobians(time, ds.q(), ds.velocity(), dq, dv);
    owner->respond(number, dq.data(), n);
    owner->respond(number, dv.data(), n);
    whole.block(positions + first, first, n, n) = dq;
    whole.block(positions + first, positions + first, n, n) = dv;
    first += n;
  }
}

int LsodarOSI::Work::jacobian(double time, N_Vector x, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector, N_Vector) {
  Work& work = *static_cast<Work*>(data);
  try {
    const double* q = dataOf(x);
    work.owner->scatter(q, q + work.owner->positions());
    work.fillJacobian(time, SUNDenseMatrix_Data(J), SUNDenseMatrix_Rows(J));
  } catch (...) {
    work.thrown = std::current_exception();
    return -1;
  }
  return 0;
}

void LsodarOSI::Work::create() {
  release();
  const auto size = static_cast<sunindextype>(owner->positions() + owner->velocities());
  x = newVector(size, context);
  out = newVector(size, context);
  cvode = CVodeCreate(bdf ? CV_BDF : CV_ADAMS, context);
  if (x == nullptr || out == nullptr || cvode == nullptr)
    fail("LsodarOSI: no memory for %ld components", static_cast<long>(size));
  owner->gather(dataOf(x), dataOf(x) + owner->positions());
  CVodeSetErrHandlerFn(
      cvode, [](int, const char*, const char*, char*, void*) {}, nullptr);
  check(CVodeInit(cvode, rhs, owner->step_end_, x), "initialisation");
  check(CVodeSetUserData(cvode, this), "user data");
  check(CVodeWFtolerances(cvode, weights), "tolerances");
  setOrigin();
  // Enough to come from any step down to the rounding of its instant.
  check(CVodeSetMaxErrTestFails(cvode, 100), "failures of a step");
  // Where nothing has moved yet the first step is next to nothing: ten decades are to be made good.
  check(CVodeSetEtaMaxEarlyStep(cvode, 100), "growth of the first steps");
  check(CVodeSetMaxOrd(cvode, bdf ? owner->max_bdf_ : owner->max_adams_), "highest order");
  if (owner->smallest_ > 0) check(CVodeSetMinStep(cvode, owner->smallest_), "least step");
  if (owner->largest_ > 0) check(CVodeSetMaxStep(cvode, owner->largest_), "largest step");
  if (bdf) {
    matrix = SUNDenseMatrix(size, size, context);
    linear = SUNLinSol_Dense(x, matrix, context);
    check(CVodeSetLinearSolver(cvode, linear, matrix), "linear solver");
    jacobians = owner->use_jacobians_;
    for (const int number : owner->systems()) {
      const auto& ds = *static_cast<SecondOrderDS*>(owner->model().systemAt(number));
      if (!ds.hasForceJacobians() || ds.slot().nq != ds.slot().nv) jacobians = false;
    }
    if (jacobians) check(CVodeSetJacFn(cvode, jacobian), "Jacobian");
    check(CVodeSetStabLimDet(cvode, 1), "detection of stability limits");
  } else {
    nonlinear = SUNNonlinSol_FixedPoint(x, 0, context);
    check(CVodeSetNonlinearSolver(cvode, nonlinear), "corrector");
  }
  changed = false;
}

LsodarOSI::LsodarOSI() : work_(std::make_unique<Work>()) { work_->owner = this; }

LsodarOSI::LsodarOSI(const DynamicalSystemsSet& systems, Simulation* simulation) : LsodarOSI() {
  for (DynamicalSystem* system : systems) Link<Simulation>(simulation)->associate(*this, *Link<DynamicalSystem>(system));
}

LsodarOSI::~LsodarOSI() = default;

bool LsodarOSI::usesBdf() const { return work_->bdf; }

void LsodarOSI::setMethod(Method method) {
  method_ = method;
  work_->bdf = method == Method::Bdf;
  work_->changed = true;
}

void LsodarOSI::setTol(double relative, double absolute) {
  if (!(relative >= 0) || !(absolute > 0)) fail("tolerances of LsodarOSI: relative %g, absolute %g", relative, absolute);
  relative_ = relative;
  absolute_ = absolute;
  work_->changed = true;
}

void LsodarOSI::setMinMaxStepSizes(double smallest, double largest) {
  // A largest step of 0 is no bound.
  if (!(smallest >= 0) || !(largest >= smallest || largest == 0))
    fail("steps of LsodarOSI: least %g, largest %g", smallest, largest);
  smallest_ = smallest;
  largest_ = largest;
  work_->changed = true;
}

void LsodarOSI::setMaxNstep(long steps) {
  if (steps < 1) fail("steps of LsodarOSI between two events: %ld", steps);
  max_steps_ = steps;
}

void LsodarOSI::setMaxOrder(int adams, int bdf) {
  if (adams < 1 || adams > 12 || bdf < 1 || bdf > 5) fail("orders of LsodarOSI: Adams %d (1 to 12), BDF %d (1 to 5)", adams, bdf);
  max_adams_ = adams;
  max_bdf_ = bdf;
  work_->changed = true;
}

void LsodarOSI::setUseJacobians(bool value) {
  use_jacobians_ = value;
  work_->changed = true;
}

void LsodarOSI::initialize(NonSmoothDynamicalSystem& new_model, std::vector<int> numbers) {
  EventDrivenOSI::initialize(new_model, std::move(numbers));
  work_->bdf = method_ == Method::Bdf;
  work_->changed = true;
}

void LsodarOSI::restart(double time) {
  Work& w = *work_;
  step_start_ = step_end_ = time;
  w.since_restart = w.failures_before = 0;
  if (w.changed) return w.create();
  double* x = dataOf(w.x);
  gather(x, x + positions());
  w.setOrigin();
  w.check(CVodeReInit(w.cvode, time, w.x), "restart");
}

// Adams' corrector fails where the motion is stiff: BDF from the next step on.
void LsodarOSI::chooseMethod() {
  Work& w = *work_;
  if (method_ != Method::Automatic || w.bdf || w.since_restart % window != 0) return;
  long failures = 0;
  CVodeGetNumNonlinSolvConvFails(w.cvode, &failures);
  if (static_cast<double>(failures - w.failures_before) > stiff_share * window) w.bdf = w.changed = true;
  w.failures_before = failures;
}

void LsodarOSI::step(double target, double barrier) {
  Work& w = *work_;
  if (w.changed) {
    interpolate(step_end_);
    restart(step_end_);
  }
  if (std::isfinite(barrier)) w.check(CVodeSetStopTime(w.cvode, barrier), "end of the interval");
  // The first step of all is guessed from the distance to the target, which must not be nothing.
  target = std::min(barrier, std::max(target, step_end_ + 1e-6 * std::max(1e-3, std::abs(step_end_))));
  double reached = step_end_;
  w.check(CVode(w.cvode, target, w.x, &reached, CV_ONE_STEP), "step");
  w.noteMoves();
  w.noteStep(step_end_, reached);
  step_start_ = step_end_;
  step_end_ = reached;
  ++steps_;
  if (++w.since_restart > max_steps_) fail("LsodarOSI: %ld steps after an event, at t = %.17g", max_steps_, reached);
  chooseMethod();
}

void LsodarOSI::interpolate(double time) {
  Work& w = *work_;
  const double* x = dataOf(w.x);
  if (time != step_end_) {
    w.check(CVodeGetDky(w.cvode, time, 0, w.out), "continuous output");
    x = dataOf(w.out);
  }
  scatter(x, x + positions());
}

}  // namespace nonsmooth::kernel
