// Direct re-use: the active sets of earlier solutions are tried by one small solve each, and Lemke's method finds what none of
// them is. For sequences of related problems (circuits with ideal diodes, relays), where the active set changes now and then.
#include "methods/frame/method.hpp"
#include "methods/pivoting/active_set_memory.hpp"

namespace nonsmooth {
namespace {

class Direct final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override {
    refuse_contacts_and_disks(view, "direct");
    remembers_ = ActiveSetMemory::treats(view);
    if (remembers_) memory_.setup(view);
    lemke_ = find_method("lemke")->create();
    lemke_->setup(view, options);
  }

  void update(Change change) override {
    if (remembers_ && change != Change::right_hand_side) memory_.forget_factors();
    lemke_->update(change);
  }

  Stop solve(std::span<double> z, Control& control) override {
    if (remembers_)
      if (const Stop stop = memory_.solve(z, control); stop != Stop::stalled) return stop;
    const Stop stop = lemke_->solve(z, control);
    if (remembers_ && stop == Stop::finished) memory_.learn(z);
    return stop;
  }

  std::span<const double> infeasibility_ray() const override { return lemke_->infeasibility_ray(); }

 private:
  ActiveSetMemory memory_;
  bool remembers_ = false;
  std::unique_ptr<Method> lemke_;
};

}  // namespace

extern const MethodEntry direct_method;
const MethodEntry direct_method{
    {sizeof(nsm_method_info), "direct", "active sets of earlier solutions, each one small linear solve; Lemke for new ones",
     "Kostreva 1978 for the exchanges; re-use of configurations as in circuit simulators",
     "as lemke; nothing is remembered beyond 128 unknowns", linear_classes, 1000000,
     "sequences of small problems with one matrix, as in circuits: an active set met before costs one small linear solve"},
    &make_method<Direct>};

}  // namespace nonsmooth
