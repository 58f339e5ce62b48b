// Block Gauss-Seidel: every block's problem is solved exactly in turn with the others held fixed. For an LCP this is projected
// Gauss-Seidel (Cryer 1971), for friction NSGS (Jean and Moreau 1987; Jourdan, Alart and Jean 1998), for mixed blocks the generic
// mechanical solver.
#include "methods/sweeps/block_sweep.hpp"

namespace nonsmooth {
namespace {

class BlockGaussSeidel final : public BlockSweep {
 public:
  BlockGaussSeidel() : BlockSweep("block_gauss_seidel", Order::successive) {}
};

}  // namespace

extern const MethodEntry block_gauss_seidel_method;
const MethodEntry block_gauss_seidel_method{
    {sizeof(nsm_method_info), "block_gauss_seidel",
     "block Gauss-Seidel with exact one-block solves: PGS for LCP, NSGS for friction",
     "Cryer 1971; Jean and Moreau 1987; Jourdan, Alart and Jean 1998",
     "LCP and boxes: symmetric positive definite, strictly diagonally dominant or H+ matrices; friction: none proven, slow where "
     "W is singular",
     linear_classes | contact_classes | class_bit(NSM_QP) | cone_classes, 200000,
     "friction at 1e-3 to 1e-4, in particular in simulations with a warm start: cheap sweeps, little memory; slow at tight "
     "tolerances and where many contacts hold one body"},
    &make_method<BlockGaussSeidel>};

}  // namespace nonsmooth
