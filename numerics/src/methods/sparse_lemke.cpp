// Lemke's method on sparse factors of the basis (as MINOS and PATH hold theirs: Murtagh and Saunders 1982; Dirkse and Ferris
// 1995): a pivot costs a few solves with triangles instead of n^2 operations, and no array has n^2 entries. The paths, ties and
// covering vectors are those of `lemke`: see lemke_runs.hpp.
#include <algorithm>

#include "methods/pivoting/lemke_runs.hpp"
#include "methods/pivoting/sparse_basis.hpp"

namespace nonsmooth {
namespace {

constexpr int shortest_interval = 50, default_interval = 250, largest_interval = 1000;
constexpr int pivot_storage = 4'000'000;  // doubles: a column for each pivot between two factorisations

struct SparseStorage {
  SparseLcp lcp_;
  SparseBasis factors_{lcp_};
};

class SparseLemke final : private SparseStorage, public LemkeRuns {
 public:
  SparseLemke() : LemkeRuns("sparse_lemke", lcp_, factors_) {}
  void setup(const Inclusion& view, const Options& options) override;
};

void SparseLemke::setup(const Inclusion& view, const Options& options) {
  refuse_contacts_and_disks(view, "sparse_lemke");
  lcp_.resize(view);
  const auto asked = static_cast<int>(options.integer(Option::refactor_interval));
  const int fitting = std::clamp(pivot_storage / std::max(1, lcp_.n()), shortest_interval, default_interval);
  const int interval = asked > 0 ? std::min(asked, largest_interval) : fitting;
  factors_.allocate(lcp_.n(), interval);
  prepare(view, options, interval);
}

}  // namespace

extern const MethodEntry sparse_lemke_method;
const MethodEntry sparse_lemke_method{
    {sizeof(nsm_method_info), "sparse_lemke", "Lemke pivoting on sparse LU factors of the basis, updated in product form",
     "Lemke 1965; Gilbert and Peierls 1988; Dirkse and Ferris 1995",
     "what lemke is safe for but bimatrix games; sparse M with tens of thousands of unknowns, as far as the factors stay sparse",
     linear_classes | class_bit(NSM_QP), 1000000,
     "some thousands to 50,000 unknowns with few entries per row, where a dense tableau would not fit; on matrices without "
     "locality its factors fill in"},
    &make_method<SparseLemke>};

}  // namespace nonsmooth
