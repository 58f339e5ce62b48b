// The Delassus operator W = H' K^-1 H of bodies that nothing but contacts couples, applied without being formed. K is
// block-diagonal by bodies; every contact keeps its rows of H in the bodies it touches, dense, one contact after the other.
//
// With K = L L' for every body and B = L^-1 H, W = B' B: one block serves both directions, u = B' y and y = B r, which halves
// what a sweep reads. Where some K is not symmetric positive definite (joints), u = H' y and y = (K^-1 H) r.
#pragma once

#include "core/index.hpp"
#include "core/prefetch.hpp"
#include "linalg/component_factor.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {

// Of each contact those that meet one of its bodies, and itself, ascending. contacts_of: ascending lists, one per body.
std::vector<IndexVector> neighbours_of_contacts(const std::vector<IndexVector>& contacts_of, std::int32_t contacts);
// Block pattern of W, values 0.
BlockCsrMatrix coupled_blocks(const std::vector<IndexVector>& contacts_of, std::int32_t contacts, std::int32_t dimension);
// Contacts (`dimension` columns of H each) that meet each component.
std::vector<IndexVector> contacts_of_components(const ComponentFactor& factor, std::int32_t dimension);

class DelassusOperator {
 public:
  // W of so few rows is formed in less time than its operator.
  static constexpr std::int64_t largest_formed_order = 32;
  // Whether every component that contacts touch is small enough to be a body.
  static bool treats(const ComponentFactor& factor, const std::vector<IndexVector>& contacts_of);

  // Allocates. factor: that of K; contacts_of: its components.
  void assemble(const CscMatrix& K, const ComponentFactor& factor, const std::vector<IndexVector>& contacts_of,
                const CscMatrix& H, std::int32_t dimension);
  // Other values of K, with the same components, and of H, with the same pattern. Allocates where K has ceased to be symmetric.
  void update(const CscMatrix& K, const CscMatrix& H);
  // The contacts of another one in this order, one after the other in memory, for gathering, scattering and diagonal blocks
  // alone. Allocates where it has not held as many.
  void take(const DelassusOperator& from, const IndexVector& contacts);
  // Some contacts of another one, ascending, with the bodies that they touch. Allocates.
  void restrict_to(const DelassusOperator& from, const IndexVector& contacts);
  // The present values of contacts that have been taken before. Allocates where K has ceased to be symmetric.
  void take_values(const DelassusOperator& from, const IndexVector& contacts);

  std::int32_t dimension() const { return dimension_; }
  std::int32_t contacts() const { return static_cast<std::int32_t>(part_start_.size()) - 1; }
  std::size_t state_size() const { return y_.size(); }
  // Degrees of freedom of the bodies, if all have the same, else 0.
  std::int32_t uniform_body_size() const { return body_size_; }
  // What a contact has of H in one of the bodies it touches: size x dimension, column-major, for the rows from `start` on of y.
  struct Part {
    std::int32_t start, size;
    const double *gathers, *spreads;  // F and E: u += F'y, y += E r
  };
  // The parts of contact a are number first_part(a) .. first_part(a + 1) - 1.
  std::int32_t first_part(std::int32_t contact) const { return part_start_[at(contact)]; }
  std::int32_t parts() const { return part_start_.back(); }
  Part part(std::int32_t number) const {
    const auto p = at(number);
    const auto size = static_cast<std::int32_t>((value_start_[p + 1] - value_start_[p]) / dimension_);
    return {part_row_[p], size, gathered_.data() + value_start_[p], spreading() + value_start_[p]};
  }
  // y += E r, y its rows. N: their number, or 0.
  template <int N>
  static void spread(const Part& part, int d, const double* r, double* y) {
    spread<N>(part.spreads, d, N > 0 ? N : part.size, r, y);
  }
  // Contacts that touch each body, ascending.
  const std::vector<IndexVector>& contacts_of_bodies() const { return contacts_of_; }
  std::int64_t blocks() const { return blocks_; }  // of W
  // Whether K is, and positive definite, wherever contacts act.
  bool is_symmetric() const { return scattered_.empty(); }
  // What a sweep reads, and what it would read of W.
  std::int64_t bytes() const;
  std::int64_t matrix_bytes() const;

  // w += W r. Allocates nothing; uses a workspace of this object: not thread-safe. Workers share the bodies, then the contacts.
  void multiply_add(std::span<const double> r, std::span<double> w, Workers* workers = nullptr) const;
  BlockCsrMatrix form() const { return form(dimension_); }
  // Of the first rows of every contact alone: 1 gives the normals.
  BlockCsrMatrix form(std::int32_t rows) const;
  // Its values alone, in its pattern.
  void form_values(const BlockCsrMatrix& W, std::int32_t rows, std::span<double> values) const;
  void diagonal_block(std::int32_t contact, double* block) const;

