#include "methods/auto/independent_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/index.hpp"
#include "methods/sweeps/coupling_graph.hpp"
#include "problems/bounds.hpp"
#include "problems/free_blocks.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

// A dense matrix of that order with at most so many of its entries not 0 is worth storing without the others: contacts, whose
// blocks are full, and bounds, where two sweeps and a factorisation of a small array cost less than to store it otherwise.
constexpr std::int64_t smallest_sparse_contacts = 100, smallest_sparse_bounds = 250;
constexpr double densest_contacts = 0.25, densest_bounds = 0.05;

constexpr std::int64_t nowhere = -1;  // a zero that fills a block

// Disjoint sets with path halving (Tarjan 1975).
std::size_t root_of(std::vector<std::size_t>& parent, std::size_t node) {
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

}  // namespace

void IndependentParts::setup(const Inclusion& view, const Options& options, const MethodEntry& entry) {
  view_ = &view;
  by_size_.clear();
  last_ = nullptr;
  parts_.clear();
  find_parts();
  if (parts_.empty()) return;
  copy_matrices();
  ray_.reserve(at(view.size()));
  for (const auto& part : parts_) {
    list_blocks(*part);
    gather(*part, Change::matrix);
    part->control.setup(part->view, options, entry.info.default_iterations);
    part->method = entry.create();
    part->method->setup(part->view, options);
    by_size_.push_back(part.get());
  }
  std::stable_sort(by_size_.begin(), by_size_.end(),
                   [](const Part* a, const Part* b) { return a->rows.size() < b->rows.size(); });
}

// Whether a matrix of that order, of so many entries that are not 0, is stored densely without need.
bool IndependentParts::is_mostly_zero(std::int64_t order, std::int64_t entries) const {
  const bool bounds = has_bounds_only(*view_);
  const double share = bounds ? densest_bounds : densest_contacts;
  return order >= (bounds ? smallest_sparse_bounds : smallest_sparse_contacts) &&
         static_cast<double>(entries) <= share * static_cast<double>(order) * static_cast<double>(order);
}

bool IndependentParts::is_mostly_zero() const {
  if (view_->bodies != nullptr || view_->M->dense() == nullptr) return false;
  const std::span<const double> values = view_->M->values();
  const std::int64_t n = view_->size();
  std::int64_t entries = 0;
  for (std::int64_t j = 0; j < n && is_mostly_zero(n, entries); ++j)
    for (const double a : values.subspan(at(j * n), at(n))) entries += a != 0 ? 1 : 0;
  return is_mostly_zero(n, entries);
}

// For every block one of the same part; nothing if all of them are coupled.
std::vector<std::size_t> IndependentParts::coupled_blocks() const {
  const std::size_t count = view_->blocks.size();
  std::vector<std::size_t> parent(count);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  std::size_t remaining = count;
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t one = root_of(parent, a), other = root_of(parent, b);
    if (one == other) return;
    parent[std::max(one, other)] = std::min(one, other);
    --remaining;
  };
  if (view_->bodies != nullptr) {  // contacts that share a body: the matrix need not be formed
    for (const IndexVector& contacts : view_->bodies->contacts_of_bodies())
      for (const std::int32_t contact : contacts) join(at(contacts.front()), at(contact));
    if (remaining < 2) parent.clear();
    return parent;
  }
  std::int32_t last_row = 0, last_col = 0;  // blocks that are one already: their other entries tell nothing new
  const auto couple = [&](std::int32_t row, std::int32_t col) {
    if (row == col || (row == last_row && col == last_col) || remaining < 2) return;
    join(at(last_row = row), at(last_col = col));
  };
  if (const DenseMatrix* dense = view_->M->dense()) {
    const std::int64_t n = dense->cols;
    const IndexVector block_of_row = block_of_each_row(*view_);
    // From both ends: a column or two tell of full matrices and of triangular ones.
    for (std::int64_t k = 0; k < n && remaining > 1; ++k) {
      const std::int64_t j = k % 2 == 0 ? k / 2 : n - 1 - k / 2;
      for (std::int64_t i = 0; i < n && remaining > 1; ++i)
        if (dense->values[at(i + j * n)] != 0) couple(block_of_row[at(i)], block_of_row[at(j)]);
    }
  } else {
    for_each_coupling(*view_, couple);
  }
  if (remaining < 2) parent.clear();
  return parent;
}

