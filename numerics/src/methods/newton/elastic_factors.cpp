#include "methods/newton/elastic_factors.hpp"

#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "linalg/elimination_order.hpp"

namespace nonsmooth {
namespace {

constexpr double ordering_multiplications = 300;  // an entry: a factorisation that costs less is not worth an order

// Rows with entries in the columns of each contact, ascending.
struct TouchedRows {
  IndexVector start{0}, row;

  TouchedRows(const CscMatrix& H, std::int32_t d) {
    for (std::int32_t j = 0; j < H.cols; j += d) {
      const auto first = std::ssize(row);
      row.insert(row.end(), H.row_index.begin() + H.col_start[at(j)], H.row_index.begin() + H.col_start[at(j + d)]);
      std::sort(row.begin() + first, row.end());
      row.erase(std::unique(row.begin() + first, row.end()), row.end());
      start.push_back(static_cast<std::int32_t>(row.size()));
    }
  }
  std::int32_t contacts() const { return static_cast<std::int32_t>(start.size()) - 1; }
  std::span<const std::int32_t> of(std::int32_t contact) const {
    return std::span(row).subspan(at(start[at(contact)]), at(start[at(contact + 1)] - start[at(contact)]));
  }
};

// That of M, with all pairs of rows that one contact touches.
CscMatrix pattern(const ElasticBodies& bodies) {
  const CscMatrix& M = *bodies.M;
  const TouchedRows touched(*bodies.H, bodies.dimension);
  std::vector<IndexVector> contacts(at(M.cols));
  for (std::int32_t a = 0; a < touched.contacts(); ++a)
    for (const std::int32_t i : touched.of(a)) contacts[at(i)].push_back(a);
  CscMatrix S{M.rows, M.cols, {0}, {}, {}};
  S.row_index.reserve(M.row_index.size());
  for (std::int64_t j = 0; j < M.cols; ++j) {
    const auto first = std::ssize(S.row_index);
    S.row_index.insert(S.row_index.end(), M.row_index.begin() + M.col_start[at(j)], M.row_index.begin() + M.col_start[at(j + 1)]);
    for (const std::int32_t a : contacts[at(j)]) {
      const auto rows = touched.of(a);
      S.row_index.insert(S.row_index.end(), rows.begin(), rows.end());
    }
    std::sort(S.row_index.begin() + first, S.row_index.end());
    S.row_index.erase(std::unique(S.row_index.begin() + first, S.row_index.end()), S.row_index.end());
    S.col_start.push_back(checked_index(std::ssize(S.row_index), "M with its contacts"));
  }
  S.values.assign(S.row_index.size(), 0.0);
  return S;
}

}  // namespace

double ElasticFactors::work(const ElasticBodies& bodies, double limit) {
  const double ordering = ordering_multiplications * static_cast<double>(bodies.M->row_index.size());
  if (std::max(bodies.work, ordering) > limit) return HUGE_VAL;
  const CscMatrix S = pattern(bodies);
  return S.row_index == bodies.M->row_index ? bodies.work : find_elimination_order(S).work;
}

ElasticFactors::ElasticFactors(const Inclusion& view)
    : bodies_(*view.elastic),
      view_(&view),
      d_(bodies_.dimension),
      contacts_(static_cast<std::int32_t>(view.blocks.size())),
      S_(pattern(bodies_)),
      lu_(S_, false, view.workers),
      keep_(at(S_.cols), 1),
      woodbury_(d_, contacts_),
      y_(at(S_.cols)),
      u_(at(view.size())) {
  TouchedRows touched(*bodies_.H, d_);
  row_start_ = std::move(touched.start);
  row_ = std::move(touched.row);
  H_.resize(row_.size() * at(d_));
  place_entries();
  gather_H();
}

std::span<const std::int32_t> ElasticFactors::rows(std::int32_t contact) const {
  return std::span(row_).subspan(at(row_start_[at(contact)]), at(row_start_[at(contact + 1)] - row_start_[at(contact)]));
}

void ElasticFactors::place_entries() {
  const CscMatrix& M = *bodies_.M;
  const auto place = [this](std::int64_t i, std::int64_t j) { return static_cast<std::int32_t>(place_of(S_, i, j)); };
  for (std::int64_t j = 0; j < M.cols; ++j)
    for (std::int32_t k = M.col_start[at(j)]; k < M.col_start[at(j + 1)]; ++k) place_.push_back(place(M.row_index[at(k)], j));
  for (std::int32_t a = 0; a < contacts_; ++a) {
    pair_start_.push_back(std::ssize(pair_));
    for (const std::int32_t j : rows(a))
      for (const std::int32_t i : rows(a)) pair_.push_back(place(i, j));
  }
}

void ElasticFactors::gather_H() {
  const CscMatrix& H = *bodies_.H;
  std::fill(H_.begin(), H_.end(), 0.0);
  for (std::int32_t a = 0; a < contacts_; ++a)
    for (std::int32_t c = 0; c < d_; ++c) {
      auto row = rows(a).begin();
      for (std::int32_t k = H.col_start[at(a * d_ + c)]; k < H.col_start[at(a * d_ + c + 1)]; ++k) {
        row = std::lower_bound(row, rows(a).end(), H.row_index[at(k)]);
        H_[at((row_start_[at(a)] + (row - rows(a).begin())) * d_ + c)] = H.values[at(k)];
      }
    }
}

// M keeps its pattern while the view keeps its bodies.
bool ElasticFactors::update(const Inclusion& view) {
  if (view.elastic != &bodies_ || place_.size() != bodies_.M->row_index.size()) return false;
  view_ = &view;
  gather_H();
  return true;
}

// S += H_b R_b^-1 L_b H_b'.
void ElasticFactors::add_contact(std::int32_t contact) {
  double weighted[largest_contact];
  const std::size_t count = rows(contact).size();
  const double* H = H_.data() + at(row_start_[at(contact)]) * at(d_);
  const std::int32_t* place = pair_.data() + pair_start_[at(contact)];
  for (std::size_t j = 0; j < count; ++j) {
    woodbury_.apply_condition<0>(contact, H + j * at(d_), weighted);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < at(d_); ++c) sum += H[i * at(d_) + c] * weighted[c];
      S_.values[at(place[i + j * count])] += sum;
    }
  }
}

