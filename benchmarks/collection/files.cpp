#include <algorithm>
#include <filesystem>

#include "families.hpp"

namespace nonsmooth::collection {
namespace {

namespace fs = std::filesystem;

struct Folder {
  const char* name;
  std::vector<const char*> classes;
};

bool holds(const std::string& file, const std::string& type) {
  try {
    return nsm::Problem::read(file, type).size() > 0;
  } catch (const nsm::Error&) {
    return false;
  }
}

std::vector<FamilyProblem> files(const std::string& collection, const std::vector<Folder>& folders) {
  std::vector<FamilyProblem> problems;
  if (collection.empty()) return problems;
  for (const Folder& folder : folders) {
    const fs::path path = fs::path(collection) / folder.name;
    if (!fs::is_directory(path)) continue;
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
      for (const std::string type : folder.classes) {
        const std::string file = (path / name).string();
        if (!holds(file, type)) continue;
        const bool global = folder.classes.size() > 1 && type.starts_with("global");
        problems.push_back({std::string(folder.name) + "/", name + (global ? " (global)" : ""), Answer::solvable,
                            [=] { return nsm::Problem::read(file, type); }});
      }
  }
  return problems;
}

}  // namespace

std::vector<FamilyProblem> complementarity_files(const std::string& collection) {
  return files(collection, {{"lcp", {"lcp"}}, {"mlcp", {"mlcp"}}, {"relay", {"relay"}}});
}

std::vector<FamilyProblem> friction_files(const std::string& collection) {
  return files(collection, {{"fc2d", {"friction"}},
                            {"gfc2d", {"global_friction"}},
                            {"fc3d", {"friction"}},
                            {"fclib", {"friction", "global_friction"}},
                            {"gfc3d", {"global_friction"}},
                            {"rolling", {"rolling", "global_rolling"}},
                            {"generic", {"generic"}}});
}

}  // namespace nonsmooth::collection
