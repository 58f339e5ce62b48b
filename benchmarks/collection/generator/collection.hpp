// The list of shipped problems: what they are, where they come from, how a solve of each must end.
#pragma once

#include <nonsmooth/nonsmooth.hpp>
#include <string>
#include <vector>

namespace nonsmooth::collection {

struct Entry {
  std::string file;  // its ending names the format
  std::string title;
  std::string source;  // formula or scene, author and year where published
  nsm::Problem problem;
  std::int64_t contacts = 0;
  nsm::Solution solution{};           // where one is known in closed form or by construction; else empty
  std::string outcome = "converged";  // of the default method; "unsupported": nsm_setup refuses it
  std::string method{};               // empty: the default of the class
  double tolerance = 1e-8;
};

using Entries = std::vector<Entry>;

void add_complementarity(Entries& entries);  // lcp, mlcp
void add_variational(Entries& entries);      // relay, avi, soclcp, generic
void add_contact(Entries& entries);          // friction and rolling friction, local and global

// Writes the files and INDEX.json into an existing folder.
void write_collection(const Entries& entries, const std::string& folder);

}  // namespace nonsmooth::collection
