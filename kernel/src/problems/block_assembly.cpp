#include "problems/block_assembly.hpp"

#include <algorithm>

namespace nonsmooth::kernel {
namespace {

// T (rows x cols, leading dimension ldt) += factor * C (rows x inner, ldc) X (inner x cols, inner). Fixed sizes, of blocks that
// are square, where not 0; else by the given columns of C, in which all that is not zero stands.
template <int ROWS, int INNER>
void addProduct(Index rows, Index inner, Index cols, const double* C, Index ldc, std::span<const Index> columns, const double* X,
                double factor, double* T, Index ldt) {
  if constexpr (ROWS > 0 && INNER > 0) {
    double sum[ROWS * ROWS] = {};
    for (int k = 0; k < INNER; ++k)
      for (int j = 0; j < ROWS; ++j)
        for (int i = 0; i < ROWS; ++i) sum[i + j * ROWS] += C[i + k * ldc] * X[k + j * INNER];
    for (int j = 0; j < ROWS; ++j)
      for (int i = 0; i < ROWS; ++i) T[i + j * ldt] += factor * sum[i + j * ROWS];
  } else {
    for (Index j = 0; j < cols; ++j)
      for (const Index k : columns) {
        const double x = factor * X[k + j * inner];
        for (Index i = 0; i < rows; ++i) T[i + j * ldt] += C[i + k * ldc] * x;
      }
  }
}

}  // namespace

void BlockAssembly::analyse(NonSmoothDynamicalSystem& model, const std::vector<int>& active, Index largest_dense,
                            const std::vector<Index>& rows) {
  active_ = active;
  rows_.resize(active.size());
  start_.resize(active.size() + 1);
  start_[0] = 0;
  for (std::size_t a = 0; a < active.size(); ++a) {
    rows_[a] = rows.empty() ? model.recordAt(active[a]).y.rows : rows[a];
    start_[a + 1] = start_[a] + rows_[a];
  }
  size_ = start_.back();
  dense_ = size_ <= largest_dense;
  block_size_ = rows_.empty() ? 0 : static_cast<std::int32_t>(rows_[0]);
  for (const Index r : rows_)
    if (r != block_size_) block_size_ = 0;
  collectSides(model);
  buildPattern();
}

void BlockAssembly::collectSides(const NonSmoothDynamicalSystem& model) {
  sides_.clear();
  Index response = 0, largest = 0;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const InteractionRecord& record = model.recordAt(active_[a]);
    Index column = 0;
    for (std::size_t s = 0; s < record.sides(); ++s) {
      sides_.push_back({static_cast<int>(a), static_cast<int>(record.system[s]), record.motion[s], column,
                        record.block[static_cast<std::size_t>(Block::C)] + column * record.y.rows, response});
      column += record.motion[s];
      response += record.motion[s] * rows_[a];
      largest = std::max(largest, record.motion[s]);
      motion_ = sides_.size() == 1 || motion_ == record.motion[s] ? record.motion[s] : 0;
    }
  }
  responses_.resize(static_cast<std::size_t>(response));
  columns_.resize(static_cast<std::size_t>(largest));
  sortSides(model.systems().size());
}

// By system, by counting.
void BlockAssembly::sortSides(std::size_t systems) {
  system_start_.assign(systems + 1, 0);
  for (const Side& side : sides_) ++system_start_[static_cast<std::size_t>(side.system) + 1];
  for (std::size_t d = 1; d < system_start_.size(); ++d) system_start_[d] += system_start_[d - 1];
  sides_of_system_.resize(sides_.size());
  std::vector<std::int32_t> next(system_start_.begin(), system_start_.end() - 1);
  for (std::size_t k = 0; k < sides_.size(); ++k)
    sides_of_system_[static_cast<std::size_t>(next[static_cast<std::size_t>(sides_[k].system)]++)] = static_cast<std::int32_t>(k);
}

