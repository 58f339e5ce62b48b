// Problems: creation, description.
#include "nonsmooth/problem.h"

#include "capi/handles.hpp"
#include "core/checked.hpp"

using namespace nonsmooth;

namespace {

Matrix copied(const nsm_matrix* view, const char* name) { return Matrix::from_view(required(view, name), name); }

Matrix copied_if_given(const nsm_matrix* view, const char* name) { return view == nullptr ? Matrix() : copied(view, name); }

Vector copied_if_given(const double* values, std::int64_t size, const char* name) {
  return values == nullptr ? Vector() : nonsmooth::copied(values, size, name);
}

// What goes with a matrix that may be left out: nothing would read it without.
Vector copied_with(const nsm_matrix* matrix, const char* matrix_name, const double* values, std::int64_t size, const char* name) {
  if (matrix == nullptr && values != nullptr) fail(NSM_INVALID_ARGUMENT, "%s is given, but %s is NULL", name, matrix_name);
  return nonsmooth::copied(values, size, name);
}

// Builds the class's data, validates, and hands the problem over.
template <class Build>
nsm_status create(nsm_problem** problem, Build&& build) {
  return guarded([&] {
    required(problem, "problem") = nullptr;
    auto created = std::make_unique<nsm_problem>();
    created->problem.data = build();
    validate(created->problem);
    *problem = created.release();
  });
}

std::int64_t contacts_of(std::int32_t dimension, std::int64_t rows) { return dimension > 0 ? rows / dimension : 0; }

template <class Data>
Data global_data(std::int32_t dimension, const nsm_matrix* M, const nsm_matrix* H, const double* f, const double* w,
                 const double* mu, const nsm_matrix* G, const double* b) {
  Data data;
  data.dimension = dimension;
  data.M = copied(M, "M");
  data.H = copied(H, "H");
  data.f = nonsmooth::copied(f, data.M.rows(), "f");
  data.w = nonsmooth::copied(w, data.H.cols(), "w");
  data.mu = nonsmooth::copied(mu, contacts_of(dimension, data.H.cols()), "mu");
  data.G = copied_if_given(G, "G");
  data.b = copied_with(G, "G", b, data.G.cols(), "b");
  return data;
}

// What the nonlinear classes have in common.
template <class Data>
Data callback_data(std::int64_t n, nsm_function F, nsm_jacobian jacobian, const nsm_matrix* pattern, void* user) {
  if (F == nullptr) fail(NSM_INVALID_ARGUMENT, "F is NULL");
  Data data;
  data.F = NonlinearFunction::from_callbacks(n, F, jacobian, pattern, user);
  return data;
}

template <class Data>
Data on_polyhedron(const nsm_matrix* M, const double* q, const nsm_matrix* H, const double* k, const double* lo,
                   const double* hi) {
  Data data;
  data.M = copied(M, "M");
  data.q = nonsmooth::copied(q, data.M.rows(), "q");
  data.set.H = copied_if_given(H, "H");
  data.set.k = copied_with(H, "H", k, data.set.H.rows(), "k");
  data.set.lo = copied_if_given(lo, data.M.rows(), "lo");
  data.set.hi = copied_if_given(hi, data.M.rows(), "hi");
  return data;
}

// What stands in entries that the kinds of the blocks do not read is no part of the problem.
void forget_unread(Generic& generic) {
  std::size_t row = 0;
  for (std::size_t k = 0; k < generic.block_kind.size(); ++k) {
    const std::int32_t kind = generic.block_kind[k];
    if (!nonsmooth::reads_mu(kind) && !generic.mu.empty()) generic.mu[k] = 0;
    for (std::int32_t i = 0; i < generic.block_size[k] && row < generic.q.size(); ++i, ++row) {
      if (kind == NSM_BLOCK_RELAY) continue;
      if (!generic.lo.empty()) generic.lo[row] = 0;
      if (!generic.hi.empty()) generic.hi[row] = 0;
    }
  }
}

}  // namespace

nsm_status nsm_problem_create_lcp(const nsm_matrix* M, const double* q, nsm_problem** problem) {
  return create(problem, [&] {
    Lcp lcp{copied(M, "M"), {}};
    lcp.q = nonsmooth::copied(q, lcp.M.rows(), "q");
    return lcp;
  });
}

