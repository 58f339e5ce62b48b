// Block Jacobi: all blocks' problems are solved exactly from the same point (for an LCP: Mangasarian 1977), with relaxation. The
// relaxation is halved whenever the residual has doubled or has not fallen for long, so that strong coupling slows the method
// down but does not make it diverge.
#include "methods/sweeps/block_sweep.hpp"

namespace nonsmooth {
namespace {

class Jacobi final : public BlockSweep {
 public:
  Jacobi() : BlockSweep("jacobi", Order::simultaneous) {}
};

}  // namespace

extern const MethodEntry jacobi_method;
const MethodEntry jacobi_method{
    {sizeof(nsm_method_info), "jacobi",
     "block Jacobi: exact one-block solves from one common point, relaxation reduced where it overshoots",
     "Mangasarian 1977; Cottle, Pang, Stone 1992, 5.2",
     "LCP and boxes: strictly diagonally dominant or H+ matrices, symmetric positive definite with its reduced relaxation; "
     "friction: none proven; slower than block_gauss_seidel by a factor of two at least",
     linear_classes | contact_classes | cone_classes, 200000,
     "as a reference, or where all blocks are to be solved at the same time; `block_gauss_seidel` needs half the sweeps or "
     "fewer"},
    &make_method<Jacobi>};

}  // namespace nonsmooth