// Blocks that are coupled to nothing are one part together where one sweep solves them all, with friction: there may be
// thousands.
void IndependentParts::find_parts() {
  std::vector<std::size_t> parent = coupled_blocks();
  const bool whole = parent.empty();
  if (whole && !is_mostly_zero()) return;
  if (whole) parent.assign(view_->blocks.size(), 0);
  const std::size_t count = parent.size();
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> members(count, 0), part_of_root(count, none);
  for (std::size_t b = 0; b < count; ++b) ++members[root_of(parent, b)];
  const bool swept = !has_bounds_only(*view_);
  std::size_t lone = none;  // the part of lone blocks
  part_of_row_.resize(at(view_->size()));
  row_in_part_.resize(at(view_->size()));
  for (std::size_t b = 0; b < count; ++b) {
    const std::size_t root = root_of(parent, b);
    std::size_t& place = swept && members[root] == 1 ? lone : part_of_root[root];
    if (place == none) {
      place = parts_.size();
      parts_.push_back(std::make_unique<Part>());
    }
    Part& part = *parts_[place];
    part.blocks.push_back(b);
    for (std::int32_t i = view_->blocks[b].start; i < view_->blocks[b].start + view_->blocks[b].size; ++i) {
      part_of_row_[at(i)] = place;
      row_in_part_[at(i)] = static_cast<std::int32_t>(part.rows.size());
      part.rows.push_back(i);
    }
  }
  if (parts_.size() < 2 && !whole) parts_.clear();
}

// The size of all blocks of a dense matrix of contacts, if they have one, else 0.
std::int32_t IndependentParts::common_block_size() const {
  const SetBlock& first = view_->blocks.front();
  if (view_->M->dense() == nullptr || !has_friction(first.kind)) return 0;
  const bool common =
      std::all_of(view_->blocks.begin(), view_->blocks.end(), [&](const SetBlock& b) { return b.size == first.size; });
  return common ? first.size : 0;
}

// Of each part whether zeros are left out. A single one is kept for this alone.
std::vector<bool> IndependentParts::sparse_parts() const {
  std::vector<bool> sparse(parts_.size(), true);
  if (view_->M->dense() == nullptr || parts_.size() == 1) return sparse;
  std::vector<std::int64_t> entries(parts_.size(), 0);
  for_each_entry(*view_->M, [&](std::int64_t i, std::int64_t, double a) { entries[part_of_row_[at(i)]] += a != 0 ? 1 : 0; });
  for (std::size_t p = 0; p < parts_.size(); ++p)
    sparse[p] = is_mostly_zero(static_cast<std::int64_t>(parts_[p]->rows.size()), entries[p]);
  return sparse;
}

// Parts are stored as the whole is, without the zeros where these are most of a dense part.
void IndependentParts::copy_matrices() {
  if (view_->bodies != nullptr)
    for (const auto& part : parts_) take_bodies(*part);
  else if (const BlockCsrMatrix* blocks = blocks_of_sets(*view_))
    copy_blocks(*blocks);
  else
    copy_entries();
  for (const auto& part : parts_) {
    part->q.resize(part->rows.size());
    part->z.resize(part->rows.size());
    if (part->view.bodies == nullptr) part->view.M = &part->M;
    part->view.q = &part->q;
  }
}

// Where bodies are known every block is a contact.
void IndependentParts::take_bodies(Part& part) const {
  for (const std::size_t b : part.blocks) part.contacts.push_back(static_cast<std::int32_t>(b));
  part.bodies.restrict_to(*view_->bodies, part.contacts);
  if (std::ssize(part.rows) <= DelassusOperator::largest_formed_order) {
    part.matrix();
  } else {
    part.view.bodies = &part.bodies;
    part.view.M = BorrowedMatrix(part);
  }
}

