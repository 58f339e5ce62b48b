// Every malformed file of malformed.py is refused through the C API with the status and the message expected, and no problem
// comes out.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "nonsmooth/io.h"

namespace {

struct Case {
  std::string file, problem_class, status, fragment;
};

std::vector<Case> read_cases(const std::string& folder) {
  std::vector<Case> cases;
  std::ifstream table(folder + "/expected.tsv");
  for (std::string line; std::getline(table, line);) {
    std::istringstream fields(line);
    Case row;
    std::getline(fields, row.file, '\t');
    std::getline(fields, row.problem_class, '\t');
    std::getline(fields, row.status, '\t');
    std::getline(fields, row.fragment, '\t');
    cases.push_back(row);
  }
  return cases;
}

TEST(Malformed, EveryFileIsRefusedWithItsMessage) {
  const std::string folder = NONSMOOTH_MALFORMED_DIR;  // made by malformed.py and malformed_hdf5.cpp
  const std::vector<Case> cases = read_cases(folder);
  ASSERT_GE(cases.size(), 120u) << "in " << folder << "/expected.tsv";
  for (const Case& row : cases) {
    SCOPED_TRACE(row.file + " as " + row.problem_class);
    int not_a_problem = 0;
    nsm_problem* problem = reinterpret_cast<nsm_problem*>(&not_a_problem);  // a failing call must clear it
    const std::string path = folder + "/" + row.file;
    const nsm_status status =
        nsm_problem_read(path.c_str(), row.problem_class == "-" ? nullptr : row.problem_class.c_str(), &problem);
    const std::string message = nsm_last_error();
    EXPECT_EQ(std::string(nsm_status_name(status)), row.status) << message;
    EXPECT_NE(message.find(row.fragment), std::string::npos) << "'" << row.fragment << "' is not in: " << message;
    EXPECT_NE(message.find(row.file.substr(0, row.file.find('.'))), std::string::npos) << "the file is not named: " << message;
    EXPECT_EQ(problem, nullptr);
    if (status == NSM_OK) nsm_problem_free(&problem);
  }
}

}  // namespace
