#include "nonsmooth/kernel/interaction.hpp"

#include <algorithm>

#include "modeling/text.hpp"

namespace nonsmooth::kernel {

OutputSlot OutputStore::insert(Index rows) {
  auto& available = free_[rows];
  if (!available.empty()) {
    const OutputSlot slot = available.back();
    available.pop_back();
    for (auto& field : values_) std::fill_n(field.begin() + slot.start, rows, 0.0);
    return slot;
  }
  const auto start = static_cast<Index>(values_.front().size());
  for (auto& field : values_) field.resize(static_cast<std::size_t>(start + rows), 0.0);
  return {start, rows};
}

void OutputStore::copy(const OutputStore& from, const OutputSlot& source, OutputStore& to, const OutputSlot& target) {
  for (std::size_t f = 0; f < from.values_.size(); ++f)
    std::copy_n(from.values_[f].begin() + source.start, source.rows, to.values_[f].begin() + target.start);
}

void OutputStore::save() {
  std::copy(all(Output::y0).begin(), all(Output::y0).end(), all(Output::y0Old).begin());
  std::copy(all(Output::y1).begin(), all(Output::y1).end(), all(Output::y1Old).begin());
}

void OutputStore::shift() { std::copy(all(Output::y0Old).begin(), all(Output::y0Old).end(), all(Output::y0Older).begin()); }

Index BlockStore::insert(Index length) {
  auto& available = free_[length];
  if (!available.empty()) {
    const Index start = available.back();
    available.pop_back();
    std::fill_n(values_.begin() + start, length, 0.0);
    return start;
  }
  const auto start = static_cast<Index>(values_.size());
  values_.resize(values_.size() + static_cast<std::size_t>(length), 0.0);
  return start;
}

Interaction::Interaction(Link<NonSmoothLaw> law, Link<Relation> relation)
    : law_(std::move(law)), relation_(std::move(relation)), own_(std::make_unique<OutputStore>()), store_(own_.get()) {
  y_ = own_->insert(law_->size());
}

Interaction::~Interaction() = default;

std::string Interaction::display() const {
  std::string text = std::string("Interaction ") + std::to_string(handle_.index) + ": " + name(law_->kind()) + ", " +
                     relation_->className() + "\n";
  for (int level = 0; level < 3; ++level) {
    const std::string suffix = "[" + std::to_string(level) + "]";
    text::line(text, ("y" + suffix).c_str(), y(level));
    text::line(text, ("lambda" + suffix).c_str(), lambda(level));
  }
  return text;
}

}  // namespace nonsmooth::kernel
