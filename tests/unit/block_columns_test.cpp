// M by block columns: read where M stores its blocks, copied where it does not.
#include "methods/newton/block_columns.hpp"

#include <gtest/gtest.h>

namespace block_columns_test {

using namespace nonsmooth;

// Blocks of two rows: [A Z 0; 0 B 0; C 0 D], of which Z is stored.
Matrix stored(const Vector& values) {
  return {BlockCsrMatrix{6, 6, {2, 4, 6}, {2, 4, 6}, {0, 2, 3, 5}, {0, 1, 1, 0, 2}, {}, values}, "M"};
}

Vector values_of(double scale, double z) {
  Vector values;
  for (int k = 0; k < 20; ++k) values.push_back(k >= 4 && k < 8 ? z : scale * (k + 1));
  return values;
}

Inclusion contacts(const Matrix& M) {
  Inclusion view;
  view.M = &M;
  for (std::int32_t b = 0; b < 3; ++b) view.blocks.push_back({SetKind::coulomb_2d, 2 * b, 2, 0.5});
  return view;
}

void expect_entries_of(const BlockColumns& columns, const Matrix& M) {
  const DenseMatrix dense = to_dense(M);
  for (std::int32_t j = 0; j < 6; ++j) {
    Vector found(6, 0.0);
    columns.for_each_entry_of_column(j, [&](std::int32_t i, double value) { found[at(i)] = value; });
    for (std::int32_t i = 0; i < 6; ++i) EXPECT_EQ(found[at(i)], dense.values[at(i + 6 * j)]) << i << ", " << j;
  }
  const Vector x{1, -2, 3, -4, 5, -6};
  Vector y(6, 1.0), expected(6, 1.0);
  columns.multiply_add(x, y);
  multiply_add(M, 1.0, x, expected);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_DOUBLE_EQ(y[i], expected[i]);
}

TEST(BlockColumns, AreReadInEveryStorage) {
  const Matrix blocks = stored(values_of(1, 0));
  const Matrix columns(to_csc(blocks), "M"), dense(to_dense(blocks), "M");
  for (const Matrix* M : {&blocks, &columns, &dense}) {
    const BlockColumns read(contacts(*M), false);
    EXPECT_EQ(read.graph().col_start, (IndexVector{0, 2, 3, 4}));
    EXPECT_EQ(read.graph().row_index, (IndexVector{0, 2, 1, 2}));
    expect_entries_of(read, *M);
  }
  EXPECT_EQ(BlockColumns(contacts(blocks), true).graph().row_index, (IndexVector{0, 2, 0, 1, 2}));
}

// What was left out as zeros has no place; the next values that fit are read again.
TEST(BlockColumns, FollowNewValues) {
  const Matrix first = stored(values_of(1, 0)), scaled = stored(values_of(-3, 0)), filled = stored(values_of(1, 2));
  BlockColumns read(contacts(first), false);
  EXPECT_TRUE(read.update(contacts(scaled)));
  expect_entries_of(read, scaled);
  EXPECT_FALSE(read.update(contacts(filled)));
  EXPECT_TRUE(read.update(contacts(first)));
  expect_entries_of(read, first);
}

// Places that factors know are never changed: blocks in another order are refused, not read elsewhere.
TEST(BlockColumns, KeepTheirPlaces) {
  const Matrix first = stored(values_of(1, 0));
  Vector four = values_of(1, 0);
  four.erase(four.begin() + 4, four.begin() + 8);
  const Matrix moved(BlockCsrMatrix{6, 6, {2, 4, 6}, {2, 4, 6}, {0, 1, 2, 4}, {0, 1, 0, 2}, {}, four}, "M");
  BlockColumns read(contacts(first), false);
  EXPECT_FALSE(read.update(contacts(moved)));
  EXPECT_FALSE(read.update(contacts(moved)));
  EXPECT_TRUE(read.update(contacts(first)));
  expect_entries_of(read, first);
}

}  // namespace block_columns_test