nsm_status nsm_problem_create_mlcp(const nsm_matrix* M, const double* q, const int32_t* is_complementarity,
                                   nsm_problem** problem) {
  return create(problem, [&] {
    Mlcp mlcp{copied(M, "M"), {}, {}};
    mlcp.q = nonsmooth::copied(q, mlcp.M.rows(), "q");
    if (mlcp.M.rows() > 0) required(is_complementarity, "is_complementarity");
    mlcp.is_complementarity.assign(is_complementarity, is_complementarity + mlcp.M.rows());
    return mlcp;
  });
}

nsm_status nsm_problem_create_mlcp_blocks(const nsm_matrix* A, const nsm_matrix* B, const nsm_matrix* C, const nsm_matrix* D,
                                          const double* a, const double* b, nsm_problem** problem) {
  return create(problem, [&] {
    const Matrix A_copy = copied(A, "A"), B_copy = copied(B, "B");
    return Mlcp::from_blocks(A_copy, B_copy, copied(C, "C"), copied(D, "D"), nonsmooth::copied(a, A_copy.rows(), "a"),
                             nonsmooth::copied(b, B_copy.rows(), "b"));
  });
}

nsm_status nsm_problem_create_relay(const nsm_matrix* M, const double* q, const double* lo, const double* hi,
                                    nsm_problem** problem) {
  return create(problem, [&] {
    Relay relay{copied(M, "M"), {}, {}, {}};
    relay.q = nonsmooth::copied(q, relay.M.rows(), "q");
    relay.lo = nonsmooth::copied(lo, relay.M.rows(), "lo");
    relay.hi = nonsmooth::copied(hi, relay.M.rows(), "hi");
    return relay;
  });
}

nsm_status nsm_problem_create_avi(const nsm_matrix* M, const double* q, const nsm_matrix* H, const double* k, const double* lo,
                                  const double* hi, nsm_problem** problem) {
  return create(problem, [&] { return on_polyhedron<Avi>(M, q, H, k, lo, hi); });
}

nsm_status nsm_problem_create_qp(const nsm_matrix* M, const double* q, const nsm_matrix* H, const double* k, const double* lo,
                                 const double* hi, nsm_problem** problem) {
  return create(problem, [&] { return on_polyhedron<Qp>(M, q, H, k, lo, hi); });
}

nsm_status nsm_problem_create_friction(int32_t dimension, const nsm_matrix* W, const double* q, const double* mu,
                                       nsm_problem** problem) {
  return create(problem, [&] {
    Friction friction{dimension, copied(W, "W"), {}, {}};
    friction.q = nonsmooth::copied(q, friction.W.rows(), "q");
    friction.mu = nonsmooth::copied(mu, contacts_of(dimension, friction.W.rows()), "mu");
    return friction;
  });
}

nsm_status nsm_problem_create_global_friction(int32_t dimension, const nsm_matrix* M, const nsm_matrix* H, const double* f,
                                              const double* w, const double* mu, const nsm_matrix* G, const double* b,
                                              nsm_problem** problem) {
  return create(problem, [&] { return global_data<GlobalFriction>(dimension, M, H, f, w, mu, G, b); });
}

nsm_status nsm_problem_create_rolling(int32_t dimension, const nsm_matrix* W, const double* q, const double* mu,
                                      const double* mu_r, nsm_problem** problem) {
  return create(problem, [&] {
    Rolling rolling{dimension, copied(W, "W"), {}, {}, {}};
    rolling.q = nonsmooth::copied(q, rolling.W.rows(), "q");
    rolling.mu = nonsmooth::copied(mu, contacts_of(dimension, rolling.W.rows()), "mu");
    rolling.mu_r = nonsmooth::copied(mu_r, contacts_of(dimension, rolling.W.rows()), "mu_r");
    return rolling;
  });
}

nsm_status nsm_problem_create_global_rolling(int32_t dimension, const nsm_matrix* M, const nsm_matrix* H, const double* f,
                                             const double* w, const double* mu, const double* mu_r, const nsm_matrix* G,
                                             const double* b, nsm_problem** problem) {
  return create(problem, [&] {
    auto rolling = global_data<GlobalRolling>(dimension, M, H, f, w, mu, G, b);
    rolling.mu_r = nonsmooth::copied(mu_r, rolling.contacts(), "mu_r");
    return rolling;
  });
}

