// Interactions: one block of a nonsmooth problem, made of a law, a relation and one or two systems.
#ifndef NONSMOOTH_KERNEL_INTERACTION_HPP
#define NONSMOOTH_KERNEL_INTERACTION_HPP

#include <cstdint>
#include <memory>

#include "nonsmooth/kernel/interaction_store.hpp"
#include "nonsmooth/kernel/link.hpp"

namespace nonsmooth::kernel {

// Names an interaction of a model; stays recognisably stale after its removal, even when its place is taken by another one.
struct InteractionHandle {
  // Place in the model's table.
  std::int32_t index = -1;
  // How often that place has been given away.
  std::uint32_t generation = 0;
  // The same interaction?
  friend bool operator==(const InteractionHandle&, const InteractionHandle&) = default;
};

// The contents live in the model's arrays while linked (NonSmoothDynamicalSystem::link), in the object's own before and after.
// Views are valid until interactions are linked or removed.
class Interaction {
 public:
  Interaction(Link<NonSmoothLaw> law, Link<Relation> relation);
  ~Interaction();
  Interaction(const Interaction&) = delete;
  Interaction& operator=(const Interaction&) = delete;

  // Rows of y and lambda.
  Index dimension() const { return law_->size(); }
  // What it was made of.
  NonSmoothLaw& nonSmoothLaw() const { return *law_; }
  Relation& relation() const { return *relation_; }
  // Output y[level] and multiplier lambda[level], level 0, 1 or 2. At velocity level (1) lambda is an impulse.
  VectorView y(int level) const { return store_->view(outputField(level), y_); }
  VectorView lambda(int level) const { return store_->view(multiplierField(level), y_); }
  // y[level] (0 or 1) at the start of the step.
  VectorView yOld(int level) const {
    if (level != 0 && level != 1) fail("y at the start of a step has levels 0 and 1, not %d", level);
    return store_->view(level == 0 ? Output::y0Old : Output::y1Old, y_);
  }
  // A number of the user's own, for output and for resuming a run; 0 unless set.
  std::int64_t tag() const { return tag_; }
  void setTag(std::int64_t tag) { tag_ = tag; }
  // Place in the model; invalid outside one.
  InteractionHandle handle() const { return handle_; }
  bool isLinked() const { return handle_.index >= 0; }
  // What it consists of, as text.
  std::string display() const;

  // Fields of the model's arrays in which y and lambda of a level stand.
  static Output outputField(int level) { return fieldOf(level, Output::y0); }
  static Output multiplierField(int level) { return fieldOf(level, Output::lambda0); }

 private:
  friend class NonSmoothDynamicalSystem;
  static Output fieldOf(int level, Output first) {
    if (level < 0 || level > 2) fail("y and lambda have levels 0, 1 and 2, not %d", level);
    return static_cast<Output>(static_cast<int>(first) + level);
  }
  Link<NonSmoothLaw> law_;
  Link<Relation> relation_;
  std::unique_ptr<OutputStore> own_;
  OutputStore* store_;
  OutputSlot y_;
  InteractionHandle handle_;
  std::shared_ptr<void> link_;  // while it is linked; to a relation that keeps its contact
  std::int64_t tag_ = 0;
};

}  // namespace nonsmooth::kernel
#endif