std::span<const std::int32_t> BlockAssembly::sidesOf(int system) const {
  const auto first = static_cast<std::size_t>(system_start_[static_cast<std::size_t>(system)]);
  const auto end = static_cast<std::size_t>(system_start_[static_cast<std::size_t>(system) + 1]);
  return std::span(sides_of_system_).subspan(first, end - first);
}

// The blocks of row a, whose sides are [first, end): the neighbours of a row are the rows of the sides of its systems.
// place[b] >= 0 for these, -1 for all others.
void BlockAssembly::appendBlocks(std::size_t a, std::size_t first, std::size_t end, std::vector<std::int32_t>& place) {
  const auto first_block = static_cast<std::ptrdiff_t>(block_column_.size());
  const auto meet = [&](std::size_t b) {
    if (place[b] >= 0) return;
    place[b] = 0;
    block_column_.push_back(static_cast<std::int32_t>(b));
  };
  meet(a);
  for (std::size_t s = first; s < end; ++s)
    for (const std::int32_t other : sidesOf(sides_[s].system)) meet(rowOf(other));
  std::sort(block_column_.begin() + first_block, block_column_.end());
  for (auto k = static_cast<std::size_t>(first_block); k < block_column_.size(); ++k) {
    const auto b = static_cast<std::size_t>(block_column_[k]);
    place[b] = static_cast<std::int32_t>(k);
    block_target_.push_back(dense_ ? start_[a] + size_ * start_[b] : sparse_size_);
    sparse_size_ += rows_[a] * rows_[b];
  }
}

// One pass over the rows.
void BlockAssembly::buildPattern() {
  products_.clear();
  product_start_.assign(1, 0);
  block_start_.assign(1, 0);
  block_column_.clear();
  block_target_.clear();
  diagonal_.resize(active_.size());
  sparse_size_ = 0;
  std::vector<std::int32_t> place(active_.size(), -1);
  std::size_t side = 0;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const std::size_t first_side = side, first_block = block_column_.size();
    while (side < sides_.size() && sides_[side].row == static_cast<int>(a)) ++side;
    appendBlocks(a, first_side, side, place);
    const auto target = [&](std::size_t b) { return block_target_[static_cast<std::size_t>(place[b])]; };
    diagonal_[a] = target(a);
    for (std::size_t s = first_side; s < side; ++s)
      for (const std::int32_t other : sidesOf(sides_[s].system))
        products_.push_back({static_cast<std::int32_t>(s), other, target(rowOf(other))});
    for (std::size_t k = first_block; k < block_column_.size(); ++k) place[static_cast<std::size_t>(block_column_[k])] = -1;
    product_start_.push_back(products_.size());
    block_start_.push_back(static_cast<std::int32_t>(block_column_.size()));
  }
  values_.resize(static_cast<std::size_t>(dense_ ? size_ * size_ : sparse_size_));
  row_end_.clear();
  if (block_size_ == 0)
    for (std::size_t a = 0; a < active_.size(); ++a) row_end_.push_back(static_cast<std::int32_t>(start_[a + 1]));
}

void BlockAssembly::computeResponses(NonSmoothDynamicalSystem& model, const Response& response) {
  for (const Side& side : sides_) {
    const InteractionRecord& record = model.recordAt(active_[static_cast<std::size_t>(side.row)]);
    const Index rows = rows_[static_cast<std::size_t>(side.row)];
    double* X = responses_.data() + side.response;
    if (const double* input = response.input(record)) {
      const ConstMatrixView B(input, record.totalMotion(), record.y.rows);
      MatrixView(X, side.motion, rows) = B.block(side.column, 0, side.motion, rows);
    } else if (record.hasB()) {
      const MatrixView B = model.block(record, Block::B);
      MatrixView(X, side.motion, rows) = B.block(side.column, 0, side.motion, rows);
    } else {
      const double* C = model.block(record, Block::C).data() + side.column * record.y.rows;
      for (Index k = 0; k < side.motion; ++k)
        for (Index i = 0; i < rows; ++i) X[k + i * side.motion] = C[i + k * record.y.rows];
    }
    response.apply(side.system, X, rows);
  }
}