nsm_status nsm_problem_create_generic(const nsm_matrix* M, const double* q, int64_t blocks, const int32_t* kind,
                                      const int32_t* size, const double* mu, const double* lo, const double* hi,
                                      nsm_problem** problem) {
  return create(problem, [&] {
    checked_index(blocks, "blocks");
    Generic generic;
    generic.M = copied(M, "M");
    generic.q = nonsmooth::copied(q, generic.M.rows(), "q");
    if (blocks > 0) {
      required(kind, "kind");
      required(size, "size");
    }
    generic.block_kind.assign(kind, kind + blocks);
    generic.block_size.assign(size, size + blocks);
    generic.mu = copied_if_given(mu, blocks, "mu");
    generic.lo = copied_if_given(lo, generic.M.rows(), "lo");
    generic.hi = copied_if_given(hi, generic.M.rows(), "hi");
    forget_unread(generic);
    return generic;
  });
}

nsm_status nsm_problem_create_soclcp(const nsm_matrix* M, const double* q, int64_t cones, const int32_t* cone_start,
                                     const double* tau, nsm_problem** problem) {
  return create(problem, [&] {
    checked_index(cones, "cones");
    Soclcp soclcp{copied(M, "M"), {}, {}, {}};
    soclcp.q = nonsmooth::copied(q, soclcp.M.rows(), "q");
    required(cone_start, "cone_start");
    soclcp.cone_start.assign(cone_start, cone_start + cones + 1);
    soclcp.tau = nonsmooth::copied(tau, cones, "tau");
    return soclcp;
  });
}

nsm_status nsm_problem_create_plasticity(const nsm_matrix* W, const double* q, const double* eta, const double* theta,
                                         nsm_problem** problem) {
  return create(problem, [&] {
    Plasticity plasticity{copied(W, "W"), {}, {}, {}};
    const std::int64_t cones = contacts_of(3, plasticity.W.rows());
    plasticity.q = nonsmooth::copied(q, plasticity.W.rows(), "q");
    plasticity.eta = nonsmooth::copied(eta, cones, "eta");
    plasticity.theta = nonsmooth::copied(theta, cones, "theta");
    return plasticity;
  });
}

nsm_status nsm_problem_create_ncp(int64_t n, nsm_function F, nsm_jacobian jacobian, const nsm_matrix* pattern, void* user,
                                  nsm_problem** problem) {
  return create(problem, [&] { return callback_data<Ncp>(n, F, jacobian, pattern, user); });
}

nsm_status nsm_problem_create_mcp(int64_t n, nsm_function F, nsm_jacobian jacobian, const nsm_matrix* pattern, void* user,
                                  const double* lo, const double* hi, nsm_problem** problem) {
  return create(problem, [&] {
    Mcp mcp = callback_data<Mcp>(n, F, jacobian, pattern, user);
    mcp.set.lo = copied_if_given(lo, n, "lo");
    mcp.set.hi = copied_if_given(hi, n, "hi");
    return mcp;
  });
}

nsm_status nsm_problem_create_vi(int64_t n, nsm_function F, nsm_jacobian jacobian, const nsm_matrix* pattern, void* user,
                                 const nsm_matrix* H, const double* k, const double* lo, const double* hi,
                                 nsm_problem** problem) {
  return create(problem, [&] {
    Vi vi = callback_data<Vi>(n, F, jacobian, pattern, user);
    vi.set.H = copied_if_given(H, "H");
    vi.set.k = copied_with(H, "H", k, vi.set.H.rows(), "k");
    vi.set.lo = copied_if_given(lo, n, "lo");
    vi.set.hi = copied_if_given(hi, n, "hi");
    return vi;
  });
}

nsm_status nsm_problem_create_vi_projection(int64_t n, nsm_function F, nsm_jacobian jacobian, const nsm_matrix* pattern,
                                            void* user, nsm_projection projection, nsm_problem** problem) {
  return create(problem, [&] {
    if (projection == nullptr) fail(NSM_INVALID_ARGUMENT, "projection is NULL");
    Vi vi = callback_data<Vi>(n, F, jacobian, pattern, user);
    vi.user_set = {projection, user};
    return vi;
  });
}

nsm_status nsm_problem_describe(const nsm_problem* problem, nsm_description* description) {
  return guarded([&] { write_struct(describe(required(problem, "problem").problem), description, "description"); });
}

nsm_class nsm_problem_class(const nsm_problem* problem) {
  return problem == nullptr ? NSM_CLASS_COUNT : problem->problem.problem_class();
}

int64_t nsm_problem_size(const nsm_problem* problem) { return problem == nullptr ? 0 : problem->problem.size(); }

const char* nsm_problem_title(const nsm_problem* problem) { return problem == nullptr ? "" : problem->problem.title.c_str(); }

void nsm_problem_free(nsm_problem** problem) {
  if (problem == nullptr) return;
  delete *problem;
  *problem = nullptr;
}