  // One contact: u += B' y and y += B r, the second with K^-1 H in place of B where K is not symmetric. D: dimension, N: degrees
  // of freedom of every body, 0: as they come.
  template <int D, int N>
  void gather(std::int32_t contact, const double* y, double* u) const {
    for_each_part<D, N>(contact, gathered_.data(), [&](const double* B, std::int32_t start, int d, int n) {
      for (int j = 0; j < d; ++j) {
        // Two sums, pairs that are loaded as `scatter` stored them: the latency of additions and of stores just made bounds this
        // loop, not their number.
        double sum[2]{};
        int i = 0;
        for (; i + 2 <= n; i += 2)
          for (int k = 0; k < 2; ++k) sum[k] += B[i + k + j * n] * y[start + i + k];
        if (i < n) sum[0] += B[i + j * n] * y[start + i];
        u[j] += sum[0] + sum[1];
      }
    });
  }
  template <int D, int N>
  void scatter(std::int32_t contact, const double* r, double* y) const {
    for_each_part<D, N>(contact, spreading(),
                        [&](const double* B, std::int32_t start, int d, int n) { spread<N>(B, d, n, r, y + start); });
  }
  // Fetches the part of y that a contact is gathered from some contacts later.
  template <int D, int N>
  void prefetch(std::int32_t contact, const double* y) const {
    for_each_part<D, N>(contact, gathered_.data(), [y](const double*, std::int32_t start, int, int n) {
      fetch_line(y + start);
      fetch_line(y + start + n - 1);
    });
  }

 private:
  static constexpr int largest_body = 24;  // rows
  struct Bodies {
    std::vector<IndexVector> rows;
    IndexVector start;              // of each body in y
    IndexVector body_of, position;  // of each row
  };
  const double* spreading() const { return scattered_.empty() ? gathered_.data() : scattered_.data(); }
  // y += B r. Bodies of several sizes are mostly the usual ones, whose loops need no counts.
  template <int N>
  static void spread(const double* B, int d, int n, const double* r, double* y) {
    if constexpr (N == 0) {
      if (n == 6) return spread<6>(B, d, n, r, y);
      if (n == 3) return spread<3>(B, d, n, r, y);
    }
    double sum[N > 0 ? N : largest_body];
    for (int i = 0; i < n; ++i) sum[i] = y[i];
    add_spread<N>(B, d, n, r, sum);
    for (int i = 0; i < n; ++i) y[i] = sum[i];
  }
  // The same for sums that nothing else refers to.
  template <int N>
  static void add_spread(const double* B, int d, int n, const double* r, double* sum) {
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < n; ++i) sum[i] += B[i + j * n] * r[j];
  }
  // visit(block of the part, where its rows start in y, D, N).
  template <int D, int N, class Visit>
  void for_each_part(std::int32_t contact, const double* values, Visit&& visit) const {
    const auto a = at(contact);
    for (std::int32_t k = part_start_[a]; k < part_start_[a + 1]; ++k) {
      const auto p = at(k);
      if constexpr (N > 0) {
        visit(values + p * (D * N), part_row_[p], D, N);
      } else {
        const int d = D > 0 ? D : dimension_, n = static_cast<int>((value_start_[p + 1] - value_start_[p]) / d);
        const double* B = values + value_start_[p];
        n == 6 ? visit(B, part_row_[p], d, 6) : visit(B, part_row_[p], d, n);
      }
    }
  }
  // B r of one body, added to its rows of y.
  template <int D, int N>
  void spread_to_one(std::size_t body, const double* r, double* y) const;
  template <int D, int N>
  void multiply_add_sized(const double* r, double* w, Workers* workers) const;
  void add_product(std::size_t p, std::size_t q, std::int32_t rows, double* block) const;
  void find_bodies(const ComponentFactor& factor, const std::vector<IndexVector>& contacts_of);
  void find_parts(const CscMatrix& H);
  void count_blocks(const IndexVector& body_of_part);
  void read_blocks(const CscMatrix& H);
  void read_body(const CscMatrix& K, std::size_t body, double* A) const;
  bool solve_symmetric(const CscMatrix& K);
  void solve_general(const CscMatrix& K);

  std::int32_t dimension_ = 3, body_size_ = 0;
  IndexVector part_start_, part_row_;      // parts of each contact; where the body of each part starts in y
  std::vector<std::int64_t> value_start_;  // of each part; one more at the end
  Vector gathered_, scattered_;            // n x d, column-major; the second empty if it is the first
  Bodies bodies_;
  std::vector<IndexVector> contacts_of_;  // of each body
  std::vector<IndexVector> parts_of_;     // the part of each of them
  std::int64_t blocks_ = 0;               // of W
  mutable Vector y_;
};

// visit(D, N) with the compile-time sizes that fit: those of rigid bodies in the plane and in space, else 0 for N.
template <int D, class Visit>
decltype(auto) visit_body_size(const DelassusOperator& W, Visit&& visit) {
  switch (W.uniform_body_size()) {
    case 3: return visit.template operator()<D, 3>();
    case 6: return visit.template operator()<D, 6>();
    default: return visit.template operator()<D, 0>();
  }
}

// The same with D: that of contacts in the plane, in space, and with rolling friction in space, else 0 for both.
template <class Visit>
decltype(auto) visit_sizes(const DelassusOperator& W, Visit&& visit) {
  switch (W.dimension()) {
    case 2: return visit_body_size<2>(W, visit);
    case 3: return visit_body_size<3>(W, visit);
    case 5: return visit_body_size<5>(W, visit);
    default: return visit.template operator()<0, 0>();
  }
}

}  // namespace nonsmooth
