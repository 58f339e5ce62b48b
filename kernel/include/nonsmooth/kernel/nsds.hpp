// The model: systems, interactions, and who is linked to whom.
#ifndef NONSMOOTH_KERNEL_NSDS_HPP
#define NONSMOOTH_KERNEL_NSDS_HPP

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "nonsmooth/kernel/first_order.hpp"
#include "nonsmooth/kernel/interaction.hpp"
#include "nonsmooth/kernel/lagrangian.hpp"
#include "nonsmooth/kernel/newton_euler.hpp"
#include "nonsmooth/kernel/state_stream.hpp"

namespace nonsmooth::kernel {

// An interaction of a saved state, which the model at hand does not have.
struct SavedInteraction {
  int place = -1;  // in the table of interactions
  // As in its InteractionHandle.
  std::uint32_t generation = 0;
  // Interaction::tag.
  std::int64_t tag = 0;
  std::string law, relation;  // kind of the law, class of the relation
  // Rows of its law.
  Index rows = 0;
  std::array<int, 2> system = {-1, -1};  // numbers of the linked systems; -1: the outside
};

// Holds the state of everything in flat arrays. Systems and interactions may be added and removed between steps; their memory is
// used again. One thread at a time; models are independent of each other.
class NonSmoothDynamicalSystem {
 public:
  explicit NonSmoothDynamicalSystem(double t0 = 0.0, double T = std::numeric_limits<double>::infinity());
  ~NonSmoothDynamicalSystem();
  NonSmoothDynamicalSystem(const NonSmoothDynamicalSystem&) = delete;
  NonSmoothDynamicalSystem& operator=(const NonSmoothDynamicalSystem&) = delete;

  // Initial and final time; a new final time.
  double t0() const { return t0_; }
  double finalT() const { return T_; }
  void setT(double T);

  // Returns its number. A system belongs to one model at most.
  int insertDynamicalSystem(Link<DynamicalSystem> system);
  // Refused while an interaction is linked to it.
  void removeDynamicalSystem(const DynamicalSystem& system);
  // By its number in the model.
  DynamicalSystem& dynamicalSystem(int number) const;
  // How often the place of that number has been given away: tells a system from one that has taken its number.
  std::uint32_t systemGeneration(int number) const { return system_generations_[static_cast<std::size_t>(number)]; }
  // Systems in the model.
  Index numberOfDynamicalSystems() const { return alive_systems_; }

  // The systems must have been inserted. Refuses pairs that do not fit, naming them.
  InteractionHandle link(Link<Interaction> interaction, DynamicalSystem& first);
  InteractionHandle link(Link<Interaction> interaction, DynamicalSystem& first, DynamicalSystem& second);
  InteractionHandle link(Link<Interaction> interaction, Link<DynamicalSystem> first) { return link(interaction, *first); }
  InteractionHandle link(Link<Interaction> interaction, Link<DynamicalSystem> first, Link<DynamicalSystem> second) {
    return link(interaction, *first, *second);
  }
  // Takes it out of the model; it keeps its outputs and multipliers.
  void removeInteraction(const Interaction& interaction);
  void removeInteraction(InteractionHandle handle);
  // Throws if it has been removed.
  Interaction& interaction(InteractionHandle handle) const;
  // Is it in the model?
  bool isLinked(InteractionHandle handle) const;
  // Interactions in the model.
  Index numberOfInteractions() const { return alive_interactions_; }

  // All systems and relations linear with constant matrices.
  bool isLinear() const;
  // Sum of kinetic energies of mechanical systems [J].
  double kineticEnergy() const;
  // Sum of potential energies of mechanical systems; nothing where one of them is not known.
  std::optional<double> potentialEnergy() const;
  // Throws, naming the system and the entry, unless all states are finite.
  void requireFiniteState(double time) const;
  // Systems and interactions as text.
  std::string display() const;
  // Compares the user's Jacobians with central differences; throws naming the worst.
  void checkJacobians(double time, double tolerance = 1e-6);

  // For saving and resuming runs (checkpoint.hpp).
  void save(StateWriter& out) const;
  // Throws where the state is not one of this model, and changes nothing.
  void checkState(StateReader in) const;
  // Checks it, then reads it. Interactions that are in the file but not in the model are given to `link`, in the order of their
  // places.
  void restore(StateReader& in, const std::function<bool(const SavedInteraction&)>& link);

  // Counts changes of what is in the model, and of what its systems ask of integrators.
  unsigned long topologyVersion() const { return topology_version_ + states_.demands(); }
  // Counts insertions and removals of systems.
  unsigned long systemsVersion() const { return systems_version_; }

