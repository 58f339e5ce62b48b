#include "nonsmooth/kernel/state_store.hpp"

#include <algorithm>

namespace nonsmooth::kernel {
namespace {

template <class Fields>
Index extend(Fields& fields, Index length) {
  const auto start = fields.front().size();
  for (auto& field : fields) field.resize(start + static_cast<std::size_t>(length), 0.0);
  return static_cast<Index>(start);
}

template <class Fields>
void copyRange(const Fields& from, Index source, Fields& to, Index target, Index length) {
  for (std::size_t f = 0; f < from.size(); ++f) std::copy_n(from[f].begin() + source, length, to[f].begin() + target);
}

template <class Fields>
void clearRange(Fields& fields, Index start, Index length) {
  for (auto& field : fields) std::fill_n(field.begin() + start, length, 0.0);
}

}  // namespace

StateSlot StateStore::insert(Index nq, Index nv) {
  auto& available = free_[{nq, nv}];
  if (available.empty()) return {extend(coordinates_, nq), extend(motions_, nv), nq, nv};
  const StateSlot slot = available.back();
  available.pop_back();
  clearRange(coordinates_, slot.q, nq);
  clearRange(motions_, slot.v, nv);
  return slot;
}

void StateStore::erase(const StateSlot& slot) { free_[{slot.nq, slot.nv}].push_back(slot); }

void StateStore::shift() { std::copy(all(Coordinate::old).begin(), all(Coordinate::old).end(), all(Coordinate::older).begin()); }

void StateStore::save() {
  std::copy(all(Coordinate::q).begin(), all(Coordinate::q).end(), all(Coordinate::old).begin());
  std::copy(all(Motion::v).begin(), all(Motion::v).end(), all(Motion::old).begin());
  std::copy(all(Motion::input0).begin(), all(Motion::input0).end(), all(Motion::inputOld).begin());
}

void StateStore::restore() {
  std::copy(all(Coordinate::old).begin(), all(Coordinate::old).end(), all(Coordinate::q).begin());
  std::copy(all(Motion::old).begin(), all(Motion::old).end(), all(Motion::v).begin());
  std::copy(all(Motion::inputOld).begin(), all(Motion::inputOld).end(), all(Motion::input0).begin());
}

void StateStore::clear(Motion field) { std::fill(all(field).begin(), all(field).end(), 0.0); }

void StateStore::copy(const StateStore& from, const StateSlot& source, StateStore& to, const StateSlot& target) {
  copyRange(from.coordinates_, source.q, to.coordinates_, target.q, source.nq);
  copyRange(from.motions_, source.v, to.motions_, target.v, source.nv);
}

}  // namespace nonsmooth::kernel
