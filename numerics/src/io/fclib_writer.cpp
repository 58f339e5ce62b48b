// Writes FCLIB HDF5 files: friction classes in the layout of FCLIB, so that its own tools read them; all others in /nonsmooth.
#include <algorithm>

#include "certificate/certificate.hpp"
#include "core/error.hpp"
#include "io/fclib_bilateral.hpp"
#include "io/fclib_layout.hpp"
#include "io/hdf5_native.hpp"
#include "io/hdf5_writer.hpp"
#include "io/io.hpp"

namespace nonsmooth {
namespace {

using hdf5::NewGroup;

void write_matrix(NewGroup& parent, const char* name, const Matrix& A) {
  const ByColumns columns(A);
  const CscMatrix& csc = *columns;
  NewGroup& group = parent.group(name);
  group.integer("nzmax", csc.col_start.back());
  group.integer("m", static_cast<std::int32_t>(csc.rows));
  group.integer("n", static_cast<std::int32_t>(csc.cols));
  group.integer("nz", -1);
  group.integers("p", csc.col_start);
  group.integers("i", csc.row_index);
  group.reals("x", csc.values);
}

// The fields of a friction class carry FCLIB's names: matrices stand in the root group, vectors in `vectors`.
class FclibFields {
 public:
  FclibFields(NewGroup& root, NewGroup& vectors) : root_(root), vectors_(vectors) {}
  void operator()(const Field&, std::int32_t dimension) { root_.integer("spacedim", dimension); }
  void operator()(const Field& field, const Vector& values) {
    if (!field.optional || !values.empty()) vectors_.reals(field.name, values);
  }
  void operator()(const Field& field, const Matrix& A) {
    if (!field.optional || A.cols() > 0) write_matrix(root_, field.name, A);
  }
  void operator()(const Field&, const IndexVector&) {}

 private:
  NewGroup& root_;
  NewGroup& vectors_;
};

// FCLIB's readers want u in every group. Of a solution without w it is what follows from z, or zeros where that overflows.
Vector w_of_solution(const Problem& problem) {
  Vector w = problem.solution_w;
  if (!w.empty()) return w;
  w.resize(problem.solution_z.size());
  Certifier(problem).certify(problem.solution_z, {}, 0, w);
  if (find_not_finite(w) >= 0) std::fill(w.begin(), w.end(), 0.0);
  return w;
}

void write_point(NewGroup& group, const Problem& problem, const Vector& z, const Vector& w) {
  const auto write = [&](std::int64_t dynamics, std::int64_t bilateral) {
    const auto v_end = z.begin() + dynamics, l_end = v_end + bilateral;
    if (dynamics > 0) group.reals("v", Vector(z.begin(), v_end));
    if (bilateral > 0) group.reals("l", Vector(v_end, l_end));
    group.reals("r", Vector(l_end, z.end()));
    group.reals("u", Vector(w.begin() + dynamics + bilateral, w.end()));
  };
  std::visit(
      [&](const auto& p) {
        using Data = std::decay_t<decltype(p)>;
        if constexpr (std::is_base_of_v<GlobalContactData, Data>)
          write(p.dynamics_rows(), p.bilateral_rows());
        else if constexpr (std::is_same_v<Data, Generic>)
          write(0, fclib::bilateral_rows(p));
        else
          write(0, 0);
      },
      problem.data);
}

void write_bilateral_local(NewGroup& group, NewGroup& vectors, const fclib::BilateralLocal& parts) {
  Friction::visit_fields(parts.contacts, FclibFields(group, vectors));
  write_matrix(group, "V", parts.V);
  write_matrix(group, "R", parts.R);
  vectors.reals("s", parts.s);
}

// `bilateral`: the problem, where it is a local one with such a part.
void write_fclib_group(NewGroup& root, const char* name, const Problem& problem,
                       const fclib::BilateralLocal* bilateral = nullptr) {
  NewGroup& group = root.group(name);
  NewGroup& vectors = group.group("vectors");
  if (bilateral != nullptr)
    write_bilateral_local(group, vectors, *bilateral);
  else
    visit_fields(problem, FclibFields(group, vectors));
  NewGroup& info = group.group("info");
  info.text("title", problem.title);
  info.text("description", problem.description);
  info.text("math_info", problem.math_info);
  if (!problem.guess.empty()) {
    NewGroup& guesses = root.group("guesses");
    guesses.integer("number_of_guesses", 1);
    write_point(guesses.group("1"), problem, problem.guess, Vector(problem.guess.size(), 0.0));
  }
  if (!problem.solution_z.empty()) write_point(root.group("solution"), problem, problem.solution_z, w_of_solution(problem));
}

}  // namespace

std::string format_fclib(const Problem& problem) {
  require_storable(problem.problem_class());
  hdf5::NewImage image;
  NewGroup& root = image.root();
  const Generic* generic = std::get_if<Generic>(&problem.data);
  const std::optional<fclib::BilateralLocal> bilateral = generic != nullptr ? fclib::split(*generic) : std::nullopt;
  if (bilateral)
    write_fclib_group(root, fclib::root_groups[0].name, problem, &*bilateral);
  else if (const fclib::RootGroup* layout = fclib::root_group_of(problem.problem_class()))
    write_fclib_group(root, layout->name, problem);
  else
    write_native_group(root.group(fclib::native_group), problem);
  return image.take();
}

}  // namespace nonsmooth
