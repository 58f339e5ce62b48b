#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

// The polyhedron of all laws is the product of theirs.
void AVI::formulate(ProblemData& data) {
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> bounds;
  for (std::size_t k = 0; k < laws().size(); ++k) {
    const auto& law = *static_cast<const NormalConeNSL*>(laws()[k]);
    const auto first = static_cast<Index>(bounds.size());
    for (Index i = 0; i < law.H().rows(); ++i) {
      for (Index j = 0; j < law.H().cols(); ++j)
        if (law.H()(i, j) != 0) entries.emplace_back(first + i, rowStarts()[k] + j, law.H()(i, j));
      bounds.push_back(law.K()[i]);
    }
  }
  data.H.resize(static_cast<Index>(bounds.size()), getSizeOutput());
  data.H.setFromTriplets(entries.begin(), entries.end());
  data.k = ConstVectorView(bounds.data(), static_cast<Index>(bounds.size()));
}

}  // namespace nonsmooth::kernel
