"""What the command `nonsmooth` prints, line by line and member by member. Usage: reports_test.py NONSMOOTH DATA_FOLDER"""

import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

nonsmooth, data = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
certificate = ["verdict", "residual", "tolerance", "rounding_floor", "natural_map", "dynamics", "infeasibility", "complementarity",
               "w_defect", "worst_block", "worst_block_residual", "fclib_merit", "siconos_error"]


def dense(*rows):
    return {"storage": "dense", "rows": len(rows), "cols": len(rows[0]), "values": [row[j] for j in range(len(rows[0])) for row in rows]}


def strict(line):
    def refuse(name):
        raise AssertionError(f"{name} is no JSON")
    return json.loads(line, parse_constant=refuse)


def content(name):
    return json.loads(pathlib.Path(name).read_text())


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    # stdin: name of a file that comes through a pipe.
    def run_it(self, *arguments, code=0, error="", stdin=None, **options):
        piped = pathlib.Path(stdin).read_bytes() if stdin else b""
        done = subprocess.run([nonsmooth, *arguments], capture_output=True, input=piped, **options)
        out, err = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
        self.assertEqual(done.returncode, code, (arguments, out, err))
        if error is not None:
            self.assertEqual(err, error, arguments)
        return out

    def lines_of(self, *arguments, **expected):
        return self.run_it(*arguments, **expected).splitlines()

    def object_of(self, *arguments, **expected):
        [line] = self.lines_of(*arguments, "--json", **expected)
        return strict(line)

    def write(self, name, problem_class="lcp", **fields):
        with open(name, "w") as file:
            json.dump({"format": "nonsmooth-problem", "version": 1, "class": problem_class, **fields}, file)
        return name

    def scalar(self, name="p.json", M=2, q=-1, **fields):
        return self.write(name, M=dense([M]), q=[q], **fields)


