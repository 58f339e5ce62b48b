// Left-looking supernodal factorisation of principal submatrices (Ng and Peyton 1993): Cholesky of a symmetric matrix, else LU on
// the pattern of A + A' with row exchanges inside the diagonal block of a supernode only. Order and structure are those of the
// whole matrix, found once; rows left out are squeezed out of the panels, so that the cost follows the kept part.
#pragma once

#include <memory>

#include "core/index.hpp"
#include "core/patience.hpp"
#include "core/workers.hpp"
#include "linalg/panel_entries.hpp"
#include "linalg/precision.hpp"
#include "linalg/principal_factor.hpp"
#include "linalg/supernodes.hpp"
#include "linalg/workspace.hpp"

namespace nonsmooth {

class SparsePrincipalFactor final : public PrincipalFactor {
 public:
  // A and the workers are borrowed: later factorisations read its values and share the work, with the same bits for any number
  // of threads. All memory is taken here. Throws Error(NSM_TOO_LARGE) if the factors would take more than 1.6 GB or 1e11
  // multiplications.
  // The last `tail` columns of A, which is symmetric then, are not eliminated and take no part in solves: their rows are given
  // by columns, and always kept.
  SparsePrincipalFactor(const CscMatrix& A, bool symmetric, Workers* workers = nullptr, std::int32_t tail = 0);
  // LU of a matrix whose supernodes are known, from other entries than those of columns; they must last as long.
  SparsePrincipalFactor(Supernodes nodes, std::shared_ptr<const PanelEntries> entries, Workers* workers);
  // Borrowed, or null: factorise answers false once it does not last.
  void set_patience(Patience* patience) { patience_ = patience; }
  // In single precision in half the time and half the bytes, for those who refine what solve leaves. Numbers outside its range go
  // unseen: solve leaves what is not a number then.
  bool factorise(std::span<const char> keep, Precision precision);
  bool factorise(std::span<const char> keep) override { return factorise(keep, Precision::full); }
  void solve(std::span<double> x) override;
  // What the eliminated rows leave of the tail, its Schur complement, in double precision: the lower triangle, by columns of the
  // whole square.
  std::span<const double> remainder() const {
    return std::span(lower_.as<double>(), lower_.size()).subspan(at(lower_start_[at(eliminated_)]));
  }
  // For right-hand sides that are 0 on all rows but some, where alone their solutions are wanted: the supernodes above those in
  // the elimination tree are all that is read. Rows left out of the factors count as 0. Allocates nothing after
  // reserve_selections.
  void reserve_selections();
  void select(std::span<const std::int32_t> rows);
  static constexpr int selected_together = 32;
  // So many of them at a time, row by row in X, in the order of `rows`.
  void solve_selected(std::span<const std::int32_t> rows, std::span<double> X);
  // Multiplications of an LU of the whole matrix without the tail, about.
  double work() const;
  // Entries of all panels for the whole matrix.
  std::int64_t size() const { return static_cast<std::int64_t>(lower_.size() + upper_.size()); }

