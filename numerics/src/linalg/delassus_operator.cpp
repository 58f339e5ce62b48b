#include "linalg/delassus_operator.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "core/workers.hpp"
#include "linalg/small_lu.hpp"

namespace nonsmooth {
namespace {

constexpr double symmetry_tolerance = 1e-14;

std::size_t count_common(const IndexVector& a, const IndexVector& b) {
  std::size_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) ++count;
    const bool first = *i <= *j, second = *j <= *i;
    i += first;
    j += second;
  }
  return count;
}

// L of A = L L' in the lower triangle of A, n x n. false if A is not symmetric positive definite.
bool factorise_symmetric(double* A, int n) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i)
      if (!(std::abs(A[i + j * n] - A[j + i * n]) <= symmetry_tolerance * std::sqrt(std::abs(A[i * (n + 1)] * A[j * (n + 1)]))))
        return false;
  for (int j = 0; j < n; ++j) {
    const double given = A[j * (n + 1)];
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i) A[i + j * n] -= A[i + k * n] * A[j + k * n];
    const double pivot = A[j * (n + 1)];
    if (!(pivot > 16 * DBL_EPSILON * given)) return false;
    for (int i = j; i < n; ++i) A[i + j * n] /= std::sqrt(pivot);
  }
  return true;
}

// L x = b in place.
void solve_lower(const double* L, int n, double* x) {
  for (int j = 0; j < n; ++j) {
    x[j] /= L[j * (n + 1)];
    for (int i = j + 1; i < n; ++i) x[i] -= L[i + j * n] * x[j];
  }
}

}  // namespace

std::vector<IndexVector> contacts_of_components(const ComponentFactor& factor, std::int32_t dimension) {
  std::vector<IndexVector> contacts(factor.components());
  for (std::size_t c = 0; c < contacts.size(); ++c)
    for (const std::int32_t j : factor.columns(c))
      if (contacts[c].empty() || contacts[c].back() != j / dimension) contacts[c].push_back(j / dimension);
  return contacts;
}

std::vector<IndexVector> neighbours_of_contacts(const std::vector<IndexVector>& contacts_of, std::int32_t contacts) {
  std::vector<IndexVector> neighbours(at(contacts));
  for (const IndexVector& list : contacts_of)
    for (std::int32_t a : list) neighbours[at(a)].insert(neighbours[at(a)].end(), list.begin(), list.end());
  for (std::int32_t a = 0; a < contacts; ++a) {
    IndexVector& own = neighbours[at(a)];
    own.push_back(a);  // itself even if it meets no body
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
  }
  return neighbours;
}

BlockCsrMatrix coupled_blocks(const std::vector<IndexVector>& contacts_of, std::int32_t contacts, std::int32_t dimension) {
  const std::vector<IndexVector> neighbours = neighbours_of_contacts(contacts_of, contacts);
  BlockCsrMatrix W;
  W.rows = W.cols = std::int64_t{contacts} * dimension;
  W.row_start.push_back(0);
  for (std::int32_t a = 0; a < contacts; ++a) {
    const IndexVector& row = neighbours[at(a)];
    W.block_col.insert(W.block_col.end(), row.begin(), row.end());
    W.row_start.push_back(checked_index(static_cast<std::int64_t>(W.block_col.size()), "W"));
    W.row_end.push_back((a + 1) * dimension);
  }
  W.col_end = W.row_end;
  W.values.assign(at(checked_mul(static_cast<std::int64_t>(W.block_col.size()), dimension * dimension, "W")), 0.0);
  return W;
}

bool DelassusOperator::treats(const ComponentFactor& factor, const std::vector<IndexVector>& contacts_of) {
  for (std::size_t c = 0; c < contacts_of.size(); ++c)
    if (!contacts_of[c].empty() && factor.rows(c).size() > at(largest_body)) return false;
  return true;
}

void DelassusOperator::assemble(const CscMatrix& K, const ComponentFactor& factor, const std::vector<IndexVector>& contacts_of,
                                const CscMatrix& H, std::int32_t dimension) {
  dimension_ = dimension;
  y_.assign(at(K.rows), 0.0);
  find_bodies(factor, contacts_of);
  find_parts(H);
  update(K, H);
}

void DelassusOperator::update(const CscMatrix& K, const CscMatrix& H) {
  read_blocks(H);
  scattered_.clear();
  if (solve_symmetric(K)) return;
  read_blocks(H);
  scattered_ = gathered_;
  solve_general(K);
}

