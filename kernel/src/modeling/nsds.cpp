#include "nonsmooth/kernel/nsds.hpp"

#include "modeling/small_product.hpp"

namespace nonsmooth::kernel {
namespace {

// Relations act on systems of their own kind.
bool fits(RelationFamily relation, SystemKind system) {
  switch (relation) {
    case RelationFamily::FirstOrder: return system == SystemKind::FirstOrder;
    case RelationFamily::Lagrangian: return system == SystemKind::Lagrangian;
    case RelationFamily::NewtonEuler: return system == SystemKind::NewtonEuler;
  }
  return false;
}

void gather(const double* a, Index length_a, const double* b, Index length_b, double* out) {
  for (Index k = 0; k < length_a; ++k) out[k] = a[k];
  for (Index k = 0; k < length_b; ++k) out[length_a + k] = b[k];
}

bool isImpactLaw(LawKind kind) {
  return kind == LawKind::NewtonImpact || kind == LawKind::NewtonImpactFriction || kind == LawKind::NewtonImpactRollingFriction ||
         kind == LawKind::MultipleImpact;
}

}  // namespace

NonSmoothDynamicalSystem::NonSmoothDynamicalSystem(double t0, double T) : t0_(t0), T_(T) {
  if (!(t0 < T)) fail("the final time %.17g is not after the initial time %.17g", T, t0);
}

NonSmoothDynamicalSystem::~NonSmoothDynamicalSystem() {
  for (auto& record : records_)
    if (record.object != nullptr) removeInteraction(record.object->handle());
  for (DynamicalSystem* system : systems_)
    if (system != nullptr) system->moveOut();
}

void NonSmoothDynamicalSystem::setT(double T) {
  if (!(t0_ < T)) fail("the final time %.17g is not after the initial time %.17g", T, t0_);
  T_ = T;
}

int NonSmoothDynamicalSystem::insertDynamicalSystem(Link<DynamicalSystem> system) {
  if (system->number() >= 0) fail("%s number %d is in a model already", system->className(), system->number());
  int number = static_cast<int>(systems_.size());
  if (free_systems_.empty()) {
    systems_.push_back(nullptr);
    system_owners_.emplace_back();
    links_of_system_.push_back(0);
    system_generations_.push_back(0);
  } else {
    number = free_systems_.back();
    free_systems_.pop_back();
  }
  const auto place = static_cast<std::size_t>(number);
  system->moveTo(states_, number);
  systems_[place] = system.get();
  system_owners_[place] = system.shared();
  ++alive_systems_;
  ++topology_version_;
  ++systems_version_;
  return number;
}

void NonSmoothDynamicalSystem::checkMember(const DynamicalSystem& system) const {
  const int number = system.number();
  if (number < 0 || number >= static_cast<int>(systems_.size()) || systemAt(number) != &system)
    fail("a %s that is not in this model (insertDynamicalSystem comes first)", system.className());
}

void NonSmoothDynamicalSystem::removeDynamicalSystem(const DynamicalSystem& system) {
  checkMember(system);
  const auto place = static_cast<std::size_t>(system.number());
  if (links_of_system_[place] > 0)
    fail("system %zu still has %lld interactions: remove them first", place, static_cast<long long>(links_of_system_[place]));
  free_systems_.push_back(system.number());
  systems_[place]->moveOut();
  systems_[place] = nullptr;
  system_owners_[place].reset();
  ++system_generations_[place];
  --alive_systems_;
  ++topology_version_;
  ++systems_version_;
}

DynamicalSystem& NonSmoothDynamicalSystem::dynamicalSystem(int number) const {
  if (number < 0 || number >= static_cast<int>(systems_.size()) || systemAt(number) == nullptr)
    fail("no system has number %d", number);
  return *systemAt(number);
}

InteractionHandle NonSmoothDynamicalSystem::link(Link<Interaction> interaction, DynamicalSystem& first) {
  return insertRecord(interaction, first, nullptr);
}

InteractionHandle NonSmoothDynamicalSystem::link(Link<Interaction> interaction, DynamicalSystem& first, DynamicalSystem& second) {
  return insertRecord(interaction, first, &second);
}

void NonSmoothDynamicalSystem::checkPair(const Interaction& interaction, const DynamicalSystem& system) const {
  checkMember(system);
  const Relation& relation = interaction.relation();
  if (!fits(relation.family(), system.kind()))
    fail("relation %s does not apply to system %s", relation.className(), system.className());
  if (system.kind() == SystemKind::FirstOrder && isImpactLaw(interaction.nonSmoothLaw().kind()))
    fail("law %s does not apply to system %s: impacts are laws of mechanical systems", name(interaction.nonSmoothLaw().kind()),
         system.className());
}

// The contact of another interaction would be taken for this one's.
void NonSmoothDynamicalSystem::holdRelation(Interaction& interaction) {
  Relation& relation = interaction.relation();
  if (!relation.keepsContact()) return;
  if (!relation.served_.expired())
    fail("relation %s serves another interaction: it keeps the contact of one, give each its own", relation.className());
  interaction.link_ = std::make_shared<char>();
  relation.served_ = interaction.link_;
}

// The place of a record, one that has been given back where there is one.
int NonSmoothDynamicalSystem::takePlace() {
  if (free_records_.empty()) {
    records_.emplace_back();
    interaction_owners_.emplace_back();
    return static_cast<int>(records_.size()) - 1;
  }
  const int place = free_records_.back();
  free_records_.pop_back();
  return place;
}

// Its outputs move into the model's arrays.
void NonSmoothDynamicalSystem::moveOutputs(Interaction& interaction, const OutputSlot& slot) {
  OutputStore::copy(*interaction.store_, interaction.y_, outputs_, slot);
  interaction.own_.reset();
  interaction.store_ = &outputs_;
  interaction.y_ = slot;
}

InteractionHandle NonSmoothDynamicalSystem::insertRecord(Link<Interaction>& interaction, DynamicalSystem& first,
                                                         DynamicalSystem* second) {
  if (interaction->isLinked()) fail("interaction %d is linked already", interaction->handle().index);
  checkPair(*interaction, first);
  if (second != nullptr) checkPair(*interaction, *second);
  if (second == &first) fail("an interaction links two different systems, not number %d with itself", first.number());
  const Index rows = interaction->dimension();
  const Index second_motion = second != nullptr ? second->dimension() : 0;
  const Index motion = first.dimension() + second_motion;
  const Index coordinates = first.slot().nq + (second != nullptr ? second->slot().nq : 0);
  interaction->relation().checkSizes(rows, coordinates, motion);
  holdRelation(*interaction);

  const int index = takePlace();
  InteractionRecord& record = recordAt(index);
  record.object = interaction.get();
  record.law = &interaction->nonSmoothLaw();
  record.relation = &interaction->relation();
  record.system = {first.number(), second != nullptr ? second->number() : -1};
  record.motion = {first.dimension(), second_motion};
  record.y = outputs_.insert(rows);
  record.block[0] = blocks_.insert(rows * motion);
  record.block[1] = record.relation->family() == RelationFamily::FirstOrder ? blocks_.insert(rows * motion) : -1;
  record.block[2] = record.relation->hasD() ? blocks_.insert(rows * rows) : -1;
  record.linear = record.relation->isLinear();
  record.followed_version = record.relation->version();
  record.fresh = false;
  moveOutputs(*interaction, record.y);
  interaction->handle_ = {index, record.generation};
  interaction_owners_[static_cast<std::size_t>(index)] = interaction.shared();
  for (const Index system : record.system)
    if (system >= 0) ++links_of_system_[static_cast<std::size_t>(system)];
  gathered_q_.conservativeResize(std::max(gathered_q_.size(), coordinates));
  gathered_v_.conservativeResize(std::max(gathered_v_.size(), motion));
  scaled_lambda_.conservativeResize(std::max(scaled_lambda_.size(), rows));
  time_derivative_.conservativeResize(std::max(time_derivative_.size(), rows));
  ++alive_interactions_;
  ++topology_version_;
  return interaction->handle_;
}

bool NonSmoothDynamicalSystem::isLinked(InteractionHandle handle) const {
  if (handle.index < 0 || handle.index >= static_cast<int>(records_.size())) return false;
  const InteractionRecord& record = recordAt(handle.index);
  return record.object != nullptr && record.generation == handle.generation;
}

Interaction& NonSmoothDynamicalSystem::interaction(InteractionHandle handle) const {
  if (!isLinked(handle)) fail("interaction %d (generation %u) is not in the model, or no more", handle.index, handle.generation);
  return *recordAt(handle.index).object;
}

void NonSmoothDynamicalSystem::removeInteraction(const Interaction& linked) {
  // Handles of two models may be equal: only the object tells whose it is.
  const InteractionHandle handle = linked.handle();
  if (&interaction(handle) != &linked)
    fail("interaction %d (generation %u) is one of another model", handle.index, handle.generation);
  removeInteraction(handle);
}

void NonSmoothDynamicalSystem::removeInteraction(InteractionHandle handle) {
  Interaction& object = interaction(handle);
  InteractionRecord& record = recordAt(handle.index);
  object.own_ = std::make_unique<OutputStore>();
  object.y_ = object.own_->insert(record.y.rows);
  OutputStore::copy(outputs_, record.y, *object.own_, object.y_);
  object.store_ = object.own_.get();
  object.handle_ = {};
  object.link_.reset();
  outputs_.erase(record.y);
  const Index rows = record.y.rows, motion = record.totalMotion();
  const std::array<Index, 3> length = {rows * motion, rows * motion, rows * rows};
  for (std::size_t k = 0; k < length.size(); ++k)
    if (record.block[k] >= 0) blocks_.erase(record.block[k], length[k]);
  for (const Index system : record.system)
    if (system >= 0) --links_of_system_[static_cast<std::size_t>(system)];
  const std::uint32_t generation = record.generation + 1;
  record = InteractionRecord();
  record.generation = generation;
  free_records_.push_back(handle.index);
  interaction_owners_[static_cast<std::size_t>(handle.index)].reset();
  --alive_interactions_;
  ++topology_version_;
}

bool NonSmoothDynamicalSystem::isLinear() const {
  for (const DynamicalSystem* system : systems_)
    if (system != nullptr && !system->isLinear()) return false;
  for (const InteractionRecord& record : records_)
    if (record.object != nullptr && !record.relation->isLinear()) return false;
  return true;
}

double NonSmoothDynamicalSystem::kineticEnergy() const {
  double energy = 0;
  for (DynamicalSystem* system : systems_)
    if (auto* mechanical = dynamic_cast<SecondOrderDS*>(system)) energy += mechanical->kineticEnergy();
  return energy;
}

std::optional<double> NonSmoothDynamicalSystem::potentialEnergy() const {
  double energy = 0;
  for (const DynamicalSystem* system : systems_)
    if (const auto* mechanical = dynamic_cast<const SecondOrderDS*>(system)) {
      const std::optional<double> part = mechanical->potentialEnergy();
      if (!part) return std::nullopt;
      energy += *part;
    }
  return energy;
}

void NonSmoothDynamicalSystem::requireFiniteState(double time) const {
  for (const DynamicalSystem* system : systems_)
    if (system != nullptr) system->requireFiniteState(time);
}

std::string NonSmoothDynamicalSystem::display() const {
  std::string text = std::to_string(alive_systems_) + " systems, " + std::to_string(alive_interactions_) + " interactions\n";
  for (const DynamicalSystem* system : systems_)
    if (system != nullptr) text += system->display();
  for (const InteractionRecord& record : records_)
    if (record.object != nullptr) text += record.object->display();
  return text;
}

void NonSmoothDynamicalSystem::checkJacobians(double time, double tolerance) {
  for (DynamicalSystem* system : systems_)
    if (system != nullptr) system->checkJacobians(time, tolerance);
  for (const InteractionRecord& record : records_)
    if (record.object != nullptr) record.relation->checkJacobians(point(record, time, 0), record.y.rows, tolerance);
}

// Windows are made where they are returned: one made before is copied as it is being written, which the processor waits for.
RelationPoint NonSmoothDynamicalSystem::point(const InteractionRecord& record, double time, int multiplier_level, double scale) {
  const DynamicalSystem& first = *systemAt(record.system[0]);
  const StateSlot& a = first.slot();
  const bool first_order = first.kind() == SystemKind::FirstOrder;
  const Index rows = record.y.rows;
  const double* lambda = outputs_.view(Interaction::multiplierField(multiplier_level), record.y).data();
  if (scale != 1.0) {
    scaled_lambda_.head(rows) = scale * ConstVectorView(lambda, rows);
    lambda = scaled_lambda_.data();
  }
  const double *v = states_.data(Motion::v), *q = states_.data(Coordinate::q);
  if (record.system[1] < 0) {
    const double* x = first_order ? v + a.v : q + a.q;
    return {time, ConstVectorView(x, first_order ? a.nv : a.nq), ConstVectorView(v + a.v, a.nv), ConstVectorView(lambda, rows)};
  }
  const StateSlot& b = systemAt(record.system[1])->slot();
  gather(v + a.v, a.nv, v + b.v, b.nv, gathered_v_.data());
  if (!first_order) gather(q + a.q, a.nq, q + b.q, b.nq, gathered_q_.data());
  const double* x = first_order ? gathered_v_.data() : gathered_q_.data();
  return {time, ConstVectorView(x, first_order ? a.nv + b.nv : a.nq + b.nq), ConstVectorView(gathered_v_.data(), a.nv + b.nv),
          ConstVectorView(lambda, rows)};
}

void NonSmoothDynamicalSystem::updateMatrices(InteractionRecord& record, const RelationPoint& at) {
  Relation& relation = *record.relation;
  if (record.linear && record.fresh && record.relation_version == relation.version()) return;
  const MatrixView C = block(record, Block::C);
  relation.evaluateC(at, C);
  record.columns.clear();
  if (record.linear) record.columns = fewColumns(C.data(), C.rows(), C.cols());
  if (record.hasB()) relation.evaluateB(at, block(record, Block::B));
  if (record.hasD()) relation.evaluateD(at, block(record, Block::D));
  record.relation_version = relation.version();
  ++matrices_version_;
}

// Geometry first: contacts keep their points from the evaluation of h.
void NonSmoothDynamicalSystem::evaluateOutputs(InteractionRecord& record, const RelationPoint& at, bool with_matrices) {
  record.relation->evaluateh(at, outputs_.view(Output::y0, record.y));
  if (with_matrices) updateMatrices(record, at);
  if (record.relation->family() != RelationFamily::FirstOrder) outputRate(record, at, outputs_.view(Output::y1, record.y));
}

void NonSmoothDynamicalSystem::followRelations() {
  for (InteractionRecord& record : records_) {
    if (record.object == nullptr || record.followed_version == record.relation->version()) continue;
    record.followed_version = record.relation->version();
    const bool linear = record.relation->isLinear(), gains_D = record.relation->hasD() && !record.hasD();
    if (linear == record.linear && !gains_D) continue;
    record.linear = linear;
    if (gains_D) record.block[static_cast<std::size_t>(Block::D)] = blocks_.insert(record.y.rows * record.y.rows);
    ++topology_version_;
  }
}

void NonSmoothDynamicalSystem::outputRate(const InteractionRecord& record, const RelationPoint& at, VectorView rate) {
  const double* C = block(record, Block::C).data();
  if (record.columns.empty())
    product(C, at.v, rate);
  else
    productOfColumns(
        C, record.columns, [&](Index j) { return at.v[j]; }, rate);
  addTimeDerivative(record, at, rate);
}

void NonSmoothDynamicalSystem::addTimeDerivative(const InteractionRecord& record, const RelationPoint& at, VectorView rate) {
  if (!record.relation->hasTimeDerivative()) return;
  auto partial = time_derivative_.head(rate.size());
  partial.setZero();
  record.relation->evaluateTimeDerivative(at, partial);
  rate += partial;
}

// The place of column j of C in the motion fields of a model.
Index NonSmoothDynamicalSystem::placeOf(const InteractionRecord& record, Index j) const {
  const bool second = j >= record.motion[0];
  return systemAt(record.system[second ? 1 : 0])->slot().v + (second ? j - record.motion[0] : j);
}

// Inputs begin as +0 where they are gathered.
void NonSmoothDynamicalSystem::addInputOfColumns(const InteractionRecord& record, const double* lambda, double* inputs) {
  const Index rows = record.y.rows;
  const double* C = block(record, Block::C).data();
  for (const Index j : record.columns)
    addTransposedProduct(C + j * rows, lambda, rows, VectorView(inputs + placeOf(record, j), 1));
}

void NonSmoothDynamicalSystem::addInput(const InteractionRecord& record, int level) {
  const double* lambda = outputs_.view(Interaction::multiplierField(level), record.y).data();
  double* inputs = states_.data(inputField(level));
  const bool with_B = record.hasB();
  if (!with_B && !record.columns.empty()) return addInputOfColumns(record, lambda, inputs);
  const MatrixView matrix = block(record, with_B ? Block::B : Block::C);
  Index k = 0;
  for (std::size_t side = 0; side < record.sides(); ++side) {
    double* input = inputs + systemAt(record.system[side])->slot().v;
    const Index motion = record.motion[side];
    if (with_B)
      for (Index i = 0; i < record.y.rows; ++i)
        for (Index j = 0; j < motion; ++j) input[j] += matrix(k + j, i) * lambda[i];
    else
      addTransposedProduct(matrix.data() + k * record.y.rows, lambda, record.y.rows, VectorView(input, motion));
    k += motion;
  }
}

void NonSmoothDynamicalSystem::outputOf(const InteractionRecord& record, Motion field, VectorView q) {
  const double* values = states_.data(field);
  const double* C = block(record, Block::C).data();
  if (!record.columns.empty())
    return productOfColumns(
        C, record.columns, [&](Index j) { return values[placeOf(record, j)]; }, q);
  const StateSlot& a = systemAt(record.system[0])->slot();
  product(C, ConstVectorView(values + a.v, a.nv), q);
  if (record.system[1] < 0) return;
  const StateSlot& b = systemAt(record.system[1])->slot();
  addProduct(C + a.nv * q.size(), values + b.v, b.nv, q);
}

void NonSmoothDynamicalSystem::addOutputOf(const InteractionRecord& record, Motion field, VectorView q) {
  const double* C = block(record, Block::C).data();
  const double* values = states_.data(field);
  for (std::size_t side = 0; side < record.sides(); ++side) {
    const StateSlot& slot = systemAt(record.system[side])->slot();
    addProduct(C, values + slot.v, slot.nv, q);
    C += slot.nv * q.size();
  }
}

void NonSmoothDynamicalSystem::gatherInputs(int level, const std::vector<int>& active) {
  states_.clear(inputField(level));
  for (const int index : active) addInput(recordAt(index), level);
}

}  // namespace nonsmooth::kernel