const Matrix& IndependentParts::Part::matrix() {
  if (!formed) M = Matrix(bodies.form(), "part of W");
  formed = true;
  return M;
}

// Values are those of the whole from then on; blocks between two parts are zeros.
void IndependentParts::copy_blocks(const BlockCsrMatrix& whole) {
  const auto part_of = [&](std::int64_t block) { return part_of_row_[at(whole.row_begin(block))]; };
  IndexVector place(at(whole.block_rows()));  // of each block in its part
  std::vector<BlockCsrMatrix> copies(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    BlockCsrMatrix& copy = copies[p];
    for (const std::size_t block : parts_[p]->blocks) {
      place[block] = static_cast<std::int32_t>(copy.row_end.size());
      copy.row_end.push_back((copy.row_end.empty() ? 0 : copy.row_end.back()) + view_->blocks[block].size);
    }
    copy.rows = copy.cols = copy.row_end.back();
    copy.col_end = copy.row_end;
    copy.row_start.push_back(0);
  }
  for (std::int64_t I = 0; I < whole.block_rows(); ++I) {
    Part& part = *parts_[part_of(I)];
    BlockCsrMatrix& copy = copies[part_of(I)];
    for (std::int32_t k = whole.row_start[at(I)]; k < whole.row_start[at(I + 1)]; ++k) {
      const std::int32_t J = whole.block_col[at(k)];
      if (part_of(J) != part_of(I)) continue;
      copy.block_col.push_back(place[at(J)]);
      for (std::int64_t source = whole.block_start[at(k)]; source < whole.block_start[at(k + 1)]; ++source)
        part.values.push_back(source);
    }
    copy.row_start.push_back(static_cast<std::int32_t>(copy.block_col.size()));
  }
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    copies[p].values.resize(parts_[p]->values.size());
    parts_[p]->M = Matrix(std::move(copies[p]), "part of M");
  }
}

// Entries are visited with columns ascending in each row; those between two parts are zeros of a dense or block matrix.
void IndependentParts::copy_entries() {
  struct Entries {
    IndexVector row, col;
    Vector value;
    std::vector<std::int64_t> source;
  };
  std::vector<Entries> entries(parts_.size());
  const double* first = view_->M->values().data();
  const std::int32_t block_size = common_block_size();
  const bool dense = view_->M->dense() != nullptr;
  const std::vector<bool> sparse = sparse_parts();
  for_each_entry(*view_->M, [&](std::int64_t i, std::int64_t j, const double& a) {
    const std::size_t part = part_of_row_[at(i)];
    if ((a == 0 && dense && sparse[part]) || part != part_of_row_[at(j)]) return;
    Entries& own = entries[part];
    own.row.push_back(row_in_part_[at(i)]);
    own.col.push_back(row_in_part_[at(j)]);
    own.source.push_back(&a - first);
    own.value.push_back(static_cast<double>(own.source.size()));  // its number, from 1, until the order of the copy is known
  });
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Part& part = *parts_[p];
    const auto n = static_cast<std::int64_t>(part.rows.size());
    part.M = Matrix::from_triplets(n, n, entries[p].row, entries[p].col, entries[p].value, "part of M");
    if (!sparse[p]) part.M = Matrix(to_dense(part.M), "part of M");
    if (sparse[p] && block_size > 0) part.M = Matrix(to_block_csr(part.M, block_size), "part of M");
    for (double number : part.M.values())
      part.values.push_back(number == 0 ? nowhere : entries[p].source[static_cast<std::size_t>(number) - 1]);
  }
}