class Info(Reports):
    def test_text(self):
        self.assertEqual(self.lines_of("info", self.scalar(M=-2, q=-12.3456789)), [
            "p.json: lcp",
            "  class         linear complementarity: w = M z + q, 0 <= w _|_ z >= 0",
            "  unknowns      1, 0 of them in equalities",
            "  sets          1",
            "  matrix        1 x 1, dense, 1 entries",
            "  symmetry      defect 0",
            "  definiteness  negative definite (symmetric part, eigenvalues -2 .. -2)",
            "  |q|           12.3457"])

    def test_text_of_contacts_and_equalities(self):
        stack = self.lines_of("info", str(data / "friction_3d_box_stack.json"))
        self.assertEqual(stack[1], "  title         Stack of five cubes")
        self.assertEqual(stack[4:6], ["  sets          20, contacts of dimension 3", "  matrix        60 x 60, block_csr, 1872 entries"])
        self.assertEqual(stack[8:], ["  |q|           0.915693", "  mu            0.4 .. 0.4"])
        self.write("mixed.json", "mlcp", M=dense([1, 0], [0, 1]), q=[3, 4], is_complementarity=[1, 0])
        self.assertIn("  unknowns      2, 1 of them in equalities", self.lines_of("info", "mixed.json"))
        self.write("mu.json", "friction", dimension=2, W=dense(*[[float(i == j) for j in range(4)] for i in range(4)]), q=[0, 3, 0, 4], mu=[0.25, 0.5])
        self.assertEqual(self.lines_of("info", "mu.json")[-2:], ["  |q|           5", "  mu            0.25 .. 0.5"])

    def test_norm_of_global_problems_is_that_of_f(self):
        parts = dict(dimension=2, M=dense([1, 0], [0, 1]), H=dense([1, 0], [0, 1]), f=[3, 4], w=[0, 0], mu=[0.5])
        self.write("global_friction.json", "global_friction", **parts)
        self.write("global_rolling.json", "global_rolling", **{**parts, "dimension": 3, "M": dense([1, 0, 0], [0, 1, 0], [0, 0, 1]),
                   "H": dense([1, 0, 0], [0, 1, 0], [0, 0, 1]), "f": [3, 4, 0], "w": [0, 0, 0], "mu_r": [0.1]})
        for name in "global_friction", "global_rolling":
            self.assertIn("  |f|           5", self.lines_of("info", name + ".json"))

    def test_json(self):
        self.assertEqual(self.object_of("info", self.scalar(title="one", q=-3)), {
            "file": "p.json", "class": "lcp", "also_holds": [], "title": "one", "size": 1, "equalities": 0, "blocks": 1, "dimension": 0,
            "storage": "dense", "rows": 1, "cols": 1, "nonzeros": 1, "symmetry_defect": 0, "definiteness": "positive definite",
            "eigenvalue_min": 2, "eigenvalue_max": 2, "eigenvalue_min_estimated": False, "q_norm": 3, "mu_min": 0, "mu_max": 0,
            "default_method": "auto"})
        self.write("skew.json", M=dense([1, 2], [-2, 1]), q=[3, 4])
        facts = self.object_of("info", "skew.json")
        self.assertGreater(facts["symmetry_defect"], 0.5)
        self.assertEqual(facts["q_norm"], 5)
        stack = self.object_of("info", str(data / "friction_3d_box_stack.json"))
        self.assertEqual((stack["dimension"], stack["blocks"], stack["nonzeros"], stack["mu_min"]), (3, 20, 1872, 0.4))

    def test_definiteness(self):
        for diagonal, text in [([1, 2], "positive definite"), ([1, 0], "positive semidefinite"), ([1, 1e-13], "positive semidefinite"),
                               ([1, -1e-13], "positive semidefinite"), ([1, 5e-12], "positive definite"), ([0, 0], "positive semidefinite"),
                               ([1, -1], "indefinite"), ([1, -1e-9], "indefinite"), ([-1, 0], "negative semidefinite"),
                               ([-1, 1e-13], "negative semidefinite"), ([-1, -2], "negative definite")]:
            self.write("d.json", M=dense([diagonal[0], 0], [0, diagonal[1]]), q=[1, 1])
            self.assertEqual(self.object_of("info", "d.json")["definiteness"], text, diagonal)

    def test_storage(self):
        csc = {"storage": "csc", "rows": 1, "cols": 1, "start": [0, 1], "index": [0], "values": [2]}
        blocks = {"storage": "block_csr", "rows": 1, "cols": 1, "row_end": [1], "col_end": [1], "start": [0, 1], "index": [0], "values": [2]}
        for matrix in csc, blocks, dense([2]):
            self.write("s.json", M=matrix, q=[1])
            self.assertEqual(self.object_of("info", "s.json")["storage"], matrix["storage"])


class Tables(Reports):
    def table(self, *arguments):
        return [strict(line) for line in self.lines_of(*arguments, "--json")]

    def test_methods(self):
        methods = self.table("methods")
        self.assertEqual(methods[0]["name"], "auto")
        text = []
        for m in methods:
            text += [m["name"], "  " + m["summary"], "  classes     " + " ".join(m["classes"]) + " ", "  use for     " + m["use_for"],
                     "  safe for    " + m["safe_for"], f"  iterations  {m['default_iterations']}", "  source      " + m["source"]]
        self.assertEqual(self.lines_of("methods"), text)
        lemke = next(m for m in methods if m["name"] == "lemke")
        self.assertEqual(lemke["classes"], ["lcp", "mlcp", "relay", "avi", "friction", "global_friction", "generic", "qp"])
        self.assertEqual(lemke["default_iterations"], 1000000)

    def test_options(self):
        options = self.table("options")
        text = []
        for o in options:
            if o["type"] == "choice":
                self.assertEqual(o["default"], o["choices"][0])
                last = "one of: " + " ".join(o["choices"])
            elif o["type"] == "method":
                last = "name of a method"
            else:
                last = f"{o['type']} in [{o['lower']:g}, {o['upper']:g}], unit {o['unit']}"
            default = o["default"] if isinstance(o["default"], str) else f"{o['default']:g}"
            text += [f"{o['name']} = {default}", "  " + o["help"], f"  {last}; methods: {o['methods']}"]
        self.assertEqual(self.lines_of("options"), text)
        types = {o["name"]: o["type"] for o in options}
        self.assertEqual([types[name] for name in ("tolerance", "max_iterations", "all_solutions", "first_stage", "inner_method")],
                         ["real", "integer", "boolean", "choice", "method"])
        defaults = {o["name"]: o["default"] for o in options}
        self.assertEqual((defaults["tolerance"], defaults["inner_method"], defaults["first_stage"]), (1e-8, "auto", "none"))

    def test_options_of_a_method(self):
        options = self.table("options")
        for method in "auto", "lemke", "tresca":
            read = [o for o in options if {"all", method} & set(o["methods"].split())]
            self.assertEqual(self.table("options", method), read)
            self.assertLess(len(read), len(options))
        self.run_it("options", "lemk", code=3, error="nonsmooth: no method 'lemk' (see `nonsmooth methods`)\n")