  // For integrators and problems: the tables and arrays themselves. Entries may be null or dead.
  const std::vector<DynamicalSystem*>& systems() const { return systems_; }
  std::vector<InteractionRecord>& records() { return records_; }
  const std::vector<InteractionRecord>& records() const { return records_; }
  // By number, unchecked.
  DynamicalSystem* systemAt(Index number) const { return systems_[static_cast<std::size_t>(number)]; }
  InteractionRecord& recordAt(Index index) { return records_[static_cast<std::size_t>(index)]; }
  const InteractionRecord& recordAt(Index index) const { return records_[static_cast<std::size_t>(index)]; }
  StateStore& states() { return states_; }
  OutputStore& outputs() { return outputs_; }
  MatrixView block(const InteractionRecord& record, Block which) {
    const Index rows = record.y.rows, motion = record.totalMotion();
    double* data = blocks_.data() + record.block[static_cast<std::size_t>(which)];
    if (which == Block::C) return {data, rows, motion};
    return which == Block::B ? MatrixView(data, motion, rows) : MatrixView(data, rows, rows);
  }
  const double* blocks() { return blocks_.data(); }  // where those of all records start
  // The point at which the relation of a record stands now; views of one scratch vector, valid until the next call.
  // Multipliers are multiplied by `scale`: relations take forces, schemes may work with impulses.
  RelationPoint point(const InteractionRecord& record, double time, int multiplier_level, double scale = 1.0);
  // C, B and D of a record at a point; those of linear relations only once.
  void updateMatrices(InteractionRecord& record, const RelationPoint& at);
  // y[0] := h at a point, the matrices there if so wanted, and y[1] := y' of a mechanical record.
  void evaluateOutputs(InteractionRecord& record, const RelationPoint& at, bool with_matrices = true);
  // Counts their computations, for all that use them, whoever has asked for one: several simulations may share a model.
  unsigned long matricesVersion() const { return matrices_version_; }
  // What has become of relations that were changed after they were linked: linear or not, with D or without. Such a change counts
  // as one of the topology.
  void followRelations();
  // Input of that level of the systems += B lambda, or C' lambda.
  void addInput(const InteractionRecord& record, int level);
  // rate := y' = C v + dh/dt of a mechanical record at a point, with the C evaluated last; rate += dh/dt, where there is any.
  void outputRate(const InteractionRecord& record, const RelationPoint& at, VectorView rate);
  void addTimeDerivative(const InteractionRecord& record, const RelationPoint& at, VectorView rate);
  // q := C value summed over the systems of the record; the same added to q.
  void outputOf(const InteractionRecord& record, Motion field, VectorView q);
  void addOutputOf(const InteractionRecord& record, Motion field, VectorView q);
  // input[level] (r, or p[level]) of all systems := sum over `active` of B lambda[level] (mechanics: C' lambda[level]).
  void gatherInputs(int level, const std::vector<int>& active);

 private:
  static void holdRelation(Interaction& interaction);
  int takePlace();
  Index placeOf(const InteractionRecord& record, Index j) const;
  void addInputOfColumns(const InteractionRecord& record, const double* lambda, double* inputs);
  void moveOutputs(Interaction& interaction, const OutputSlot& slot);
  InteractionHandle insertRecord(Link<Interaction>& interaction, DynamicalSystem& first, DynamicalSystem* second);
  void checkPair(const Interaction& interaction, const DynamicalSystem& system) const;
  void checkMember(const DynamicalSystem& system) const;
  void saveSystem(const DynamicalSystem& system, StateWriter& out) const;
  void restoreInteraction(const SavedInteraction& saved, StateReader& in,
                          const std::function<bool(const SavedInteraction&)>& link);
  void checkInteraction(const SavedInteraction& saved, StateReader& in) const;
  void restoreSystems(StateReader& in);
  void restoreInteractions(StateReader& in, const std::function<bool(const SavedInteraction&)>& link);
  void requireSame(const SavedInteraction& saved, const StateReader& in) const;

  double t0_, T_;
  StateStore states_;
  OutputStore outputs_;
  BlockStore blocks_;
  std::vector<DynamicalSystem*> systems_;
  std::vector<std::shared_ptr<DynamicalSystem>> system_owners_;
  std::vector<Index> links_of_system_;
  std::vector<std::uint32_t> system_generations_;
  std::vector<InteractionRecord> records_;
  std::vector<std::shared_ptr<Interaction>> interaction_owners_;
  std::vector<int> free_systems_, free_records_;
  Index alive_systems_ = 0, alive_interactions_ = 0;
  unsigned long topology_version_ = 0, systems_version_ = 0, matrices_version_ = 0;
  Vector gathered_q_, gathered_v_, scaled_lambda_, time_derivative_;
};

}  // namespace nonsmooth::kernel
#endif
