// What a name on the command line stands for: the problem files of a folder, or the members of a generated family.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <nonsmooth/nonsmooth.hpp>
#include <string>
#include <vector>

#include "families.hpp"

namespace nonsmooth::bench {

using collection::Answer;

const char* name_of(Answer answer);
Answer answer_from(const std::string& name);

// A file or a member of a family. A file may hold a problem in several forms, which are told apart by their class.
struct Source {
  std::string collection, name, family;
  Answer answer = Answer::unknown;
  std::vector<std::string> classes{""};                  // that may be asked for; empty, the last: found by content
  std::function<nsm::Problem(const std::string&)> make;  // of a class; reads or builds
  std::vector<std::string> files;                        // whose bytes are the problem; none: those of its native JSON are
  bool named = false;                                    // by itself on the command line
};

// COLLECTION: families:complementarity, families:friction, families:friction-large, a folder or one file.
std::vector<Source> sources_of(const std::string& collection);

// Without links, as far as they can be followed.
std::string real_path(const std::string& path);

// One form of a problem.
struct Facts {
  std::string problem_class, hash;
  std::int64_t size = 0, contacts = 0;
  std::int32_t dimension = 0;  // of a contact
};

// Reads or builds every form. Throws if there is none.
std::vector<Facts> describe(const Source& source);

nlohmann::json to_json(const Facts& facts);
Facts facts_from(const nlohmann::json& value);

// FNV-1a, in hexadecimal digits.
std::uint64_t hash_of(const std::string& bytes, std::uint64_t seed = 14695981039346656037u);
std::string hex(std::uint64_t value);
std::string bytes_of(const std::string& file);

}  // namespace nonsmooth::bench