class Help(Reports):
    def test_each_command_has_its_own(self):
        commands = "solve", "info", "check", "convert", "methods", "options"
        of_all = self.run_it("--help")
        for command in commands:
            self.assertRegex(of_all, rf"\n  {command} +\w")
            text = self.run_it(command, "--help")
            self.assertIn(f"Usage: nonsmooth {command} [OPTIONS]", text)
            examples = re.findall(r"^  nonsmooth (\w+)", text, re.MULTILINE)
            self.assertGreaterEqual(len(examples), 2, command)
            self.assertEqual(set(examples), {command})
            self.assertEqual("\nExit codes: 0 certified" in text, command in ("solve", "check"), command)
            self.assertEqual("\n  --class TEXT:{lcp,mlcp," in text, command not in ("methods", "options"), command)
        self.assertIn("\nExit codes: 0 certified", of_all)
        self.assertEqual(self.run_it("-h"), of_all)
        self.assertRegex(self.run_it("--version"), r"^nonsmooth [0-9]+\.[0-9]+\.[0-9]+\n$")


class Solve(Reports):
    members = ["file", "class", "size", "method", "finished_by", "outcome", "iterations", "time", "setup_time", "solutions"]

    def test_text(self):
        first, second, third = self.lines_of("solve", self.scalar(), "--method", "lemke", "--tolerance", "1e-6")
        self.assertEqual(first, "p.json: lcp, 1 unknown")
        self.assertRegex(second, r"^converged after 1 iteration of lemke, [0-9.e-]+ s: certified: the residual meets the tolerance, or its rounding floor$")
        self.assertRegex(third, r"^certified: residual 0, tolerance 1e-06, rounding floor [0-9.e-]+$")
        stack = self.lines_of("solve", str(data / "friction_3d_box_stack.json"))
        self.assertRegex(stack[1], r"^converged after [0-9]+ iterations of auto, ")
        convex = self.lines_of("solve", str(data / "friction_3d_box_stack.json"), "--set", "convex_relaxation=true", code=1)
        self.assertRegex(convex[1], r"^stalled after [0-9]+ iterations of auto \(\w+\), ")
        self.assertRegex(convex[2], r"^the associated convex problem, not that of friction, is solved with residual [0-9]\.[0-9]{3}e-09$")
        self.assertTrue(convex[3].startswith("not certified: residual 0.047"))
        self.assertNotIn("too high", convex[3])

    def test_json(self):
        report = self.object_of("solve", self.scalar(), "--method", "lemke", "--tolerance", "1e-6")
        self.assertEqual(list(report), self.members + certificate)
        expected = {"file": "p.json", "class": "lcp", "size": 1, "method": "lemke", "finished_by": "lemke", "outcome": "converged",
                    "iterations": 1, "solutions": 1, "verdict": "certified", "residual": 0, "tolerance": 1e-6, "w_defect": 0}
        self.assertEqual({name: report[name] for name in expected}, expected)
        stack = str(data / "friction_3d_box_stack.json")
        convex = self.object_of("solve", stack, "--set", "convex_relaxation=true", code=1)
        self.assertEqual(list(convex), self.members + ["relaxation_residual"] + certificate)
        self.assertEqual(convex["outcome"], "stalled")
        self.assertLess(convex["relaxation_residual"], 1e-8)
        self.assertGreater(convex["worst_block_residual"], 1e-3)
        self.run_it("solve", stack, "--set", "convex_relaxation=true", "-o", "c.json", code=1)
        again = self.object_of("check", stack, "c.json", code=1)
        for name in certificate:
            self.assertEqual(again[name], convex[name], name)

    def test_solutions_are_listed_on_request(self):
        self.write("three.json", M=dense([1, 2], [2, 1]), q=[-1, -1])
        enumerate_all = ["solve", "three.json", "--method", "enumeration", "--set", "all_solutions=true"]
        self.assertEqual(self.lines_of(*enumerate_all)[2], "3 isolated solutions; the first is given (--json gives all)")
        report = self.object_of(*enumerate_all)
        self.assertEqual(list(report), self.members + certificate + ["all_solutions"])
        self.assertEqual(report["solutions"], 3)
        found = sorted(tuple(round(value, 12) for value in one["z"] + one["w"]) for one in report["all_solutions"])
        self.assertEqual(found, sorted([(0, 1, 1, 0), (1, 0, 0, 1), (round(1 / 3, 12), round(1 / 3, 12), 0, 0)]))
        self.assertNotIn("all_solutions", self.object_of("solve", "three.json", "--method", "enumeration"))
        self.assertEqual(len(self.lines_of("solve", "three.json", "--method", "enumeration")), 3)
        self.object_of("solve", "three.json", "--set", "all_solutions=true",
                       error="nonsmooth: auto found one solution and looked for no other (--method enumeration lists all)\n")
        self.object_of("solve", "three.json", "--set", "all_solutions=false")
        self.object_of("solve", self.scalar(), "--method", "lemke", "--set", "all_solutions=true",
                       error="nonsmooth: lemke does not read the option all_solutions (see `nonsmooth options lemke`)\n")
        self.scalar(M=-1, q=1)
        self.assertEqual(self.lines_of("solve", "p.json", "--method", "enumeration", "--set", "all_solutions=true")[2],
                         "2 isolated solutions; the first is given (--json gives all)")
        two = self.object_of("solve", "p.json", "--method", "enumeration", "--set", "all_solutions=true")["all_solutions"]
        self.assertEqual(sorted(one["z"] for one in two), [[0], [1]])
        self.scalar()
        one = self.object_of("solve", "p.json", "--method", "enumeration", "--set", "all_solutions=true")["all_solutions"]
        self.assertEqual(one, [{"z": [0.5], "w": [0]}])
        # No solution, no list.
        self.assertNotIn("all_solutions", self.object_of("solve", self.scalar(M=0), "--method", "enumeration", "--set", "all_solutions=true",
                                                         code=2))

    def test_no_solution(self):
        text = self.lines_of("solve", self.scalar(M=0), code=2)
        self.assertEqual(len(text), 2)  # figures of a point say nothing
        self.assertTrue(text[1].startswith("infeasible after "))

    def test_outcomes_and_exit_codes(self):
        self.write("ray.json", M=dense([-2, 1], [1, 2]), q=[-3, 0])
        self.assertEqual(self.object_of("solve", "ray.json", "--method", "lemke", code=1)["outcome"], "ray")
        self.assertEqual(self.object_of("solve", self.scalar(M=0), code=2)["outcome"], "infeasible")
        stack = str(data / "friction_3d_box_stack.json")
        sweeps = ["solve", stack, "--method", "block_gauss_seidel", "--tolerance", "0", "--set"]
        self.assertEqual(self.object_of(*sweeps, "max_iterations=2", code=5)["iterations"], 2)

    def test_options_that_are_not_read(self):
        self.scalar()
        unread = "nonsmooth: lemke does not read the option {0} (see `nonsmooth options lemke`)\n".format
        self.run_it("solve", "p.json", "--method", "lemke", "--threads", "1")
        self.run_it("solve", "p.json", "--method", "lemke", "--threads", "256", error=unread("threads"))
        self.run_it("solve", "p.json", "--method", "lemke", "--set", "relaxation=1.5", "--set", "restarts=1", "--threads", "2",
                    error=unread("relaxation") + unread("threads"))
        self.run_it("solve", "p.json", "--threads", "2")
        contact = self.write("contact.json", "friction", dimension=2, W=dense([1, 0], [0, 1]), q=[-1, 0.1], mu=[0.5])
        self.run_it("solve", contact, "--method", "tresca", "--set", "relaxation=1.5")  # hands it on
        for repeated in (["--tolerance", "1e-4", "--set", "tolerance=1e-3"], ["--time-limit", "1", "--set", "time_limit=2"],
                         ["--threads", "1", "--set", "threads=1"], ["--set", "restarts=1", "--set", "restarts=1"]):
            name, value = repeated[-1].split("=")
            self.run_it("solve", "p.json", *repeated, code=3, error=f"nonsmooth: --set {name}={value}: {name} is given twice\n")
        self.run_it("solve", "p.json", "--set", "restarts", code=3, error="nonsmooth: --set restarts: option=value expected\n")

    def slow(self):
        n = 2000  # second differences: Gauss-Seidel contracts by 1 - O(1/n^2)
        columns = [[i for i in (j - 1, j, j + 1) if 0 <= i < n] for j in range(n)]
        start = [0]
        for column in columns:
            start.append(start[-1] + len(column))
        self.write("slow.json", q=[-1] * n, M={"storage": "csc", "rows": n, "cols": n, "start": start,
                                              "index": [i for column in columns for i in column],
                                              "values": [2 if i == j else -1 for j, column in enumerate(columns) for i in column]})
        return ["solve", "slow.json", "--method", "block_gauss_seidel", "--tolerance", "0", "--set", "max_iterations=1000000000"]

    def test_limit_of_time(self):
        endless = self.slow()
        report = self.object_of(*endless, "--time-limit", "0.2", "--output", "best.json", code=5)
        self.assertEqual(report["outcome"], "time_limit")
        best = self.object_of("check", "slow.json", "best.json", "--tolerance", "0", code=1)
        self.assertEqual(best["residual"], report["residual"])

    def test_progress_is_shown_on_terminals(self):
        def on_terminal(*arguments):
            terminal, stderr = pty.openpty()
            done = subprocess.run([nonsmooth, *arguments], stdout=subprocess.PIPE, stderr=stderr)
            os.close(stderr)
            shown = b""
            try:
                while part := os.read(terminal, 1000):
                    shown += part
            except OSError:  # the end
                pass
            os.close(terminal)
            self.assertEqual(done.returncode, 5)
            return shown.decode()

        line = r"\r +[0-9]+ s  iteration [0-9]+  residual [0-9.e-]+\x1b\[K"
        self.assertRegex(on_terminal(*self.slow(), "--time-limit", "2.5"), f"^({line}){{1,3}}\r\x1b\\[K$")  # and cleared
        self.run_it(*self.slow(), "--time-limit", "1.5", code=5)

    def test_guess(self):
        self.scalar(guess=[0.25], solution={"z": [0.5]})
        sweeps = ["solve", "p.json", "--method", "block_gauss_seidel"]
        self.assertEqual(self.object_of(*sweeps)["iterations"], 1)
        self.assertEqual(self.object_of(*sweeps, "--guess", "p.json")["iterations"], 0)  # a solution goes before a guess
        self.run_it(*sweeps, "--guess", "none.json", code=4, error="nonsmooth: cannot open 'none.json': No such file or directory\n")

    def test_names_of_files(self):
        for name in "a b.json", "\u00fc.json", "%s%n.json", 'quo"te.json', os.fsdecode(b"\xff.json"):
            self.scalar(name)
            self.assertTrue(self.run_it("solve", name, "-o", "of " + name).startswith(name + ": lcp, "))
            for command in ["info", name], ["check", name, "of " + name], ["solve", name]:
                self.assertEqual(self.object_of(*command)["file"], name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
        self.scalar("-dash.json")
        self.assertIn("-dash.json: lcp", self.run_it("info", "--", "-dash.json"))


class Outputs(Reports):
    def test_endings(self):
        self.scalar()
        for name in "S.JSON", "S.H5", "S.HDF5", "s.h5", "s.hdf5", ".x.json":
            self.run_it("solve", "p.json", "-o", name)
            self.assertEqual(self.object_of("check", "p.json", name)["verdict"], "certified")
        for name in "s", "s.dat", "json", ".json", "s.json.gz":
            self.run_it("solve", "p.json", "-o", name, code=4, error=f"nonsmooth: '{name}': solutions are written as .json, .hdf5 or .h5\n")
            self.assertFalse(os.path.exists(name))
        solution = content("S.JSON")
        self.assertGreaterEqual(solution.pop("time"), 0)
        self.assertEqual(solution, {"format": "nonsmooth-solution", "version": 1, "class": "lcp", "method": "auto", "outcome": "converged",
                                    "residual": 0, "iterations": 0, "z": [0.5], "w": [0]})

    def test_links_stay(self):
        os.mkdir("sub")
        self.scalar()
        for old in "json", "hdf5":
            self.run_it("solve", "p.json", "-o", f"sub/old.{old}")
            before = os.stat(f"sub/old.{old}").st_ino
            os.symlink(f"sub/old.{old}", f"link.{old}")
            self.run_it("solve", "p.json", "-o", f"link.{old}")
            self.assertTrue(os.path.islink(f"link.{old}"))
            self.assertNotEqual(os.stat(f"sub/old.{old}").st_ino, before)
        os.symlink("p.json", "problem_link.json")
        self.run_it("solve", "p.json", "-o", "problem_link.json", code=4,
                    error="nonsmooth: 'problem_link.json' is the problem file: the answer would replace the problem\n")

    def test_problems_stay(self):
        self.scalar()
        shutil.copy("p.json", "copy.json")
        self.run_it("solve", "p.json", "-o", "copy.json", code=4,
                    error="nonsmooth: 'copy.json' holds a problem of class lcp, which the answer would replace\n")
        self.run_it("convert", "p.json", "p.hdf5")
        self.run_it("solve", "p.json", "-o", "p.hdf5")  # the same problem, kept beside its solution
        self.assertEqual(self.object_of("info", "p.hdf5")["size"], 1)
        self.object_of("check", "p.hdf5", "p.hdf5")
        for name, other in [("M", dict(M=2.0000000001)), ("q", dict(q=-1.0000000001)), ("M and q", dict(M=4, q=-2))]:
            self.scalar("other.json", **other)
            self.run_it("solve", "other.json", "-o", "p.hdf5", code=4,
                        error="nonsmooth: 'p.hdf5' holds a problem of class lcp, which the answer would replace\n")
        self.write("relay.json", "relay", M=dense([1]), q=[1], lo=[-1], hi=[1])
        self.run_it("solve", "p.json", "-o", "relay.json", code=4,
                    error="nonsmooth: 'relay.json' holds a problem of class relay, which the answer would replace\n")
        # A proof has a name of its own.
        self.scalar("none.json", M=0)
        self.scalar("s.h5.json")
        self.run_it("solve", "none.json", "-o", "s.h5", code=4,
                    error="nonsmooth: 's.h5.json' holds a problem of class lcp, which the answer would replace\n")

    def test_proofs(self):
        self.scalar(M=0)
        self.run_it("solve", "p.json", "-o", "y.JSON", code=2)
        self.run_it("solve", "p.json", "-o", "y.h5", code=2, error="the proof is written to 'y.h5.json': HDF5 files hold solutions only\n")
        self.assertFalse(os.path.exists("y.h5"))
        self.assertEqual(content("y.JSON")["infeasibility_certificate"], content("y.h5.json")["infeasibility_certificate"])
        self.assertEqual(content("y.JSON")["method"], "auto")
        self.assertTrue(self.object_of("check", "p.json", "y.JSON", code=2)["infeasible"])

    def test_folders(self):
        self.scalar()
        os.mkdir("folder.json")
        self.run_it("solve", "p.json", "-o", "folder.json", code=4, error="nonsmooth: cannot write 'folder.json': Is a directory\n")
        self.run_it("solve", "p.json", "-o", "no/s.json", code=4, error="nonsmooth: cannot create 'no/s.json': No such file or directory\n")

    def test_links(self):
        self.scalar()
        os.mkdir("disk")
        os.symlink("disk/s.json", "link.json")
        self.run_it("solve", "p.json", "-o", "link.json")
        self.assertTrue(os.path.islink("link.json"))
        self.assertEqual(content("disk/s.json")["z"], content("link.json")["z"])
        os.symlink("no/s.json", "astray.json")
        os.symlink("loop.json", "loop.json")
        for link, reason in ("astray", "No such file or directory"), ("loop", "Too many levels of symbolic links"):
            self.run_it("solve", "p.json", "-o", f"{link}.json", code=4, error=f"nonsmooth: cannot create '{link}.json': {reason}\n")

    def test_solutions_and_proofs_of_pipes(self):
        self.scalar()
        self.run_it("solve", "p.json", "-o", "s.json")
        self.run_it("check", "p.json", "/dev/stdin", stdin="s.json")
        self.run_it("check", "p.json", "/dev/stdin", stdin="p.json", code=4, error="nonsmooth: /dev/stdin: the problem file holds neither a solution nor a guess\n")
        self.scalar(M=0)
        self.run_it("solve", "p.json", "-o", "y.json", code=2)
        self.run_it("check", "p.json", "/dev/stdin", stdin="y.json", code=2)

    def test_an_output_that_is_appended_to(self):
        self.scalar()
        with open("all.json", "w") as file:
            file.write("kept\n")
        with open("all.json", "a") as file:
            subprocess.run([nonsmooth, "convert", "p.json", "/dev/stdout", "--format", "json"], stdout=file, check=True)
        kept, _, rest = pathlib.Path("all.json").read_text().partition("\n")
        self.assertEqual((kept, json.loads(rest)), ("kept", content("p.json")))

    def test_convert(self):
        self.scalar(title="kept", guess=[0.25])
        self.run_it("convert", "p.json", "copy", "--format", "json")
        self.assertEqual(content("copy"), content("p.json"))
        self.run_it("convert", "p.json", "p.json", "--format", "dat")
        self.assertEqual(self.object_of("info", "p.json")["title"], "")
        self.run_it("convert", "copy", "copy.txt", code=4,
                    error="nonsmooth: 'copy.txt': no format has this file ending; .json, .hdf5, .h5, .dat and .mtx are known\n")
        self.run_it("convert", "copy", "/dev/stdout", "--format", "json")


class Check(Reports):
    def solution(self, **members):
        with open("s.json", "w") as file:
            json.dump({"format": "nonsmooth-solution", "version": 1, **members}, file)

    def test_text(self):
        self.scalar()
        self.solution(z=[0.5])
        [line] = self.lines_of("check", "p.json", "s.json")
        self.assertRegex(line, r"^certified: residual 0, tolerance 1e-08, rounding floor [0-9.e-]+$")
        self.solution(z=[0.5], w=[0.25])
        self.assertEqual(self.lines_of("check", "p.json", "s.json")[1:], ["w given differs from M z + q by 0.25"])
        self.solution(z=[0.75])
        self.assertRegex(self.lines_of("check", "p.json", "s.json", code=1)[0], r"^not certified: residual 0.5, tolerance 1e-08, rounding floor [0-9.e-]+$")

    def test_json(self):
        self.scalar()
        self.solution(z=[0.5], w=[0.25])
        report = self.object_of("check", "p.json", "s.json", "--tolerance", "1e-3")
        self.assertEqual(list(report), ["file", "solution"] + certificate)
        self.assertEqual((report["file"], report["solution"], report["w_defect"], report["tolerance"]), ("p.json", "s.json", 0.25, 1e-3))

    def test_tolerance(self):
        self.scalar(q=-0.5)
        self.solution(z=[0.5])  # residual 0.5
        self.run_it("check", "p.json", "s.json", "--tolerance", "0.5")
        self.run_it("check", "p.json", "s.json", "--tolerance", "1")
        self.run_it("check", "p.json", "s.json", "--tolerance", "0.499", code=1)
        self.run_it("check", "p.json", "s.json", "--tolerance", "0", code=1)
        for tolerance in "1.0001", "-0.1", "nan", "inf":
            self.run_it("check", "p.json", "s.json", "--tolerance", tolerance, code=3,
                        error=f"nonsmooth: --tolerance: {float(tolerance):g} is outside 0 .. 1\n")
        self.solution(z=[0.25 * (1 + 1e-9)])
        self.run_it("check", "p.json", "s.json")
        self.solution(z=[0.25 + 1e-7])
        self.run_it("check", "p.json", "s.json", code=1)

    def test_proof(self):
        self.scalar(M=0)
        for y, holds in ([1], True), ([-1], False):
            self.solution(infeasibility_certificate=y)
            code, text = (2, "infeasible: the proof is verified") if holds else (1, "not certified: the proof of infeasibility does not hold")
            self.assertEqual(self.lines_of("check", "p.json", "s.json", code=code), [text])
            self.assertEqual(self.object_of("check", "p.json", "s.json", code=code), {"file": "p.json", "solution": "s.json", "infeasible": holds})

    def test_wrong_files_are_named_once(self):
        self.scalar()
        self.solution(infeasibility_certificate=[1, 2])
        self.run_it("check", "p.json", "s.json", code=4,
                    error="nonsmooth: s.json: infeasibility_certificate of the solution has 2 entries, the problem has 1\n")
        self.run_it("check", "p.json", "none.json", code=4, error="nonsmooth: cannot open 'none.json': No such file or directory\n")
        self.solution(z=[1, 2])
        self.run_it("check", "p.json", "s.json", code=4, error="nonsmooth: s.json: z of the solution has 2 entries, the problem has 1\n")
        self.run_it("check", "p.json", "s.json", "--class", "relay", code=4,
                    error="nonsmooth: p.json: the file holds a problem of class lcp, relay was asked for\n")
        self.run_it("info", "", code=4, error="nonsmooth: cannot open '': No such file or directory\n")
        for problem_class in "ncp", "mcp", "vi", "LCP", "":  # callbacks are in no file
            out = self.run_it("info", "p.json", "--class", problem_class, code=3, error=None)
            self.assertEqual(out, "")


class Programs(Reports):
    def program(self, name, text="#!/bin/sh\necho $0\n", mode=0o755):
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w") as file:
            file.write(text)
        os.chmod(name, mode)

    def on_path(self, path):
        return {"env": {**os.environ, "PATH": path}}

    def test_where_they_are_found(self):
        for folder in "one", "two":
            self.program(f"{folder}/nonsmooth-greet")
        self.assertEqual(self.run_it("greet", **self.on_path("one:two")), "one/nonsmooth-greet\n")
        self.assertEqual(self.run_it("greet", **self.on_path("none:two:one")), "two/nonsmooth-greet\n")
        self.program("./nonsmooth-greet")
        self.assertEqual(self.run_it("greet", **self.on_path("none::one")), "./nonsmooth-greet\n")
        self.run_it("two/greet", code=3, error="nonsmooth: 'two/greet' is no sub-command, and there is no program nonsmooth-two/greet (see nonsmooth --help)\n")
        without = {key: value for key, value in os.environ.items() if key != "PATH"}
        self.run_it("greet", code=3, error=None, env=without)
        self.program("one/nonsmooth-solve")  # no program stands for a sub-command
        self.run_it("solve", "none.json", code=4, error=None, **self.on_path("one"))

    def test_those_beside_the_command_come_first(self):
        self.program("one/nonsmooth-greet")
        self.program("beside/nonsmooth-greet")
        shutil.copy(nonsmooth, "beside/nonsmooth")
        done = subprocess.run(["beside/nonsmooth", "greet"], capture_output=True, text=True, **self.on_path("one"))
        self.assertEqual(os.path.realpath(done.stdout.strip()), os.path.realpath("beside/nonsmooth-greet"), done.stderr)

    def test_which_are_listed(self):
        self.program("one/nonsmooth-greet")
        self.program("one/nonsmooth-greet.so")
        self.program("one/nonsmooth-text", mode=0o644)
        self.program("one/other-greet")
        self.program("./nonsmooth-here")
        lines = self.lines_of("--help", **self.on_path("one::none"))
        listed = lines[lines.index("Programs, of the folder of this one or of PATH, that are run in the same way:") + 1].split()
        self.assertTrue({"greet", "here"} <= set(listed), listed)
        self.assertFalse({"greet.so", "text", "other-greet"} & set(listed), listed)
        self.assertEqual(listed, sorted(set(listed)))

    def test_one_that_cannot_be_run(self):
        self.program("one/nonsmooth-greet", "#!/no/such/interpreter\n")
        self.run_it("greet", code=4, error="nonsmooth: one/nonsmooth-greet: cannot be run: No such file or directory\n", **self.on_path("one"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
