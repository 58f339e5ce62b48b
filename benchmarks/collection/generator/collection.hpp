// The list of shipped problems: what they are, where they come from, what is known of them, how a solve of each must end.
#pragma once

#include <nonsmooth/nonsmooth.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace nonsmooth::collection {

// Is the solution (z) the only one? The reasons are those that a test can check.
struct Uniqueness {
  std::string_view answer = "\"unknown\"";
  std::string_view because = "";
};
inline constexpr Uniqueness positive_definite_matrix{"true", "M is positive definite"}, p_matrix{"true", "M is a P-matrix"},
    moved_along_kernel{"false", "M y = 0 for directions y along which the solution can be moved"};

// What a solve by the default method takes: slow, a second or more; open: not solved so far.
enum class Effort { small, slow, open };

struct Entry {
  std::string file;    // its ending names the format
  std::string family;  // of problems that are alike: reports give figures by family
  std::string title;
  std::string source;  // formula or scene, author and year where published
  nsm::Problem problem;
  nsm::Solution solution{};           // where one is known in closed form or by construction; else empty
  Uniqueness unique{};                // of the solution
  std::string outcome = "converged";  // of the default method; infeasible: with a proof; unsolvable: no solution, none claimed
  std::string method{};               // empty: the default of the class
  double tolerance = 1e-8;
  std::int64_t contacts = -1;  // of a generic problem, whose contacts are some of its blocks
  bool basic = false;          // small and of its kind: every method is tested on it
  Effort effort = Effort::small;
};

// Writes each problem when it is added; INDEX.json and PROBLEMS.md at the end.
class Collection {
 public:
  explicit Collection(std::string folder) : folder_(std::move(folder)) {}
  void add(const Entry& entry);
  void write_index() const;
  std::size_t size() const { return index_.size(); }

 private:
  std::string folder_;
  std::vector<std::string> index_;  // entries of INDEX.json
  struct Row {
    std::string family, text;
  };
  std::vector<Row> rows_;  // of the tables
};

// The shipped problems.
void add_literature(Collection& collection);  // lcp: published and random families
void add_lcp_families(Collection& collection);
void add_grids(Collection& collection);        // lcp, relay: free boundaries
void add_circuits(Collection& collection);     // mlcp
void add_variational(Collection& collection);  // relay, avi, qp, soclcp, generic, constructed friction
void add_plasticity(Collection& collection);   // cones of yield
void add_contact(Collection& collection);      // friction and rolling friction, local and global: one step of a scene
void add_simulations(Collection& collection);  // the same, captured from simulations
// Up to 30,000 contacts and 100,000 rows; on demand.
void add_large(Collection& collection);
// Piles and walls of 1,000 to 30,000 contacts; on demand.
void add_scaling(Collection& collection);

}  // namespace nonsmooth::collection