 private:
  // Rows of a product that come one after the other where they are put, too.
  struct Run {
    std::int32_t place, size;
  };
  // Supernodes that one thread eliminates one after the other, and what it needs for that.
  struct Group {
    IndexVector members;  // ascending
    IndexVector local;    // place of a new row in the panel at work, -1 if the row is left out
    // Room for one update or several: the product, and where its rows go.
    Room product;
    std::vector<Run> runs;
    std::size_t product_size = 0, rows = 0;  // of one
    std::int32_t left = -1;                  // the first of those whose next target is outside, linked by next_
    bool regular = true;
  };
  template <class Real>
  struct Panel {
    Real* values;
    std::int32_t stride;
  };
  struct Range {
    std::int32_t begin, end;
    std::int32_t size() const { return end - begin; }
  };
  template <class Real>
  struct UpdateRoom {
    Real* product;
    Run* runs;
  };
  template <class Real>
  struct Target {
    Panel<Real> panel;
    std::int32_t row_shift;  // of the panel, in local
    const std::int32_t* local;
    UpdateRoom<Real> room;
  };
  SparsePrincipalFactor(Supernodes nodes, bool symmetric, Workers* workers, std::int32_t tail);
  void place_panels();
  std::int32_t parent(std::int32_t s) const;  // in the elimination tree, -1 at a root
  double work(std::int32_t s) const;
  void divide();
  void make_room(Group& group);
  Group& group_of(std::int32_t s);
  void keep_rows(std::int32_t s, std::span<const char> keep);
  template <class Real>
  void assemble(std::int32_t s, IndexVector& local);
  void queue(std::int32_t s, std::int32_t from, Group& group);
  std::int32_t row_behind(std::int32_t d, std::int32_t from, std::int32_t end) const;
  template <class Real>
  void update_part(std::int32_t s, std::int32_t part, const IndexVector& local, const UpdateRoom<Real>& room);
  template <class Real>
  void subtract_product(std::int32_t d, const Panel<Real>& a, Range i, const Panel<Real>& b, Range j, const Target<Real>& target);
  template <class Real>
  void solve_with_block(std::int32_t s, Workers* workers);
  template <class Real>
  bool factorise_narrow(std::int32_t s);
  template <class Real>
  bool factorise_panel(std::int32_t s, Workers* workers, Patience* patience);
  template <class Real>
  bool eliminate(std::int32_t s, std::span<const char> keep, Group& group);
  template <class Real>
  bool eliminate_group(Group& group, std::span<const char> keep);
  template <class Real>
  bool eliminate_all(std::span<const char> keep);
  // Of M right-hand sides.
  template <class Real, int M>
  void exchange_rows(std::int32_t s);
  template <class Real, int M>
  void scatter_below(std::int32_t s, const Real* change);
  template <class Real, int M>
  void gather_below(std::int32_t s, Real* below) const;
  template <class Real>
  void forward(std::int32_t s);
  template <class Real>
  void backward(std::int32_t s);
  template <class Real>
  void forward_selected(std::int32_t s);
  template <class Real>
  void backward_selected(std::int32_t s);
  template <class Real>
  void solve_all(std::span<double> x);
  template <class Real>
  void solve_all_selected(std::span<const std::int32_t> rows, std::span<double> X);
  template <class Real>
  Real* lower(std::int32_t s) {
    return lower_.as<Real>() + lower_start_[at(s)];
  }
  template <class Real>
  Real* upper(std::int32_t s) {
    return upper_.as<Real>() + upper_start_[at(s)];
  }
  void place_columns(std::int32_t s);

  std::shared_ptr<const PanelEntries> entries_;
  bool symmetric_;
  Workers* workers_;
  Patience* patience_ = nullptr;
  Supernodes nodes_;
  std::int32_t eliminated_;  // supernodes; the tail is not
  IndexVector group_of_;     // by supernode, -1 in the trunk
  std::vector<Group> groups_;
  Group trunk_;
  std::vector<std::int64_t> lower_start_, upper_start_;  // panels: kept columns and rows, then (LU) kept rows of U', transposed
  std::int32_t largest_rows_ = 0, largest_stride_ = 0;   // of a supernode: below its columns, all
  Precision precision_ = Precision::full;
  Room lower_, upper_, gathered_, below_;
  // Of the present factorisation: kept columns and rows of each supernode, at the places of all of them.
  IndexVector kept_column_, kept_row_, column_count_, row_count_, pivot_;
  IndexVector solved_rows_;  // of those kept, without the tail
  IndexVector head_, next_;  // supernodes waiting to be applied to another one
  IndexVector reached_;      // how many kept rows of a supernode have been applied
  IndexVector selected_;     // supernodes that solve_selected passes through, ascending
  std::vector<char> passed_;
};

}  // namespace nonsmooth