// Components in groups of up to six rows (three in the plane): where M is diagonal, every row of a body is a component of its
// own. Neighbours belong together if more than half of their contacts are common.
void DelassusOperator::find_bodies(const ComponentFactor& factor, const std::vector<IndexVector>& contacts_of) {
  const std::size_t usual_size = dimension_ == 2 ? 3 : 6;
  bodies_.rows.clear();
  bodies_.start.clear();
  bodies_.body_of.resize(y_.size());
  bodies_.position.resize(y_.size());
  for (std::size_t c = 0; c < factor.components(); ++c) {
    const auto own = factor.rows(c);
    bool joins = c > 0 && bodies_.rows.back().size() + own.size() <= usual_size;
    if (joins) {
      const std::size_t most = std::max(contacts_of[c - 1].size(), contacts_of[c].size());
      joins = 2 * count_common(contacts_of[c - 1], contacts_of[c]) > most;
    }
    if (!joins) bodies_.rows.emplace_back();
    bodies_.rows.back().insert(bodies_.rows.back().end(), own.begin(), own.end());
  }
  std::int32_t next = 0;
  for (std::size_t g = 0; g < bodies_.rows.size(); ++g) {
    const IndexVector& rows = bodies_.rows[g];
    bodies_.start.push_back(next);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      bodies_.body_of[at(rows[i])] = static_cast<std::int32_t>(g);
      bodies_.position[at(rows[i])] = static_cast<std::int32_t>(i);
    }
    next += static_cast<std::int32_t>(rows.size());
  }
}

void DelassusOperator::find_parts(const CscMatrix& H) {
  const std::int64_t count = H.cols / dimension_;
  contacts_of_.assign(bodies_.rows.size(), {});
  parts_of_.assign(bodies_.rows.size(), {});
  part_start_.assign(1, 0);
  part_row_.clear();
  value_start_.assign(1, 0);
  IndexVector touched, body_of_part;
  for (std::int64_t a = 0; a < count; ++a) {
    touched.clear();
    for (std::int32_t k = H.col_start[at(a * dimension_)]; k < H.col_start[at((a + 1) * dimension_)]; ++k)
      touched.push_back(bodies_.body_of[at(H.row_index[at(k)])]);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (std::int32_t g : touched) {
      contacts_of_[at(g)].push_back(static_cast<std::int32_t>(a));
      parts_of_[at(g)].push_back(static_cast<std::int32_t>(part_row_.size()));
      body_of_part.push_back(g);
      part_row_.push_back(bodies_.start[at(g)]);
      value_start_.push_back(value_start_.back() + static_cast<std::int64_t>(bodies_.rows[at(g)].size()) * dimension_);
    }
    part_start_.push_back(checked_index(static_cast<std::int64_t>(part_row_.size()), "parts of H"));
  }
  count_blocks(body_of_part);
}

// Of W; and whether all bodies have one size.
void DelassusOperator::count_blocks(const IndexVector& body_of_part) {
  blocks_ = 0;
  IndexVector last(at(contacts()), -1);
  for (std::int32_t a = 0; a < contacts(); ++a)
    for (std::int32_t p = part_start_[at(a)]; p < part_start_[at(a + 1)]; ++p)
      for (std::int32_t b : contacts_of_[at(body_of_part[at(p)])]) {
        if (last[at(b)] != a) ++blocks_;
        last[at(b)] = a;
      }
  body_size_ = value_start_.size() > 1 ? static_cast<std::int32_t>(value_start_[1]) / dimension_ : 0;
  for (std::size_t p = 0; p + 1 < value_start_.size(); ++p)
    if (value_start_[p + 1] - value_start_[p] != std::int64_t{body_size_} * dimension_) body_size_ = 0;
}

// H, part by part.
void DelassusOperator::read_blocks(const CscMatrix& H) {
  const auto d = at(dimension_);
  gathered_.assign(at(value_start_.back()), 0.0);
  for (std::size_t column = 0; column < at(H.cols); ++column) {
    const std::int32_t first = part_start_[column / d];
    for (std::int32_t k = H.col_start[column]; k < H.col_start[column + 1]; ++k) {
      const std::size_t row = at(H.row_index[at(k)]), body = at(bodies_.body_of[row]);
      std::size_t p = at(first);  // the part of that body
      while (part_row_[p] != bodies_.start[body]) ++p;
      gathered_[at(value_start_[p]) + at(bodies_.position[row]) + column % d * bodies_.rows[body].size()] = H.values[at(k)];
    }
  }
}

