// What auto tries on contacts, and in which order.
#include "methods/auto/auto_stages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linalg/triplets.hpp"

namespace auto_stages_test {

using namespace nonsmooth;

Inclusion contacts_of(const Matrix& W, SetKind kind = SetKind::coulomb_3d) {
  Inclusion view;
  view.M = &W;
  for (std::int32_t i = 0; i < W.rows(); i += 3) view.blocks.push_back({kind, i, 3, 0.5});
  return view;
}

const Stage* first_dear(const StageList& stages) {
  return std::ranges::find_if(stages, [](const auto& stage) { return stage.factors >= Factors::dear; });
}

// Before the interior point method, where a solve stands alone; in a sequence the same method goes there for good.
TEST(AutoStages, ATryIsMadeOutsideSequences) {
  constexpr std::int32_t order = 60;
  DenseMatrix coupled{order, order, Vector(std::size_t{order} * order, 1.0)};
  for (std::size_t i = 0; i < order; ++i) coupled.values[i * (order + 1)] = order;
  const Matrix W(coupled, "W");
  const Inclusion view = contacts_of(W);
  Options options;
  const StageList alone = stages_of(view, options);
  const auto attempt = std::ranges::find_if(alone, &Stage::aside);
  ASSERT_NE(attempt, alone.end());
  EXPECT_STREQ(attempt->method, "proximal_newton");
  EXPECT_STREQ((attempt + 2)->method, "friction_interior_point");
  options.set("first_stage", 1);
  const StageList sequence = stages_of(view, options);
  EXPECT_EQ(sequence.size(), alone.size() + 1);  // swept first, and Newton's steps behind the interior point method
  EXPECT_EQ(first_dear(sequence), sequence.end());
}

// Each coupled to the two on either side.
Matrix row_of_contacts(std::int32_t contacts, std::int32_t reach = 2) {
  const std::int32_t order = 3 * contacts;
  CscMatrix banded{order, order, {0}, {}, {}};
  for (std::int32_t j = 0; j < order; ++j) {
    const std::int32_t c = j / 3;
    for (std::int32_t i = 3 * std::max(0, c - reach); i < 3 * std::min(contacts, c + reach + 1); ++i) {
      banded.row_index.push_back(i);
      banded.values.push_back(i == j ? 20.0 : 1.0);
    }
    banded.col_start.push_back(static_cast<std::int32_t>(banded.row_index.size()));
  }
  return {banded, "W"};
}

// There Newton's steps begin where statuses have settled, and what they leave is gone on from.
TEST(AutoStages, LargeProblemsWithDearFactorsAreSweptFirst) {
  const Matrix W = row_of_contacts(4100);
  const Inclusion view = contacts_of(W);
  Options options;
  const StageList alone = stages_of(view, options);
  const auto settling = first_dear(alone);
  ASSERT_NE(settling, alone.end());
  EXPECT_STREQ(settling->method, "block_gauss_seidel");
  EXPECT_STREQ((settling + 1)->method, "proximal_newton");
  EXPECT_EQ(settling->factors, Factors::very_dear) << "walls take the interior point method";
  EXPECT_EQ((settling + 1)->factors, Factors::very_dear);
  EXPECT_FALSE((settling + 1)->aside);
  const Stage& nearer = *(settling + 2);
  EXPECT_STREQ(nearer.method, "proximal_newton");
  EXPECT_EQ(nearer.factors, Factors::very_dear);
  EXPECT_EQ(nearer.most_residual, 1e-5) << "only what is near goes on at once";
  EXPECT_FALSE(nearer.aside);
  EXPECT_STREQ((settling + 3)->method, "friction_interior_point");
  const StageList rolling = stages_of(contacts_of(W, SetKind::rolling_2d), options);
  EXPECT_EQ(first_dear(rolling), rolling.end()) << "sweeps of these cost more than is counted";
  options.set("tolerance", 1e-4);
  const StageList loose = stages_of(view, options);
  ASSERT_NE(first_dear(loose), loose.end());
  EXPECT_STREQ(first_dear(loose)->method, "proximal_newton") << "swept already";
  EXPECT_STREQ((first_dear(loose) + 1)->method, "friction_interior_point");
  options.set("first_stage", 1);
  const StageList sequence = stages_of(view, options);
  EXPECT_EQ(first_dear(sequence), sequence.end());
}

const auto is_interior = [](const Stage& s) { return s.method == std::string_view("friction_interior_point"); };

// Behind sweeps until statuses settle the interior point method is taken only where those have not led near, and before them
// where contacts are hyperstatic, as long as it is sure of its end.
TEST(AutoStages, SettledSweepsAndTheInteriorPointMethod) {
  Options options;
  const Matrix pile = row_of_contacts(4100);
  const StageList of_pile = stages_of(contacts_of(pile), options);
  EXPECT_EQ(std::ranges::count_if(of_pile, is_interior), 2);
  const auto where_less_dear = std::ranges::find_if(of_pile, is_interior);
  EXPECT_EQ(where_less_dear->factors, Factors::less_dear);
  EXPECT_EQ(where_less_dear->least_residual, 0);
  EXPECT_TRUE(is_interior(where_less_dear[1]));
  EXPECT_EQ(where_less_dear[1].factors, Factors::very_dear);
  EXPECT_EQ(where_less_dear[1].least_residual, 1e-3);

  const Matrix wall = row_of_contacts(4100, 10);
  const StageList of_wall = stages_of(contacts_of(wall), options);
  const auto attempt = first_dear(of_wall);
  ASSERT_NE(attempt, of_wall.end());
  EXPECT_TRUE(is_interior(*attempt) && attempt->aside && attempt->factors == Factors::very_dear);
  EXPECT_EQ(attempt->extent, Extent::falling);
  EXPECT_STREQ(attempt[1].method, "block_gauss_seidel");
  EXPECT_EQ(std::ranges::find_if(attempt + 1, of_wall.end(), is_interior)->factors, Factors::any);

  options.set("first_stage", 1);  // swept first, in sequences
  for (const Matrix* W : {&pile, &wall}) {
    const StageList sequence = stages_of(contacts_of(*W), options);
    EXPECT_EQ(std::ranges::count_if(sequence, is_interior), 1);
    EXPECT_EQ(std::ranges::find_if(sequence, is_interior)->factors, Factors::any);
  }
  Inclusion mechanism = contacts_of(pile);
  for (std::size_t b = 0; b < mechanism.blocks.size(); b += 2) mechanism.blocks[b].kind = SetKind::free_space;
  const StageList of_mechanism = stages_of(mechanism, options);
  EXPECT_EQ(std::ranges::find_if(of_mechanism, is_interior)->factors, Factors::cheap);
}

// Beyond it long sweeps go before Newton's steps.
TEST(AutoStages, UpToTheLargestMeasured) {
  for (const std::int32_t contacts : {16000, 34000}) {
    const bool is_measured = contacts == 16000;
    const Matrix W = row_of_contacts(contacts);
    const StageList stages = stages_of(contacts_of(W), Options());
    EXPECT_EQ(first_dear(stages) != stages.end(), is_measured) << contacts;
    const auto sweeps = std::ranges::find_if(
        stages, [](const Stage& s) { return s.budget >= 2000 && s.method == std::string_view("block_gauss_seidel"); });
    ASSERT_NE(sweeps, stages.end());
    EXPECT_EQ(sweeps->budget, is_measured ? 2000 : 20000) << contacts;
    const bool steps_follow = (sweeps + 1)->method == std::string_view("proximal_newton");
    EXPECT_EQ(steps_follow, is_measured) << contacts;
  }
}

// From a start other than 0 sweeps go before projections as long as factorisations allow, to a tight tolerance in their place.
TEST(AutoStages, AWarmStartIsSweptFirst) {
  const Matrix W = row_of_contacts(100);
  const auto is_swept = [](Extent extent, Start start) {
    return [=](const Stage& s) {
      return s.extent == extent && s.start == start && s.method == std::string_view("block_gauss_seidel");
    };
  };
  const auto projects = [](const Stage& s) { return s.method == std::string_view("accelerated_projected_gradient"); };
  Options options;
  options.set("tolerance", 1e-4);
  const StageList loose = stages_of(contacts_of(W), options);
  const auto projections = std::ranges::find_if(loose, projects);
  EXPECT_EQ(projections->start, Start::any);
  EXPECT_LT(std::ranges::find_if(loose, is_swept(Extent::weighed, Start::warm)), projections);
  EXPECT_GT(std::ranges::find_if(loose, is_swept(Extent::weighed, Start::zero)), projections);
  options.set("tolerance", 1e-8);
  const StageList tight = stages_of(contacts_of(W), options);
  EXPECT_NE(std::ranges::find_if(tight, is_swept(Extent::affordable, Start::warm)), tight.end());
  EXPECT_EQ(std::ranges::find_if(tight, projects)->start, Start::zero);
}

// Where contacts are redundant, projections end sooner than as many sweeps.
TEST(AutoStages, RedundantContactsAreProjectedBeforeTheyAreSwept) {
  const auto is_swept_before_projections = [](const Matrix& W) {
    Options options;
    options.set("tolerance", 1e-4);
    const StageList stages = stages_of(contacts_of(W), options);
    const auto weighs = [](const Stage& s) { return s.extent == Extent::weighed && s.shape != Shape::slender; };
    const auto projects = [](const Stage& s) { return s.method == std::string_view("accelerated_projected_gradient"); };
    return std::ranges::find_if(stages, weighs) < std::ranges::find_if(stages, projects);
  };
  EXPECT_TRUE(is_swept_before_projections(row_of_contacts(100, 3)));   // each is coupled with seven
  EXPECT_FALSE(is_swept_before_projections(row_of_contacts(100, 4)));  // with nine
}

// To a tight tolerance a few of Newton's steps follow the solution of the step before, ahead of all that begins anew.
TEST(AutoStages, NewtonsStepsFollowAWarmStart) {
  const Matrix W = row_of_contacts(100);
  const auto follows = [](const Stage& s) { return s.start == Start::warm && s.method == std::string_view("proximal_newton"); };
  const auto is_slender_path = [](const Stage& s) {
    return s.shape == Shape::slender && s.method == std::string_view("friction_central_path");
  };
  Options options;
  options.set("tolerance", 1e-4);
  const StageList loose = stages_of(contacts_of(W), options);
  EXPECT_EQ(std::ranges::find_if(loose, follows), loose.end());
  options.set("tolerance", 1e-8);
  const StageList tight = stages_of(contacts_of(W), options);
  const auto steps = std::ranges::find_if(tight, follows);
  EXPECT_LT(steps, std::ranges::find_if(tight, is_slender_path));
  EXPECT_EQ((steps - 1)->start, Start::warm) << "sweeps, while they foretell their end";
  const StageList rolling = stages_of(contacts_of(W, SetKind::rolling_2d), options);
  EXPECT_EQ(std::ranges::count_if(rolling, [](const Stage& s) { return s.start == Start::warm; }), 3)
      << "faces, the splitting, steps; sweeps are dear";
}

// Before them steps from face to face, behind sweeps; to a loose tolerance in chains and long and thin structures alone.
TEST(AutoStages, FacesFollowAWarmStart) {
  const auto steps = [](const Stage& s) { return s.own == Own::face_steps; };
  const auto shape_of_steps = [&](const Matrix& W, double tolerance) {
    Options options;
    options.set("tolerance", tolerance);
    const StageList stages = stages_of(contacts_of(W), options);
    const auto faces = std::ranges::find_if(stages, steps);
    EXPECT_EQ(faces->start, Start::warm);
    EXPECT_EQ((faces - 1)->extent, Extent::weighed);
    EXPECT_EQ((faces - 1)->shape, faces->shape);
    return faces->shape;
  };
  const Matrix W = row_of_contacts(100);
  EXPECT_EQ(shape_of_steps(W, 1e-8), Shape::any);
  EXPECT_EQ(shape_of_steps(W, 1e-4), Shape::slender);
}

// Those of elastic bodies need no proximal term, and nothing before them but some sweeps.
TEST(AutoStages, ElasticBodiesFollowWithoutAProximalTerm) {
  const Matrix W = row_of_contacts(100);
  Inclusion view = contacts_of(W);
  const ElasticBodies bodies{};
  const auto is_warm = [](const Stage& s) { return s.start == Start::warm; };
  Options options;
  options.set("tolerance", 1e-8);
  const auto first_warm = [&] {
    const StageList stages = stages_of(view, options);
    return std::string(std::ranges::find_if(stages, is_warm)->method);
  };
  const auto follows_faces = [&] {
    return std::ranges::any_of(stages_of(view, options), [](const Stage& s) { return s.own == Own::face_steps; });
  };
  EXPECT_TRUE(follows_faces());
  view.elastic = &bodies;
  EXPECT_FALSE(follows_faces());
  EXPECT_EQ(first_warm(), "block_gauss_seidel");
  const StageList stages = stages_of(view, options);
  EXPECT_EQ((std::ranges::find_if(stages, is_warm) + 1)->method, std::string_view("semismooth_newton"));
}

// Behind projections, of Coulomb contacts to a tight tolerance.
TEST(AutoStages, SweepsGoBeforeTheFirstNewtonSteps) {
  const Matrix W = row_of_contacts(100);
  const auto before_steps = [&](SetKind kind, double tolerance) -> std::string_view {
    Options options;
    options.set("tolerance", tolerance);
    const StageList stages = stages_of(contacts_of(W, kind), options);
    const auto steps = std::ranges::find_if(stages, [](const Stage& s) {
      return s.extent == Extent::halving && s.factors == Factors::cheap && s.start == Start::any;
    });
    if (steps == stages.end() || std::string_view(steps->method) != "proximal_newton") return "no such steps";
    return (steps - 1)->method;
  };
  EXPECT_EQ(before_steps(SetKind::coulomb_3d, 1e-8), "block_gauss_seidel");
  EXPECT_EQ(before_steps(SetKind::coulomb_3d, 1e-4), "proximal_newton") << "the try, where factorisations are dear";
  EXPECT_EQ(before_steps(SetKind::rolling_2d, 1e-8), "proximal_newton");
}

// Where those have come near, others go on from there before the interior point method begins anew.
TEST(AutoStages, NewtonsStepsGoOnWhereTheyHaveComeNear) {
  const Matrix W = row_of_contacts(100);
  Options options;
  options.set("tolerance", 1e-8);
  const StageList stages = stages_of(contacts_of(W), options);
  const auto interior =
      std::ranges::find_if(stages, [](const Stage& s) { return s.method == std::string_view("friction_interior_point"); });
  ASSERT_NE(interior, stages.end());
  const Stage& nearer = *(interior - 1);
  EXPECT_EQ(nearer.method, std::string_view("proximal_newton"));
  EXPECT_LT(nearer.most_residual, 1e-4);
  EXPECT_EQ(nearer.option, std::string_view("patience"));
  Inclusion mechanism = contacts_of(W);
  for (std::size_t b = 0; b < mechanism.blocks.size(); b += 2) mechanism.blocks[b].kind = SetKind::free_space;
  const StageList of_mechanism = stages_of(mechanism, options);
  EXPECT_EQ(std::ranges::count(of_mechanism, nearer), 0);
}

// The pressures of a chain of cells, and rows that bound the flow between two of them: sweeps would factorise all pressures as
// one dense block.
TEST(AutoStages, ALongRunOfCoupledFreeRowsIsNotSwept) {
  constexpr std::int32_t cells = 5000, bounds = 100;
  Triplets entries;
  for (std::int32_t i = 0; i < cells + bounds; ++i) entries.add(i, i, 2);
  for (std::int32_t i = 0; i + 1 < cells; ++i) {
    entries.add(i, i + 1, -1);
    entries.add(i + 1, i, -1);
  }
  for (std::int32_t k = 0; k < bounds; ++k) {
    entries.add(cells + k, 7 * k, 1);
    entries.add(7 * k, cells + k, -1);
  }
  const Matrix M = entries.to_matrix(cells + bounds, cells + bounds, "M");
  const Vector q(cells + bounds, 1.0);
  Inclusion view;
  view.M = &M;
  view.q = &q;
  view.blocks.push_back({SetKind::free_space, 0, cells});
  for (std::int32_t k = 0; k < bounds; ++k) view.blocks.push_back({SetKind::orthant, cells + k, 1});
  const StageList stages = stages_of(view, Options());
  ASSERT_GT(stages.size(), 0u);
  for (const Stage& stage : stages) EXPECT_STRNE(stage.method, "block_gauss_seidel");
}

std::ptrdiff_t place_of(const StageList& stages, std::string_view method) {
  const auto is_it = [&](const Stage& stage) { return stage.method == method; };
  return std::ranges::find_if(stages, is_it) - stages.begin();
}

// Contacts have nothing on the diagonal, however few rows the equations of motion are.
TEST(AutoStages, KeptEquationsOfMotionTakeTheInteriorPointMethodFirst) {
  constexpr std::int32_t motions = 6, contacts = 40;
  Triplets entries;
  for (std::int32_t i = 0; i < motions; ++i) entries.add(i, i, 1);
  for (std::int32_t i = motions; i < motions + 3 * contacts; ++i) {
    entries.add(i, i % 3, 1);
    entries.add(i % 3, i, -1);
  }
  const Matrix M = entries.to_matrix(motions + 3 * contacts, motions + 3 * contacts, "M");
  const Vector q(motions + 3 * contacts, 1.0);
  Inclusion view;
  view.M = &M;
  view.q = &q;
  view.blocks.push_back({SetKind::free_space, 0, motions});
  for (std::int32_t c = 0; c < contacts; ++c) view.blocks.push_back({SetKind::coulomb_3d, motions + 3 * c, 3, 0.5});
  const StageList stages = stages_of(view, Options());
  EXPECT_LT(place_of(stages, "friction_interior_point"), place_of(stages, "admm"));
  EXPECT_LT(place_of(stages, "friction_interior_point"), place_of(stages, "accelerated_projected_gradient"));
}

// [K -P'; P 0] with a diagonal K of the size given, and P = 1: w of the second half is the first.
Matrix saddle(std::int32_t half, double size) {
  Triplets entries;
  for (std::int32_t i = 0; i < half; ++i) {
    entries.add(i, i, size);
    entries.add(half + i, i, 1);
    entries.add(i, half + i, -1);
  }
  return entries.to_matrix(2 * half, 2 * half, "M");
}

// Linear programmes with their duals take few pivots, or many that cost more than the interior point method.
TEST(AutoStages, PivotsOfSparseProgrammesRivalTheInteriorPointMethod) {
  const Matrix M = saddle(150, 0);
  const Vector q(300, 1.0);
  Inclusion view;
  view.M = &M;
  view.q = &q;
  for (std::int32_t i = 0; i < 300; ++i) view.blocks.push_back({SetKind::orthant, i, 1});
  const StageList stages = stages_of(view, Options());
  const auto pivots = stages.begin() + place_of(stages, "sparse_lemke");
  ASSERT_NE(pivots, stages.end());
  EXPECT_EQ(pivots->extent, Extent::rival);
  EXPECT_STREQ((pivots + 1)->method, "interior_point");
  EXPECT_STREQ((pivots + 2)->method, "sparse_lemke");
  EXPECT_EQ((pivots + 2)->extent, Extent::fixed);
  const auto pivots_go_first = [&view](std::size_t equalities) {
    for (std::size_t i = 0; i < equalities; ++i) view.blocks[i].kind = SetKind::free_space;
    const StageList with_equalities = stages_of(view, Options());
    return place_of(with_equalities, "sparse_lemke") < place_of(with_equalities, "interior_point");
  };
  EXPECT_TRUE(pivots_go_first(100));
  EXPECT_FALSE(pivots_go_first(101)) << "each takes a pivot";
}

// However large the entries beside the duals are.
TEST(AutoStages, ConeProgrammesWithTheirDualsTakeTheInteriorPointMethodFirst) {
  constexpr std::int32_t half = 150;
  const Vector q(2 * half, 1.0);
  for (const double size : {1.0, 4.0}) {
    const Matrix M = saddle(half, size);
    Inclusion view;
    view.M = &M;
    view.q = &q;
    for (std::int32_t i = 0; i < 2 * half; i += 3) view.blocks.push_back({SetKind::second_order_cone, i, 3, 1});
    const StageList stages = stages_of(view, Options());
    EXPECT_LT(place_of(stages, "friction_interior_point"), place_of(stages, "admm")) << size;
    EXPECT_EQ(stages.begin()->extent, Extent::affordable) << size;
  }
}

// Stages of contacts with friction are not for them: the interior point method and the central path know Coulomb's shift alone.
TEST(AutoStages, DilatantConesTakeProximalStepsBehindAFewSweeps) {
  const Matrix W = row_of_contacts(10);
  const StageList stages = stages_of(contacts_of(W, SetKind::dilatant_3d), Options());
  EXPECT_STREQ(stages.begin()->method, "block_gauss_seidel");
  EXPECT_STREQ((stages.begin() + 1)->method, "proximal_newton");
  EXPECT_STREQ((stages.end() - 1)->method, "block_gauss_seidel");
  EXPECT_EQ((stages.end() - 1)->budget, unlimited);
}

// Disks beside bounds, free rows and cones: what is monotone falls to Newton's steps with a proximal term.
TEST(AutoStages, DisksTakeProximalStepsBehindAFewSweeps) {
  const Matrix W = row_of_contacts(10);
  Inclusion view;
  view.M = &W;
  for (std::int32_t i = 0; i < W.rows(); i += 2) view.blocks.push_back({SetKind::disk, i, 2, 0.5});
  const auto methods = [&] {
    std::vector<std::string> names;
    for (const Stage& stage : stages_of(view, Options())) names.emplace_back(stage.method);
    return names;
  };
  const std::vector<std::string> expected = {"block_gauss_seidel", "proximal_newton",
                                             "semismooth_newton",  "accelerated_projected_gradient",
                                             "block_gauss_seidel", "block_gauss_seidel"};
  EXPECT_EQ(methods(), expected);
  view.blocks.front().kind = SetKind::free_space;
  EXPECT_EQ(methods(), expected);
  view.blocks.back().kind = SetKind::second_order_cone;
  EXPECT_EQ(methods(), expected);
  view.blocks.back().kind = SetKind::coulomb_3d;
  EXPECT_GT(methods().size(), expected.size()) << "stages of contacts";
}

// It starts where it likes, so that a second run would be the first one again.
TEST(AutoStages, MechanismsTakeTheInteriorPointMethodOnce) {
  const Matrix W = row_of_contacts(40);
  Inclusion view = contacts_of(W);
  for (std::size_t b = 0; b < view.blocks.size(); b += 2) view.blocks[b] = {SetKind::free_space, view.blocks[b].start, 3};
  std::vector<Factors> factors;
  for (const Stage& stage : stages_of(view, Options()))
    if (std::string_view(stage.method) == "friction_interior_point") factors.push_back(stage.factors);
  EXPECT_EQ(factors, (std::vector<Factors>{Factors::cheap, Factors::dear}));
}

// That normals close is looked for early where little is solved, else behind all that may solve the rest.
TEST(AutoStages, ProofsComeLastWhereASolutionIsNear) {
  const Matrix W = row_of_contacts(40);
  std::vector<std::pair<double, double>> residuals;
  bool is_behind_the_path = false;
  for (const Stage& stage : stages_of(contacts_of(W), Options())) {
    if (std::string_view(stage.method) == "friction_central_path" && stage.shape != Shape::slender) is_behind_the_path = true;
    if (stage.own != Own::closing_normals) continue;
    EXPECT_EQ(is_behind_the_path, !residuals.empty());
    residuals.emplace_back(stage.least_residual, stage.most_residual);
  }
  ASSERT_EQ(residuals.size(), 2u);
  EXPECT_GT(residuals.front().first, 0);
  EXPECT_EQ(residuals.front().first, residuals.back().second) << "one of them wherever a solve gets so far";
  EXPECT_EQ(residuals.back().first, 0);
}

// Where all else has ended beside a solution; more of them where each costs less, none where it costs much.
TEST(AutoStages, SmallProblemsAreTriedFromManyStarts) {
  const auto starts_of = [](const Inclusion& view) -> std::int64_t {
    const StageList stages = stages_of(view, Options());
    const auto draws = [](const Stage& s) { return s.own == Own::drawn_starts; };
    const auto drawn = std::ranges::find_if(stages, draws);
    return drawn == stages.end() ? 0 : drawn->farthest;
  };
  for (const SetKind kind : {SetKind::orthant, SetKind::box, SetKind::second_order_cone, SetKind::coulomb_3d}) {
    std::vector<std::int64_t> starts;
    for (const std::int32_t n : {48, 120, 150}) {
      DenseMatrix values{n, n, Vector(std::size_t{150} * 150, 1.0)};
      values.values.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
      const Matrix M(values, "M");
      const Vector q(static_cast<std::size_t>(n), 1.0);
      Inclusion view;
      view.M = &M;
      view.q = &q;
      const std::int32_t size = kind == SetKind::orthant || kind == SetKind::box ? 1 : 3;
      for (std::int32_t i = 0; i < n; i += size) view.blocks.push_back({kind, i, size, 0.5, 1.0});
      starts.push_back(starts_of(view));
    }
    EXPECT_EQ(starts, (std::vector<std::int64_t>{200, 50, 0})) << static_cast<int>(kind);
  }
}

}  // namespace auto_stages_test
