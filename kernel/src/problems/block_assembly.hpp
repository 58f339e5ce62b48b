// M = C S B + D, assembled by pairs of interactions that share a system.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

// analyse() fixes the pattern, fill() computes the values: S B once per interaction and side, then one small product per pair.
// Cost and memory are linear in the number of pairs. fill() allocates nothing.
class BlockAssembly {
 public:
  // The response to inputs of a system: columns := S columns.
  class Response {
   public:
    virtual ~Response() = default;
    virtual void apply(int system, double* columns, Index count) const = 0;
    virtual Coupling coupling(const InteractionRecord& record) const = 0;
    // [motion, rows] where multipliers act otherwise than the record says, else null.
    virtual const double* input(const InteractionRecord&) const { return nullptr; }
  };

  // rows[k]: how many of the first rows of interaction active[k] take part; empty: all. Up to `largest_dense` rows M is dense.
  void analyse(NonSmoothDynamicalSystem& model, const std::vector<int>& active, Index largest_dense,
               const std::vector<Index>& rows = {});
  void fill(NonSmoothDynamicalSystem& model, const Response& response);

  Index size() const { return size_; }
  const std::vector<Index>& rowStarts() const { return start_; }  // of each interaction, and the end
  AssembledMatrix matrix() const;
  Matrix toDense() const;

 private:
  struct Side {
    int row;  // index among the active interactions
    int system;
    Index motion;    // dimension of the system
    Index column;    // of C and row of B, where its part starts
    Index entry;     // where its columns of C start in the model's blocks
    Index response;  // where S B starts in responses_
  };
  struct Product {
    std::int32_t left, right;  // sides
    Index target;              // where the block starts in values_
  };
  void collectSides(const NonSmoothDynamicalSystem& model);
  void sortSides(std::size_t systems);
  std::span<const std::int32_t> sidesOf(int system) const;
  std::size_t rowOf(std::int32_t side) const { return static_cast<std::size_t>(sides_[static_cast<std::size_t>(side)].row); }
  void appendBlocks(std::size_t a, std::size_t first, std::size_t end, std::vector<std::int32_t>& place);
  void buildPattern();
  void computeResponses(NonSmoothDynamicalSystem& model, const Response& response);
  std::span<const Index> columnsOf(const Side& side, Index rows, const double* C, Index ldc);
  template <int ROWS, int MOTION>
  void addProducts(NonSmoothDynamicalSystem& model, const Response& response);
  void addDiagonal(NonSmoothDynamicalSystem& model, const Response& response);

  std::vector<int> active_;
  std::vector<Index> rows_, start_;
  std::vector<Side> sides_;
  std::vector<std::int32_t> sides_of_system_, system_start_;
  std::vector<Product> products_;
  std::vector<std::size_t> product_start_;  // of each interaction, and the end
  std::vector<Index> diagonal_;             // where the diagonal block of each interaction starts
  std::vector<double> responses_, values_;
  std::vector<Index> columns_;  // of the side at hand, those with an entry that is not zero
  std::vector<std::int32_t> block_start_, block_column_, row_end_;
  std::vector<Index> block_target_;
  Index size_ = 0;
  Index sparse_size_ = 0;  // entries of all blocks
  std::int32_t block_size_ = 0;
  Index motion_ = 0;  // common dimension of all systems that take part; 0: there is none
  bool dense_ = true;
};

}  // namespace nonsmooth::kernel
