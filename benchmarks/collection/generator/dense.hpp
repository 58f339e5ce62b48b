// A small dense matrix to write formulas with.
#pragma once

#include <nonsmooth/nonsmooth.hpp>

namespace nonsmooth::collection {

class Dense {
 public:
  Dense(int rows, int cols)
      : rows_(rows), cols_(cols), values_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)) {}

  int rows() const { return rows_; }
  int cols() const { return cols_; }
  double& operator()(int i, int j) {
    return values_[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows_)];
  }
  double operator()(int i, int j) const {
    return values_[static_cast<std::size_t>(i) + static_cast<std::size_t>(j) * static_cast<std::size_t>(rows_)];
  }

  nsm::Matrix matrix() const { return nsm::Matrix::dense(rows_, cols_, values_); }
  // By columns, without zeros.
  nsm::Matrix sparse_matrix() const {
    nsm::Indices start{0}, index;
    nsm::Vector values;
    for (int j = 0; j < cols_; ++j) {
      for (int i = 0; i < rows_; ++i)
        if ((*this)(i, j) != 0) {
          index.push_back(i);
          values.push_back((*this)(i, j));
        }
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    return nsm::Matrix::csc(rows_, cols_, std::move(start), std::move(index), std::move(values));
  }

  Dense transposed() const {
    Dense result(cols_, rows_);
    for (int i = 0; i < rows_; ++i)
      for (int j = 0; j < cols_; ++j) result(j, i) = (*this)(i, j);
    return result;
  }

  // A A'
  Dense gram() const {
    Dense result(rows_, rows_);
    for (int i = 0; i < rows_; ++i)
      for (int j = 0; j < rows_; ++j)
        for (int k = 0; k < cols_; ++k) result(i, j) += (*this)(i, k) * (*this)(j, k);
    return result;
  }

  // w - A z: the right-hand side that makes (z, w) satisfy w = A z + q.
  nsm::Vector right_hand_side(const nsm::Vector& z, const nsm::Vector& w) const {
    nsm::Vector q = w;
    for (int j = 0; j < cols_; ++j)
      for (int i = 0; i < rows_; ++i) q[static_cast<std::size_t>(i)] -= (*this)(i, j) * z[static_cast<std::size_t>(j)];
    for (double& x : q) x += 0.0;  // no -0
    return q;
  }

 private:
  int rows_, cols_;
  nsm::Vector values_;
};

}  // namespace nonsmooth::collection