// The body's block of K, column-major.
void DelassusOperator::read_body(const CscMatrix& K, std::size_t body, double* A) const {
  const IndexVector& rows = bodies_.rows[body];
  std::fill(A, A + rows.size() * rows.size(), 0.0);
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (std::int32_t k = K.col_start[at(rows[j])]; k < K.col_start[at(rows[j]) + 1]; ++k)
      A[at(bodies_.position[at(K.row_index[at(k)])]) + j * rows.size()] = K.values[at(k)];
}

// L^-1 H in place of H. false, with some of it done, if a block of K is not symmetric positive definite. Of bodies that no
// contact touches nothing is needed; they may be large.
bool DelassusOperator::solve_symmetric(const CscMatrix& K) {
  double A[largest_body * largest_body];
  for (std::size_t g = 0; g < bodies_.rows.size(); ++g) {
    if (parts_of_[g].empty()) continue;
    const int n = static_cast<int>(bodies_.rows[g].size());
    read_body(K, g, A);
    if (!factorise_symmetric(A, n)) return false;
    for (const std::int32_t p : parts_of_[g])
      for (std::int64_t j = 0; j < dimension_; ++j) solve_lower(A, n, gathered_.data() + value_start_[at(p)] + j * n);
  }
  return true;
}

// K^-1 H beside H.
void DelassusOperator::solve_general(const CscMatrix& K) {
  double A[largest_body * largest_body];
  std::int32_t pivot[largest_body];
  for (std::size_t g = 0; g < bodies_.rows.size(); ++g) {
    if (parts_of_[g].empty()) continue;
    const int n = static_cast<int>(bodies_.rows[g].size());
    read_body(K, g, A);
    factorise_small(A, pivot, n);  // K is known to be regular
    for (const std::int32_t p : parts_of_[g])
      for (std::int64_t j = 0; j < dimension_; ++j) solve_small(A, pivot, n, scattered_.data() + value_start_[at(p)] + j * n);
  }
}

void DelassusOperator::take(const DelassusOperator& from, const IndexVector& contacts) {
  dimension_ = from.dimension_;
  body_size_ = from.body_size_;
  part_start_.assign(1, 0);
  value_start_.assign(1, 0);
  part_row_.clear();
  for (const std::int32_t a : contacts) {
    const auto first = at(from.part_start_[at(a)]), last = at(from.part_start_[at(a) + 1]);
    part_row_.insert(part_row_.end(), from.part_row_.data() + first, from.part_row_.data() + last);
    for (auto p = first; p < last; ++p)
      value_start_.push_back(value_start_.back() + from.value_start_[p + 1] - from.value_start_[p]);
    part_start_.push_back(static_cast<std::int32_t>(part_row_.size()));
  }
  take_values(from, contacts);
}

void DelassusOperator::take_values(const DelassusOperator& from, const IndexVector& contacts) {
  gathered_.clear();
  scattered_.clear();
  for (const std::int32_t a : contacts) {
    const std::int64_t first = from.value_start_[at(from.part_start_[at(a)])],
                       last = from.value_start_[at(from.part_start_[at(a) + 1])];
    const auto append = [&](const Vector& given, Vector& own) {
      own.insert(own.end(), given.data() + first, given.data() + last);
    };
    append(from.gathered_, gathered_);
    if (!from.scattered_.empty()) append(from.scattered_, scattered_);
  }
}

void DelassusOperator::restrict_to(const DelassusOperator& from, const IndexVector& contacts) {
  take(from, contacts);
  IndexVector body_of_part(at(from.parts())), number(from.parts_of_.size(), -1), start, own;
  for (std::size_t g = 0; g < from.parts_of_.size(); ++g)
    for (const std::int32_t p : from.parts_of_[g]) body_of_part[at(p)] = static_cast<std::int32_t>(g);
  contacts_of_.clear();
  parts_of_.clear();
  std::int32_t rows = 0;
  for (std::size_t a = 0; a < contacts.size(); ++a)
    for (std::int32_t p = from.first_part(contacts[a]); p < from.first_part(contacts[a] + 1); ++p) {
      std::int32_t& body = number[at(body_of_part[at(p)])];
      if (body < 0) {
        body = static_cast<std::int32_t>(start.size());
        start.push_back(rows);
        rows += from.part(p).size;
        contacts_of_.emplace_back();
        parts_of_.emplace_back();
      }
      contacts_of_[at(body)].push_back(static_cast<std::int32_t>(a));
      parts_of_[at(body)].push_back(static_cast<std::int32_t>(own.size()));
      part_row_[own.size()] = start[at(body)];
      own.push_back(body);
    }
  y_.assign(at(rows), 0.0);
  count_blocks(own);
}