bool ElasticFactors::factorise(const NewtonBlocks& blocks, double shift, Precision precision) {
  shift_ = shift;
  std::fill(S_.values.begin(), S_.values.end(), 0.0);
  for (std::size_t k = 0; k < place_.size(); ++k) S_.values[at(place_[k])] = bodies_.M->values[k];
  for (std::int32_t a = 0; a < contacts_; ++a) {
    if (!woodbury_.invert<0>(blocks, a, shift)) return false;
    add_contact(a);
  }
  return lu_.factorise(keep_, precision);
}

void ElasticFactors::solve(const NewtonBlocks& blocks, std::span<double> x) {
  std::fill(y_.begin(), y_.end(), 0.0);
  const auto for_each_entry_of_H = [this](std::int32_t a, auto&& visit) {
    const double* H = H_.data() + at(row_start_[at(a)]) * at(d_);
    for (const std::int32_t i : rows(a))
      for (std::int32_t c = 0; c < d_; ++c) visit(at(i), c, *H++);
  };
  woodbury_.solve<0>(
      blocks, x, y_,
      [&](std::int32_t a, const double* v, double* y) {
        for_each_entry_of_H(a, [&](std::size_t i, std::int32_t c, double h) { y[i] += h * v[c]; });
      },
      [&](std::span<double> y) { lu_.solve(y); },
      [&](std::int32_t a, const double* y, double* u) {
        for_each_entry_of_H(a, [&](std::size_t i, std::int32_t c, double h) { u[c] += h * y[i]; });
      });
}

void ElasticFactors::subtract_product(const NewtonBlocks& blocks, std::span<const double> x, std::span<double> y) {
  std::fill(u_.begin(), u_.end(), 0.0);
  multiply_add(*view_, x, u_);
  woodbury_.subtract_product<0>(blocks, shift_, x, u_, y);
}

}  // namespace nonsmooth
