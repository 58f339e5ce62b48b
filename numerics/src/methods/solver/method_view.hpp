// What a method sees of a problem, which it may know in another form than the certificate, which judges by what was given:
// contacts without equations of motion, blocks where the matrix came by columns, bounds where they came as rows of H, cones in
// the place of friction.
#pragma once

#include <memory>

#include "certificate/certificate.hpp"
#include "linalg/block_copy.hpp"
#include "methods/frame/method.hpp"
#include "problems/bounds_in_rows.hpp"
#include "problems/reduction.hpp"

namespace nonsmooth {

class MethodView {
 public:
  // Of the problem that `certifier` is of; both must outlive this. may_keep_joints: of a global problem, as free rows. Throws
  // Error.
  MethodView(const Problem& problem, const Certifier& certifier, const Options& options, bool may_keep_joints);
  MethodView(const MethodView&) = delete;
  MethodView& operator=(const MethodView&) = delete;

  const Inclusion& inclusion() const { return view_; }
  // Not relaxed, and with the rows of H that are bounds.
  const Inclusion& original() const { return reduction_ ? reduction_->inclusion() : certifier_.view(); }
  bool is_relaxed() const { return relaxed_; }
  // nullptr unless the problem is a global one.
  Reduction* reduction() { return reduction_.get(); }
  // nullptr unless rows of H are bounds.
  const BoundsInRows* bounds() const { return bounds_.get(); }
  // z of the problem from that of the method, its last entries.
  void lift(std::span<const double> local, std::span<double> z);

  // Before a method is set up: bodies that contacts have as its blocks are known to it.
  void describe_bodies();
  // How many times the entries that the method sees have become others than those that it was set up for.
  std::int64_t patterns() const;

  // One more solve with the present matrix; the matrix is another one.
  void count_solve() { ++solves_; }
  void forget_solves() { solves_ = 0; }
  std::int64_t solves() const { return solves_; }
  // In a sequence with one matrix joints that have been kept are condensed once as many solves have gone by as that costs. If
  // their matrix is singular, they stay for as many again. True if they have been: the view is of other sizes then, and the
  // method must be set up again. Nothing has changed if it throws.
  bool condense_if_due();

  // After values of the problem have changed; those of its sets need refresh_sets() too.
  void refresh(Change change);
  void set_scale(double scale) { view_.scale = scale; }
  // After the certifier has read the sets anew. True if sets of the method are of other kinds than before: it must be set up
  // again.
  bool refresh_sets();

 private:
  void find_blocks();
  void find_bounds();
  void relax();

  const Problem& problem_;
  const Certifier& certifier_;
  std::unique_ptr<Reduction> reduction_;
  std::int64_t solves_ = 0;               // with the present matrix
  std::unique_ptr<BlockCopy> blocks_;     // of the matrix of contacts, if it is by columns
  std::unique_ptr<BoundsInRows> bounds_;  // of a polyhedron
  std::unique_ptr<Workers> workers_;      // with more than one thread
  bool wants_convex_ = false, relaxed_ = false;
  Inclusion view_;
};

}  // namespace nonsmooth
