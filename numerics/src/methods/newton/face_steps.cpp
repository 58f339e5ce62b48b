#include "methods/newton/face_steps.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/index.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

// Of a first step: where the residual grows so much, or so many blocks and a share of all change their status, the face is far
// from known.
constexpr double most_growth = 30, few_changes = 8, most_changes = 0.05;

}  // namespace

void FaceSteps::setup(const Inclusion& view, const Options&) {
  if (!ContactFace::treats(view))
    fail(NSM_UNSUPPORTED, "steps from face to face treat contacts and disks beside bounded and free rows only");
  view_ = &view;
  NewtonSystem::setup_shared(system_, view);
  face_.setup(view);
  for (Vector* v : {&scale_, &w_, &step_}) v->assign(at(view.size()), 0.0);
  read_scales();
}

void FaceSteps::update(Change change) {
  if (change != Change::matrix) return;
  system_->update(*view_);
  read_scales();
}

void FaceSteps::read_scales() {
  for (std::size_t b = 0; b < view_->blocks.size(); ++b)
    std::fill_n(scale_.begin() + view_->blocks[b].start, view_->blocks[b].size, system_->scale(b));
}

void FaceSteps::evaluate(std::span<const double> z) {
  std::copy(view_->q->begin(), view_->q->end(), w_.begin());
  multiply_add(*view_, z, w_);
}

// Row by row test . (M dz + w) + (curvature + proximal term) y = 0, where y = test . dz, for what is free, and
// d . dz_T = mu dz_N, with mu = 0 dz_T = 0, for a part that slides towards d, whose normal moves by (1, mu d).
void FaceSteps::write_contact(std::size_t b, std::span<const FaceDirection> directions) {
  const SetBlock& block = view_->blocks[b];
  const int size = block.size;
  const double scale = system_->scale(b);
  double *L = system_->left(b), *R = system_->right(b);
  for (const FaceDirection& direction : directions) {
    const int row = direction.row - block.start;
    for (int i = 0; i < size; ++i) {
      L[row + i * size] = direction.test[at(i)];
      R[row + i * size] = (direction.curvature + proximal_term * scale) * direction.test[at(i)];
    }
  }
  const int parts = rolls(block.kind) ? 2 : 1, part = (size - 1) / parts;
  for (int g = 0; g < parts; ++g) {
    if (!face_.slides(b, g)) continue;
    const double mu = g == 0 ? block.a : block.b;
    const int first = 1 + g * part, last = first + part - 1;
    if (!(mu > 0)) {
      for (int i = first; i <= last; ++i) R[i + i * size] = scale;
      continue;
    }
    R[last] = -scale * mu;
    for (int i = first; i <= last; ++i) R[last + i * size] = scale * directions.front().move[at(i)] / mu;
  }
}

// The same for a disk on whose bound z turns: d . dz = 0.
void FaceSteps::write_disk(std::size_t b, const FaceDirection& turning) {
  const double scale = system_->scale(b), across[2] = {turning.test[1], -turning.test[0]};
  double *L = system_->left(b), *R = system_->right(b);
  for (std::size_t i = 0; i < 2; ++i) {
    L[2 * i] = turning.test[i];
    R[2 * i] = (turning.curvature + proximal_term * scale) * turning.test[i];
    R[1 + 2 * i] = scale * across[i];
  }
}

bool FaceSteps::factorise() {
  std::span<const FaceDirection> rest = face_.directions();
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const auto entries = at(block.size) * at(block.size);
    double *L = system_->left(b), *R = system_->right(b);
    std::fill_n(L, entries, 0.0);
    std::fill_n(R, entries, 0.0);
    std::size_t count = 0;
    while (count < rest.size() && rest[count].start >= block.start && rest[count].start < block.start + block.size) ++count;
    if (has_friction(block.kind) && count > 0) {
      write_contact(b, rest.first(count));
    } else if (block.kind == SetKind::disk && count == 1) {
      write_disk(b, rest.front());
    } else {
      for (std::int32_t i = 0; i < block.size; ++i) {
        const auto diagonal = at(i) * at(block.size + 1);
        L[diagonal] = count > 0 ? 1 : 0;
        R[diagonal] = (count > 0 ? proximal_term : 1) * system_->scale(b);
      }
    }
    rest = rest.subspan(count);
  }
  const bool success = system_->factorise();
  factorisation_ = system_->factorisation();
  return success;
}

bool FaceSteps::leads_nowhere(const Control& control) const {
  return control.residual() > most_growth * control.best_residual() ||
         static_cast<double>(face_.changes()) > few_changes + most_changes * static_cast<double>(view_->blocks.size());
}

void FaceSteps::step(std::span<double> z) {
  std::fill(step_.begin(), step_.end(), 0.0);
  for (const FaceDirection& direction : face_.directions()) step_[at(direction.row)] = -direction.tested(w_.data());
  system_->solve(step_);
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += step_[i];
}

Stop FaceSteps::solve(std::span<double> z, Control& control) {
  factored_ = factored_ && system_->factorisation() == factorisation_;  // others use the system too
  iteration_ = 0;
  system_->begin();
  if (const Stop stop = control.check(0, z); stop != Stop::none) return stop;
  const Stop stop = follow(z, w_, scale_, control);
  return stop == Stop::none ? Stop::stalled : stop;
}

}  // namespace nonsmooth
