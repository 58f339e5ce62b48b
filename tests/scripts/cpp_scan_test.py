#!/usr/bin/env python3
"""The checks find what they must, and nothing else."""
import pathlib
import sys
import tempfile
import unittest

import check_layers
import cpp_scan

SAMPLE = r"""
#include <vector>
#define MACRO static int in_a_macro; \
  static int continued;
namespace nonsmooth {
namespace {
int writable_1;
static double writable_2[3] = {1, 2, 3};
thread_local char writable_3[8] = "";
const char* writable_4 = "x; {";
std::vector<int> writable_5{1, 2};
constexpr int fine_1 = 3;
const double fine_2[] = {1.0, 2.0};
const char* const fine_3 = "/* no comment */ static int x;";
constexpr Row fine_4[] = {{1, "a"}, {2, "b"}};
static int function_1(int a);
// static int in_a_comment;
}  // namespace
using Alias = int;
struct Type {
  int member = 0;
  static constexpr int kind = 1;
  static Type make() { return {}; }
  static int writable_6;
};
enum class Kind { a, b };
extern int elsewhere;
template <class T>
T twice(const T& x) {
  static const int table[] = {1, 2};
  static int writable_7 = 0;
  const int million = 1'000'000;
  static_cast<void>(x);
  auto f = [&](int k) { return k + million; };
  return f(writable_7);
}
Type::Type(int a) : member(a) {
  int local = 0;
  static std::mutex writable_8;
}
}  // namespace nonsmooth
"""


class Scanner(unittest.TestCase):
    def test_writable_variables(self):
        found = [text for _, text in cpp_scan.writable_variables(cpp_scan.clean(SAMPLE))]
        for k in range(1, 9):
            self.assertTrue(any(f"writable_{k}" in text for text in found), f"writable_{k} not found in {found}")
        self.assertEqual(len(found), 8, found)

    def test_functions(self):
        names = [name for name, _, _ in cpp_scan.functions(cpp_scan.clean(SAMPLE))]
        self.assertEqual(names, ["make", "twice", "Type::Type"])

    def test_lines_are_kept(self):
        self.assertEqual(cpp_scan.clean(SAMPLE).count("\n"), SAMPLE.count("\n"))


class Rules(unittest.TestCase):
    def violations(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            return [what for _, _, what in check_layers.check_tree(pathlib.Path(folder))]

    def test_layers(self):
        self.assertEqual(self.violations("src/methods/a.cpp", '#include "sets/b.hpp"\n#include "nonsmooth/status.h"\n'), [])
        self.assertEqual(len(self.violations("src/certificate/a.cpp", '#include "methods/b.hpp"\n')), 1)
        self.assertEqual(len(self.violations("src/core/a.cpp", '#include "b.hpp"\n')), 1)
        self.assertEqual(len(self.violations("cli/a.cpp", '#include "io/io.hpp"\n')), 1)
        self.assertEqual(self.violations("cli/a.cpp", '#include <nonsmooth/io.h>\n#include <CLI/CLI.hpp>\n'), [])

    def test_folders_of_methods(self):
        self.assertEqual(self.violations("src/methods/a.cpp", '#include "methods/frame/b.hpp"\n#include "methods/newton/c.hpp"\n'), [])
        self.assertEqual(self.violations("src/methods/frame/a.cpp", '#include "methods/methods.def"\n'), [])
        self.assertEqual(len(self.violations("src/methods/newton/a.cpp", '#include "methods/b.hpp"\n')), 1)
        self.assertEqual(self.violations("src/methods/newton/a.cpp", '#include "methods/newton/b.hpp"\n#include "methods/sweeps/c.hpp"\n'), [])
        self.assertEqual(len(self.violations("src/methods/sweeps/a.cpp", '#include "methods/newton/b.hpp"\n')), 1)
        self.assertEqual(len(self.violations("src/methods/pivoting/a.cpp", '#include "methods/newton/b.hpp"\n')), 1)
        self.assertEqual(len(self.violations("src/methods/auto/a.cpp", '#include "methods/solver/b.hpp"\n')), 1)
        self.assertEqual(len(self.violations("src/methods/other/a.cpp", "")), 1)

    def test_forbidden(self):
        for bad in ('extern "C" void f();', "void f() { std::abort(); }", 'void f() { printf("x"); }', "auto& s = std::cout;",
                    "void f() { exit(1); }", "int f() { return rand(); }", "std::mutex m;"):
            self.assertTrue(self.violations("src/sets/a.cpp", bad), bad)
        for good in ("void f() { std::snprintf(b, 3, g); }", "// exit(1)", 'const char* f() { return "exit(1)"; }',
                     "void f() { solver.abort(); }", "int strand(int);"):
            self.assertEqual(self.violations("src/sets/a.cpp", good), [], good)
        self.assertEqual(self.violations("src/io/hdf5_series.cpp", "std::mutex library;"), [])


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False).result.wasSuccessful() else 1)