void IndependentParts::gather_matrix(Part& part) const {
  if (view_->bodies == nullptr) {
    const std::span<const double> values = view_->M->values();
    const std::span<double> own = part.M.own_values();
    for (std::size_t k = 0; k < own.size(); ++k) own[k] = part.values[k] == nowhere ? 0.0 : values[at(part.values[k])];
    return;
  }
  part.bodies.take_values(*view_->bodies, part.contacts);
  if (part.formed) part.bodies.form_values(*part.M.block_csr(), part.bodies.dimension(), part.M.own_values());
}

// What has changed of a part, from the whole.
void IndependentParts::gather(Part& part, Change change) {
  take_entries(part.rows, *view_->q, part.q);
  if (change == Change::right_hand_side) return;
  gather_matrix(part);
  auto own_block = part.view.blocks.begin();
  for (const std::size_t b : part.blocks) {
    const SetBlock block = block_in_part(b);
    if (own_block->size == block.size) *own_block = block;
    while (own_block != part.view.blocks.end() && own_block->start < block.start + block.size) ++own_block;
  }
}

SetBlock IndependentParts::block_in_part(std::size_t block) const {
  SetBlock result = view_->blocks[block];
  result.start = row_in_part_[at(result.start)];
  return result;
}

// Zeros that a part leaves out may uncouple rows of equations that stand in one block.
void IndependentParts::list_blocks(Part& part) const {
  std::vector<SetBlock> blocks;
  for (const std::size_t b : part.blocks) blocks.push_back(block_in_part(b));
  part.view.blocks = part.contacts.empty() ? with_free_blocks_cut(std::move(blocks), part.M) : std::move(blocks);
}

// Contacts that share no body have none between them.
bool IndependentParts::hold_all_entries() const {
  if (view_->bodies != nullptr) return true;
  const std::span<const double> values = view_->M->values();
  const auto is_entry = [](double a) { return a != 0; };
  std::int64_t held = 0;
  for (const auto& part : parts_)
    held += std::count_if(part->values.begin(), part->values.end(),
                          [&](std::int64_t k) { return k != nowhere && is_entry(values[at(k)]); });
  return held == std::count_if(values.begin(), values.end(), is_entry);
}

void IndependentParts::update(Change change) {
  for (const auto& part : parts_) {
    gather(*part, change);
    part->method->update(change);
  }
}

// One part, up to `share` of the residual of the whole. Returns the share it takes.
double IndependentParts::solve_part(Part& part, double share, std::span<double> z, Stop& stop) {
  part.view.scale = share * view_->scale;
  take_entries(part.rows, z, part.z);
  stop = part.control.check(0, part.z);
  if (stop == Stop::none) {
    last_ = &part;
    stop = part.method->solve(part.z, part.control);
  }
  if (stop != Stop::finished) part.control.consider(part.z);
  put_entries(part.rows, part.control.best(), z);
  if (stop == Stop::infeasible) {
    ray_.assign(z.size(), 0.0);
    put_entries(part.rows, part.method->infeasibility_ray(), ray_);
  }
  return share * std::min(1.0, part.control.best_residual() / part.control.tolerance());
}

// The small parts first: what they leave of their shares is for the large ones.
Stop IndependentParts::solve(std::span<double> z, Control& control) {
  ray_.clear();
  last_ = nullptr;
  Stop worst = Stop::finished;
  std::int64_t iterations = 0;
  double square = 1, rows = static_cast<double>(z.size());  // of the residual, and of z, not yet given away
  for (Part* part : by_size_) {
    const auto own = static_cast<double>(part->rows.size());
    part->control.begin_part(control, iterations);
    control.log("part of %zu rows", part->rows.size());
    Stop stop = Stop::none;
    const double taken = solve_part(*part, std::sqrt(square * own / rows), z, stop);
    square -= taken * taken;
    rows -= own;
    iterations = part->control.iterations();
    control.count_setup(part->control.setup_seconds());
    if (stop != Stop::finished) worst = stop;
    if (stop == Stop::infeasible || is_limit(stop) || stop == Stop::out_of_memory) break;
  }
  const Stop whole = control.check(iterations, z);
  return worst == Stop::finished || whole == Stop::finished ? whole : worst;
}

}  // namespace nonsmooth
