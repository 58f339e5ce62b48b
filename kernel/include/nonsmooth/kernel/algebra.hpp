// Vectors, matrices and views of the kernel: Eigen's, columns first, doubles.
#ifndef NONSMOOTH_KERNEL_ALGEBRA_HPP
#define NONSMOOTH_KERNEL_ALGEBRA_HPP

#include <Eigen/Dense>
#include <Eigen/SparseCore>

namespace nonsmooth::kernel {

// Indices, dense vectors and matrices (column-major), sparse and diagonal ones, and those of space.
using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using SparseMatrix = Eigen::SparseMatrix<double>;
using Diagonal = Eigen::DiagonalMatrix<double, Eigen::Dynamic>;
using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

// Windows into memory owned by someone else: the model's arrays, or whatever a user function is to fill.
using VectorView = Eigen::Map<Vector>;
using ConstVectorView = Eigen::Map<const Vector>;
using MatrixView = Eigen::Map<Matrix>;
using ConstMatrixView = Eigen::Map<const Matrix>;
using VectorRef = Eigen::Ref<Vector>;
using ConstVectorRef = const Eigen::Ref<const Vector>&;
using MatrixRef = Eigen::Ref<Matrix>;
using ConstMatrixRef = const Eigen::Ref<const Matrix>&;

}  // namespace nonsmooth::kernel
#endif