std::int64_t DelassusOperator::bytes() const {
  const auto values = static_cast<std::int64_t>(gathered_.size() + scattered_.size());
  return 8 * values + 4 * static_cast<std::int64_t>(part_row_.size());
}

std::int64_t DelassusOperator::matrix_bytes() const { return (blocks_ - contacts()) * (8 * dimension_ * dimension_ + 4); }

template <int D, int N>
void DelassusOperator::spread_to_one(std::size_t body, const double* r, double* y) const {
  const IndexVector &contacts = contacts_of_[body], &parts = parts_of_[body];
  const int d = D > 0 ? D : dimension_;
  if constexpr (N > 0) {  // the sums stay in registers from contact to contact
    if (parts.empty()) return;
    double sum[N], *own = y + part_row_[at(parts[0])];
    std::copy_n(own, N, sum);
    for (std::size_t c = 0; c < parts.size(); ++c)
      add_spread<N>(spreading() + at(parts[c]) * at(d * N), d, N, r + std::int64_t{contacts[c]} * d, sum);
    std::copy_n(sum, N, own);
    return;
  }
  for (std::size_t c = 0; c < parts.size(); ++c) {
    const std::size_t p = at(parts[c]);
    const auto n = N > 0 ? N : static_cast<int>((value_start_[p + 1] - value_start_[p]) / d);
    spread<N>(spreading() + value_start_[p], d, n, r + std::int64_t{contacts[c]} * d, y + part_row_[p]);
  }
}

template <int D, int N>
void DelassusOperator::multiply_add_sized(const double* r, double* w, Workers* workers) const {
  std::fill(y_.begin(), y_.end(), 0.0);
  for_each_share(workers, contacts_of_.size(), [&](std::size_t body) { spread_to_one<D, N>(body, r, y_.data()); });
  for_each_share(workers, at(contacts()), [&](std::size_t contact) {
    const auto a = static_cast<std::int32_t>(contact);
    gather<D, N>(a, y_.data(), w + std::int64_t{a} * (D > 0 ? D : dimension_));
  });
}

void DelassusOperator::multiply_add(std::span<const double> r, std::span<double> w, Workers* workers) const {
  visit_sizes(*this, [&]<int D, int N>() { multiply_add_sized<D, N>(r.data(), w.data(), workers); });
}

void DelassusOperator::diagonal_block(std::int32_t contact, double* block) const {
  std::fill(block, block + dimension_ * dimension_, 0.0);
  for (auto p = at(part_start_[at(contact)]); p < at(part_start_[at(contact + 1)]); ++p) add_product(p, p, dimension_, block);
}

// block += B_p' B_q, of the first rows of two parts in the same body.
void DelassusOperator::add_product(std::size_t p, std::size_t q, std::int32_t rows, double* block) const {
  const double *left = gathered_.data() + value_start_[p],
               *right = (scattered_.empty() ? gathered_ : scattered_).data() + value_start_[q];
  const std::int64_t n = (value_start_[p + 1] - value_start_[p]) / dimension_;
  for (std::int32_t j = 0; j < rows; ++j)
    for (std::int32_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::int64_t k = 0; k < n; ++k) sum += left[k + i * n] * right[k + j * n];
      block[i + j * rows] += sum;
    }
}

BlockCsrMatrix DelassusOperator::form(std::int32_t rows) const {
  BlockCsrMatrix W = coupled_blocks(contacts_of_, contacts(), rows);
  form_values(W, rows, W.values);
  return W;
}

void DelassusOperator::form_values(const BlockCsrMatrix& W, std::int32_t rows, std::span<double> values) const {
  const std::int64_t block_size = std::int64_t{rows} * rows;
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t g = 0; g < contacts_of_.size(); ++g) {
    const IndexVector &own = contacts_of_[g], &parts = parts_of_[g];
    for (std::size_t a = 0; a < own.size(); ++a) {
      std::int64_t k = W.row_start[at(own[a])];
      for (std::size_t b = 0; b < own.size(); ++b) {
        while (W.block_col[at(k)] != own[b]) ++k;
        add_product(at(parts[a]), at(parts[b]), rows, values.data() + k * block_size);
      }
    }
  }
}

}  // namespace nonsmooth
