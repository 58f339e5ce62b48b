// Every problem as  -w in N_C(z),  C a product of sets (w after De Saxce for friction), with w = M z + q or w = F(z). What the
// methods see.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "core/workers.hpp"
#include "linalg/delassus_operator.hpp"
#include "linalg/matrix.hpp"
#include "problems/nonlinear_function.hpp"
#include "sets/set_block.hpp"

namespace nonsmooth {

// A matrix that is formed when it is first asked for, and kept up to date from then on.
class MatrixSource {
 public:
  virtual const Matrix& matrix() = 0;

 protected:
  ~MatrixSource() = default;
};

// A borrowed matrix, or a source of one: methods look at it in setup, because that may allocate.
class BorrowedMatrix {
 public:
  BorrowedMatrix(const Matrix* matrix = nullptr) : matrix_(matrix) {}
  BorrowedMatrix(MatrixSource& source) : source_(&source) {}
  operator const Matrix*() const { return source_ != nullptr ? &source_->matrix() : matrix_; }
  const Matrix* operator->() const { return *this; }

 private:
  const Matrix* matrix_ = nullptr;
  MatrixSource* source_ = nullptr;
};

// W = H' M^-1 H as an operator.
class ElasticOperator {
 public:
  // w += W z.
  virtual void multiply_add(std::span<const double> z, std::span<double> w) = 0;
  // Multiplications of that, about.
  virtual double work() const = 0;
  // Of the diagonal blocks of W the means of their diagonals, about.
  virtual std::span<const double> diagonal() const = 0;

 protected:
  ~ElasticOperator() = default;
};

// W = H' M^-1 H of bodies whose M is sparse, symmetric and positive definite: for factors that do without the factors of W.
struct ElasticBodies {
  const CscMatrix *M = nullptr, *H = nullptr;  // borrowed
  std::int32_t dimension = 0;                  // columns of H to a contact
  double work = 0;                             // multiplications of an LU of M, about
  ElasticOperator* applied = nullptr;          // borrowed; in the place of W, which is dense, where there are many contacts
};

constexpr int largest_contact = 5;  // rows of one with rolling friction in space

struct Inclusion {
  BorrowedMatrix M;                          // with F its structure is that of the Jacobian
  const Vector* q = nullptr;                 // borrowed; none with F
  std::vector<SetBlock> blocks;              // ascending, covering all rows
  double scale = 1;                          // the residual is divided by it: max(1, |q|) of the original problem
  const NonlinearFunction* F = nullptr;      // borrowed; w = F(z) in place of M z + q
  Vector reference = {};                     // with F: P_C(0), where |F| takes the place of |q|
  const DelassusOperator* bodies = nullptr;  // borrowed; M as an operator, for those that can do without the matrix; its contacts
                                             // are the blocks
  const ElasticBodies* elastic = nullptr;    // borrowed; what M comes from, where that is known and of use
  Workers* workers = nullptr;                // borrowed; threads to share work with, if there are any

  std::int64_t size() const { return q != nullptr ? static_cast<std::int64_t>(q->size()) : M->rows(); }
  // The operator that stands for M, if one of elastic bodies does.
  ElasticOperator* elastic_operator() const { return elastic != nullptr ? elastic->applied : nullptr; }
  // Whether M is applied without its entries.
  bool is_applied() const { return bodies != nullptr || elastic_operator() != nullptr; }
};

// Some sets are those of contacts with friction.
bool has_contacts(const Inclusion& view);
bool all_of_kind(const Inclusion& view, std::initializer_list<SetKind> kinds);
std::int64_t count_free_rows(const Inclusion& view);
// Throws NSM_UNSUPPORTED: for methods that treat products of small sets.
void refuse_polyhedra(const Inclusion& view, const char* method);
// Throws NSM_UNSUPPORTED: for methods of convex sets, which a generic problem may have alone.
void refuse_contacts(const Inclusion& view, const char* method);
// Likewise, disks too: for methods of bounds, polyhedra and equations.
void refuse_contacts_and_disks(const Inclusion& view, const char* method);
void refuse_disks(const Inclusion& view, const char* method);
// Of every row its block. Allocates.
IndexVector block_of_each_row(const Inclusion& view);
// w += M z, by the bodies where they are known. Allocates nothing.
void multiply_add(const Inclusion& view, std::span<const double> z, std::span<double> w);
// w = M z + q or F(z). false, with every w a NaN, if F cannot be evaluated at z. Allocates nothing.
bool evaluate(const Inclusion& view, std::span<const double> z, std::span<double> w);
// p = P_C(x), x and p distinct. false if a polyhedron is empty or a projection fails.
bool project(const Inclusion& view, std::span<const double> x, std::span<double> p);

// About the residual of z = 0, what a threshold of residuals is a share of: |q| / max(1, |q|), of global problems, whose
// residuals are divided by max(1, |w|), |q| of the reduced problem over that. 1 with F, and where q is 0.
double residual_of_zero(const Inclusion& view);
// |q|_2, or |F(P_C(0))|_2, 0 where F cannot be evaluated. workspace: one entry per unknown.
double data_norm(const Inclusion& view, std::span<double> workspace);
// max(1, |q|_2): what residuals are relative to.
double residual_scale(const Vector& q);
double residual_scale(const Inclusion& view, std::span<double> workspace);

}  // namespace nonsmooth