void BlockAssembly::addDiagonal(NonSmoothDynamicalSystem& model, const Response& response) {
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const InteractionRecord& record = model.recordAt(active_[a]);
    if (!record.hasD()) continue;
    const MatrixView D = model.block(record, Block::D);
    const double factor = response.coupling(record).feedthrough;
    const Index stride = dense_ ? size_ : rows_[a];
    for (Index j = 0; j < rows_[a]; ++j)
      for (Index i = 0; i < rows_[a]; ++i) values_[static_cast<std::size_t>(diagonal_[a] + i + j * stride)] += factor * D(i, j);
  }
}

// A contact touches few of the coordinates of a large system, and each pair of contacts of it costs as many products as there are
// columns here. Zeros left out change no bit: sums that start with +0 are never -0.
std::span<const Index> BlockAssembly::columnsOf(const Side& side, Index rows, const double* C, Index ldc) {
  std::size_t count = 0;
  for (Index k = 0; k < side.motion; ++k) {
    bool counts = false;
    for (Index i = 0; i < rows; ++i) counts |= C[i + k * ldc] != 0;
    columns_[count] = k;
    count += counts ? 1 : 0;
  }
  return {columns_.data(), count};
}

template <int ROWS, int MOTION>
void BlockAssembly::addProducts(NonSmoothDynamicalSystem& model, const Response& response) {
  const double* blocks = model.blocks();
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const InteractionRecord& record = model.recordAt(active_[a]);
    const double factor = response.coupling(record).output;
    const Index stride = dense_ ? size_ : rows_[a];
    std::span<const Index> columns;
    std::int32_t known = -1;  // the side of the columns
    for (std::size_t k = product_start_[a]; k < product_start_[a + 1]; ++k) {
      const Product& product = products_[k];
      const Side &left = sides_[static_cast<std::size_t>(product.left)], &right = sides_[static_cast<std::size_t>(product.right)];
      if (MOTION == 0 && product.left != known) columns = columnsOf(left, rows_[a], blocks + left.entry, record.y.rows);
      known = product.left;
      addProduct<ROWS, MOTION>(rows_[a], left.motion, rows_[static_cast<std::size_t>(right.row)], blocks + left.entry,
                               record.y.rows, columns, responses_.data() + right.response, factor,
                               values_.data() + product.target, stride);
    }
  }
}

void BlockAssembly::fill(NonSmoothDynamicalSystem& model, const Response& response) {
  std::fill(values_.begin(), values_.end(), 0.0);
  computeResponses(model, response);
  if (block_size_ == 3 && motion_ == 6)
    addProducts<3, 6>(model, response);
  else if (block_size_ == 3 && motion_ == 3)
    addProducts<3, 3>(model, response);
  else if (block_size_ == 2 && motion_ == 3)
    addProducts<2, 3>(model, response);
  else if (block_size_ == 1 && motion_ == 3)
    addProducts<1, 3>(model, response);
  else if (block_size_ == 1 && motion_ == 1)
    addProducts<1, 1>(model, response);
  else
    addProducts<0, 0>(model, response);
  addDiagonal(model, response);
}

AssembledMatrix BlockAssembly::matrix() const {
  return {dense_, size_, &values_, &block_start_, &block_column_, &row_end_, block_size_};
}

Matrix BlockAssembly::toDense() const {
  if (dense_) return ConstMatrixView(values_.data(), size_, size_);
  Matrix result = Matrix::Zero(size_, size_);
  for (std::size_t a = 0; a < active_.size(); ++a)
    for (auto k = static_cast<std::size_t>(block_start_[a]); k < static_cast<std::size_t>(block_start_[a + 1]); ++k) {
      const auto b = static_cast<std::size_t>(block_column_[k]);
      result.block(start_[a], start_[b], rows_[a], rows_[b]) =
          ConstMatrixView(values_.data() + block_target_[k], rows_[a], rows_[b]);
    }
  return result;
}

}  // namespace nonsmooth::kernel
