"""The Python module as its users see it."""
import gc
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import weakref

import numpy as np
import scipy.sparse as sparse

import nonsmooth
from nonsmooth import Problem, Solver

data = pathlib.Path(os.environ["NONSMOOTH_DATA"])
M, q, solution = [[2, 1], [1, 2]], [-1, -1], [1 / 3, 1 / 3]


def sliding_contact(mu=0.5):
    """W = I, q = (-1, -2, 0): r = (1, mu, 0), u = (0, mu - 2, 0)."""
    return Problem.friction(3, np.eye(3), [-1, -2, 0], [mu])


def kojima_shindo(z):
    a, b, c, d = z
    return [3 * a**2 + 2 * a * b + 2 * b**2 + c + 3 * d - 6, 2 * a**2 + a + b**2 + 10 * c + 2 * d - 2,
            3 * a**2 + a * b + 2 * b**2 + 2 * c + 9 * d - 9, a**2 + 3 * b**2 + 2 * c + 3 * d - 3]


class Linear(unittest.TestCase):
    def test_lists_arrays_and_sparse_matrices_are_the_same(self):
        dense = np.array(M, dtype=float)
        storages = [M, dense, np.asfortranarray(dense), dense.astype(np.float32), np.repeat(dense, 2, axis=1)[:, ::2],
                    sparse.csc_matrix(dense), sparse.csr_matrix(dense), sparse.coo_matrix(dense), sparse.csr_array(dense)]
        for storage in storages:
            result = nonsmooth.solve(Problem.lcp(storage, np.array(q)))
            self.assertTrue(result.converged)
            np.testing.assert_allclose(result.z, solution, atol=1e-8)
            np.testing.assert_allclose(result.w, [0, 0], atol=1e-8)

    def test_columns_are_not_taken_for_rows(self):
        result = nonsmooth.solve(Problem.lcp([[1, 2], [0, 1]], [-4, -1]))
        np.testing.assert_allclose(result.z, [2, 1], atol=1e-8)

    def test_the_callers_matrix_stays_as_it_is(self):
        unsorted = sparse.csc_matrix((np.array([1.0, 1, 1, 2]), np.array([1, 0, 0, 1]), np.array([0, 3, 4])), shape=(2, 2))
        problem = Problem.lcp(unsorted, q)  # (0, 0) is given twice
        np.testing.assert_array_equal(unsorted.indices, [1, 0, 0, 1])
        self.assertEqual(problem.describe()["nonzeros"], 3)

    def test_every_class(self):
        inf = np.inf
        problems = {
            "lcp": Problem.lcp(M, q),
            "mlcp": Problem.mlcp(M, q, [0, 1]),
            "relay": Problem.relay(M, q, [-1, -inf], [1, inf]),
            "avi": Problem.avi(M, q, H=[[1, 1]], k=[1]),
            "qp": Problem.qp(M, q, lo=[0, 0]),
            "friction": sliding_contact(),
            "global_friction": Problem.global_friction(3, np.eye(3), np.eye(3), [-1, -2, 0], [0, 0, 0], [0.5]),
            "rolling": Problem.rolling(5, sparse.eye(5), [-1, -2, 0, 0.1, 0], [0.5], [0.1]),
            "global_rolling": Problem.global_rolling(5, np.eye(5), np.eye(5), [-1, -2, 0, 0, 0], np.zeros(5), [0.5], [0.1]),
            "generic": Problem.generic(np.eye(3), [-1, -2, 0], ["complementarity", "relay", "equality"], [1, 1, 1],
                                       lo=[0, -1, 0], hi=[0, 1, 0]),
            "soclcp": Problem.soclcp(np.eye(3), [-1, -2, 0], [0, 3], [0.5]),
            "plasticity": Problem.plasticity(np.eye(3), [-1, -2, 0], [0.5], [0.2]),
        }
        for name, problem in problems.items():
            self.assertEqual(problem.problem_class, name)
            self.assertTrue(nonsmooth.solve(problem).converged, name)
        blocks = Problem.mlcp_blocks([[2]], [[2]], [[1]], [[1]], [-1], [-1])
        np.testing.assert_allclose(nonsmooth.solve(blocks).z, solution, atol=1e-8)

    def test_kinds_of_blocks_may_come_from_any_sequence(self):
        class OnDemand(list):
            def __getitem__(self, place):
                return "".join(super().__getitem__(place))

        kinds = ["complementarity", "equality"]
        expected = nonsmooth.solve(Problem.generic(np.eye(2), [-1, 2], kinds, [1, 1])).z
        for given in (np.array(kinds), tuple(kinds), OnDemand(list(kind) for kind in kinds)):
            np.testing.assert_array_equal(nonsmooth.solve(Problem.generic(np.eye(2), [-1, 2], given, [1, 1])).z, expected)

    def test_a_disk_bounds_friction(self):
        # A body of mass 2 that is pushed along x; friction of at most 0.5: it sticks, then slides.
        for push, friction in ((0.3, 0.3), (0.5, 0.5), (2.0, 0.5)):
            result = nonsmooth.solve(Problem.generic(np.eye(2) / 2, [push / 2, 0], ["disk"], [2], mu=[0.5]))
            self.assertTrue(result.converged)
            np.testing.assert_allclose([*result.z, *result.w], [-friction, 0, (push - friction) / 2, 0], atol=1e-8)
        with self.assertRaisesRegex(nonsmooth.Error, r"^size of block 0 is 3; a disk has 2"):
            Problem.generic(np.eye(3), np.ones(3), ["disk"], [3], mu=[0.5])

    def test_a_problem_without_solution_has_a_proof(self):
        problem = Problem.lcp([[-1]], [-1])
        result = nonsmooth.solve(problem)
        self.assertEqual(result.outcome, "infeasible")
        self.assertTrue(nonsmooth.certify_infeasible(problem, result.proof))
        self.assertIsNone(nonsmooth.solve(Problem.lcp(M, q)).proof)

    def test_what_was_never_made_is_refused(self):
        class Grown(Solver):
            pass

        solver = Solver(Problem.lcp(M, q))
        for made in (Problem.lcp(M, q), solver, Grown(Problem.lcp(M, q)), solver.solve(), solver.solve().certificate):
            empty = type(made).__new__(type(made))
            with self.assertRaisesRegex(TypeError, f"this {type(made).__name__} was never made"):
                repr(empty)
            for name in dir(type(made)):
                member = getattr(type(made), name)
                if isinstance(member, property):
                    with self.assertRaisesRegex(TypeError, "was never made", msg=name):
                        getattr(empty, name)
            gc.collect()
            del empty
            repr(made)
        for call in (nonsmooth.solve, nonsmooth.slater, Solver, lambda problem: nonsmooth.certify(problem, q)):
            with self.assertRaisesRegex(TypeError, "this Problem was never made"):
                call(Problem.__new__(Problem))
        with self.assertRaisesRegex(TypeError, "this Solver was never made"):
            Solver.__new__(Solver).solve()
        empty = Solver.__new__(Solver)
        empty.__init__(Problem.lcp(M, q))
        self.assertTrue(empty.solve().converged)

    def test_a_result_has_one_array_and_keeps_it(self):
        solver = Solver(Problem.lcp(M, q))
        first = solver.solve()
        z = first.z
        self.assertIs(first.z, z)  # for n entries one by one, n copies of n were made
        self.assertIs(first.w, first.w)
        solver.update_q([-2, -2])
        solver.solve()
        del solver, first
        np.testing.assert_allclose(z, solution, atol=1e-8)

    def test_several_solutions_are_listed(self):
        solver = Solver(Problem.lcp([[0, 1], [1, 0]], [-1, -1]), "enumeration")
        result = solver.solve()
        found = sorted(tuple(np.round(solver.solution_at(k)[0], 6)) for k in range(result.solutions))
        self.assertIn((1, 1), found)


class Friction(unittest.TestCase):
    def test_a_shipped_problem(self):
        problem = Problem.read(str(data / "friction_3d_box_stack.json"))
        result = nonsmooth.solve(problem)
        self.assertTrue(result.converged)
        self.assertTrue(nonsmooth.certify(problem, result.z, result.w).certified)
        self.assertFalse(nonsmooth.certify(problem, np.zeros(problem.size)).certified)
        margin, z = nonsmooth.slater(problem)
        self.assertGreater(margin, 0)
        self.assertEqual(z.shape, (problem.size,))

    def test_files_keep_problems_and_solutions(self):
        problem = sliding_contact()
        for kind in (str, os.fsencode, pathlib.Path):
            with tempfile.TemporaryDirectory() as folder:
                path, solution = (kind(os.path.join(folder, name)) for name in ("Kontakt µ, \udce9.json", "solution.json"))
                problem.write(path)
                again = Problem.read(path)
                result = nonsmooth.solve(again)
                again.write_solution(solution, result.z, result.w)
                z, w = problem.read_solution(solution)
            np.testing.assert_array_equal(z, result.z)
            np.testing.assert_array_equal(w, result.w)

    def test_a_sequence_of_updates(self):
        solver = Solver(sliding_contact())
        np.testing.assert_allclose(solver.solve().z, [1, 0.5, 0], atol=1e-8)
        solver.update_q([-2, -0.5, 0])
        np.testing.assert_allclose(solver.solve().z, [2, 0.5, 0], atol=1e-8)
        solver.update_mu([0.1])
        np.testing.assert_allclose(solver.solve().z, [2, 0.2, 0], atol=1e-8)
        solver.update_matrix(2 * np.eye(3))
        np.testing.assert_allclose(solver.solve().z, [1, 0.1, 0], atol=1e-8)
        solver.warm_start([1, 0.1, 0])
        self.assertEqual(solver.solve().iterations, 0)

    def test_forces_of_a_global_problem(self):
        solver = Solver(Problem.global_friction(3, np.eye(3), np.eye(3), [-1, -2, 0], [0, 0, 0], [0.5]))
        solver.update_f([-1, -0.25, 0])
        np.testing.assert_allclose(solver.solve().z, [0, 0, 0, 1, 0.25, 0], atol=1e-8)  # v, then r

    def test_a_batch(self):
        z, outcomes = Solver(sliding_contact()).solve_batch([[-1, -2, 0], [1, 0, 0], [-2, 0, 3]])
        np.testing.assert_allclose(z, [[1, 0.5, 0], [0, 0, 0], [2, 0, -1]], atol=1e-8)
        self.assertEqual(outcomes, ["converged"] * 3)
        with self.assertRaises(ValueError):
            Solver(sliding_contact()).solve_batch([[1, 2]])

    def test_a_batch_of_a_global_problem(self):
        solver = Solver(Problem.global_friction(3, np.eye(3), np.eye(3), [0, 0, 0], [0, 0, 0], [0.5]))
        z, outcomes = solver.solve_batch([[-1, -2, 0], [-2, 0, 3]])  # rows as for update_q: w
        self.assertEqual(outcomes, ["converged"] * 2)
        np.testing.assert_allclose(z, [[1, 0.5, 0, 1, 0.5, 0], [2, 0, -1, 2, 0, -1]], atol=1e-8)
        again, _ = solver.solve_batch([[-1, -2, 0]], z[:1])
        np.testing.assert_allclose(again, z[:1], atol=1e-8)
        with self.assertRaisesRegex(ValueError, "rows of 6 numbers, 3 expected"):
            solver.solve_batch(np.zeros((2, 6)))

    def test_derivatives(self):
        solver = Solver(sliding_contact())
        solver.solve()
        dz, dw = solver.differentiate(dq=[1, 0, 0])
        self.assertAlmostEqual(dz[1], -0.5, places=6)
        for name in ("dq", "dmu"):
            with self.assertRaisesRegex(nonsmooth.Error, f"{name} has 2 entries, {dict(dq=3, dmu=1)[name]} expected"):
                solver.differentiate(**{name: [1, 2]})
        dz, dw = solver.differentiate(dmu=[1])
        self.assertAlmostEqual(dw[1], 1, places=6)
        gq, gmu = solver.gradient(gw=[0, 1, 0])
        self.assertAlmostEqual(gq[0], -0.5, places=6)
        self.assertAlmostEqual(gmu[0], 1, places=6)


class Nonlinear(unittest.TestCase):
    degenerate, regular = [np.sqrt(6) / 2, 0, 0, 0.5], [1, 0, 3, 0]

    def assert_solved(self, problem):
        result = nonsmooth.solve(problem)
        self.assertTrue(result.converged)
        self.assertTrue(min(np.abs(result.z - s).max() for s in (self.degenerate, self.regular)) < 1e-5)

    def test_functions_with_and_without_a_jacobian(self):
        def jacobian(z):
            a, b, _, _ = z
            return np.array([[6 * a + 2 * b, 2 * a + 4 * b, 1, 3], [4 * a + 1, 2 * b, 10, 2], [6 * a + b, a + 4 * b, 2, 9],
                             [2 * a, 6 * b, 2, 3]])

        self.assert_solved(Problem.ncp(4, kojima_shindo))
        self.assert_solved(Problem.ncp(4, kojima_shindo, jacobian))
        full = sparse.csc_matrix(np.ones((4, 4)))
        self.assert_solved(Problem.ncp(4, kojima_shindo, lambda z: sparse.coo_matrix(jacobian(z)), full))
        self.assert_solved(Problem.ncp(4, kojima_shindo, lambda z: jacobian(z).ravel("F"), full))

    def test_the_values_of_a_jacobian_are_where_they_belong(self):
        matrix = sparse.csc_matrix([[3.0, 1, 0], [0, 4, -1], [2, 0, 5]])
        for jacobian, pattern in ((lambda z: matrix, matrix), (lambda z: matrix.toarray(), None), (lambda z: matrix.tocoo(), matrix)):
            problem = Problem.mcp(3, lambda z: matrix @ z - [1, 2, 3], jacobian=jacobian, pattern=pattern)
            result = nonsmooth.solve(problem, check_jacobian=True)
            np.testing.assert_allclose(matrix @ result.z, [1, 2, 3], atol=1e-8)
        # Without a pattern; scipy adds a sparse and a dense matrix to a numpy.matrix.
        for jacobian in (lambda z: matrix, lambda z: matrix + np.zeros((3, 3)), lambda z: matrix.toarray().tolist()):
            result = nonsmooth.solve(Problem.mcp(3, lambda z: matrix @ z - [1, 2, 3], jacobian=jacobian), check_jacobian=True)
            np.testing.assert_allclose(matrix @ result.z, [1, 2, 3], atol=1e-8)
        wrong = Problem.mcp(3, lambda z: matrix @ z - [1, 2, 3], jacobian=lambda z: matrix, pattern=sparse.eye(3))
        with self.assertRaisesRegex(ValueError, r"\(2, 0\)"):
            nonsmooth.solve(wrong)

    def test_sets_given_by_rows_and_by_a_projection(self):
        def F(z):
            return z - [2, 0]

        rows = nonsmooth.solve(Problem.vi(2, F, H=[[-1, -1]], k=[-1], lo=[0, 0]))
        np.testing.assert_allclose(rows.z, [1, 0], atol=1e-8)
        disk = nonsmooth.solve(Problem.vi_projection(2, F, lambda x: x / max(1, np.linalg.norm(x))))
        np.testing.assert_allclose(disk.z, [1, 0], atol=1e-8)
        with self.assertRaisesRegex(nonsmooth.Error, "projection is NULL"):
            Problem.vi_projection(2, F, None)

    def test_what_a_function_raises_comes_out(self):
        def broken(z):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            nonsmooth.solve(Problem.ncp(2, broken))
        with self.assertRaisesRegex(ValueError, "F: 3 numbers returned, 2 expected"):
            nonsmooth.solve(Problem.ncp(2, lambda z: [1, 2, 3]))
        with self.assertRaises(TypeError):
            Problem.ncp(2, "F")

    def test_what_returns_no_numbers_is_named(self):
        def F(z):
            return z - 1

        for message, error, problem in (
                (r"F: .* shape \(2, 1\)", ValueError, Problem.ncp(2, lambda z: F(z)[:, None])),
                ("F: .* complex128", TypeError, Problem.ncp(2, lambda z: 1j * z)),
                (r"jacobian: .* shape \(3, 3\)", ValueError, Problem.ncp(2, F, lambda z: np.eye(3))),
                ("jacobian: 3 numbers returned, 2 expected", ValueError, Problem.ncp(2, F, lambda z: z[[0, 0, 0]], sparse.eye(2))),
                (r"projection: .* shape \(\)", ValueError, Problem.vi_projection(2, F, np.linalg.norm))):
            with self.assertRaisesRegex(error, message):
                nonsmooth.solve(problem)

    def test_what_holds_a_problem_or_solver_may_be_called_by_it(self):
        class Model:
            def __init__(self):
                self.problem = Problem.mcp(2, self.F, jacobian=self.jacobian)
                self.solvers = [Solver(self.problem) for _ in range(2)]
                self.solvers[0].set_progress(self.tell)
                self.solvers[1].set_log(self.tell)

            def F(self, z):
                return z - 1

            def jacobian(self, z):
                return np.eye(2)

            def tell(self, *_):
                pass

        solver = Model().solvers[1]
        gc.collect()
        np.testing.assert_allclose(solver.solve().z, [1, 1])  # all else is gone, but what it calls
        alone = Solver(Problem.mcp(1, lambda z: z - 1))
        gc.collect()
        np.testing.assert_allclose(alone.solve().z, [1])
        model = weakref.ref(Model())
        del solver
        gc.collect()
        self.assertIsNone(model())

    def test_none_is_a_point_where_it_cannot_be_evaluated(self):
        result = nonsmooth.solve(Problem.mcp(1, lambda z: None if z[0] <= 0 else np.log(z)), start=[0.1])
        np.testing.assert_allclose(result.z, [1], atol=1e-8)


class Control(unittest.TestCase):
    def endless(self):
        """A long chain: sweeps creep along it for minutes."""
        chain = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(20000, 20000))
        return Solver(Problem.lcp(chain, np.full(20000, -0.001)), "block_gauss_seidel", max_iterations=2_000_000_000, time_limit=30)

    def test_progress_can_cancel(self):
        seen = []
        solver = self.endless()
        solver.set_progress(lambda iteration, residual, seconds: seen.append((iteration, residual, seconds)) or False)
        self.assertEqual(solver.solve().outcome, "cancelled")
        self.assertEqual(len(seen), 1)
        solver.set_progress(lambda iteration, residual, seconds: np.float64(residual) < 0)
        self.assertEqual(solver.solve().outcome, "cancelled")

    def test_what_cannot_be_called_is_refused_at_once(self):
        solver = Solver(sliding_contact())
        for name, take in (("progress", solver.set_progress), ("log", solver.set_log),
                           ("jacobian", lambda value: Problem.ncp(1, lambda z: z, value))):
            with self.assertRaisesRegex(TypeError, f"{name}: expected a function, got 3"):
                take(3)

    def test_progress_is_told_of_a_batch_of_small_problems(self):
        solver = Solver(Problem.lcp(M, q))
        solver.set_progress(lambda *_: False)
        _, outcomes = solver.solve_batch(np.random.default_rng(0).normal(size=(2_000_000, 2)))
        self.assertEqual(outcomes[-1], "cancelled")

    def test_a_solver_at_work_is_not_used(self):
        solver = self.endless()

        def progress(*_):
            with self.assertRaisesRegex(nonsmooth.Error, "at work"):
                solver.update_q([1, 1])
            self.assertIn("block_gauss_seidel, lcp", repr(solver))
            solver.cancel()

        solver.set_progress(progress)
        self.assertEqual(solver.solve().outcome, "cancelled")

    def test_the_interpreter_runs_on_during_a_solve(self):
        solver, results = self.endless(), []
        thread = threading.Thread(target=lambda: results.append(solver.solve()))
        thread.start()
        nonsmooth.solve(sliding_contact())
        while thread.is_alive():
            solver.cancel()
            thread.join(0.01)
        self.assertEqual(results[0].outcome, "cancelled")

    def test_the_interpreter_may_end_while_daemon_threads_solve(self):
        lines = ["import nonsmooth, numpy, threading, time", "def forever(solver, *start):",
                 "    while True: solver.warm_start(*start), solver.solve()",
                 "def slow(z): time.sleep(0.001); return numpy.exp(z) - 1 - 1e-3 * numpy.sin(1e5 * z)",
                 "linear = nonsmooth.Solver(nonsmooth.Problem.lcp(numpy.eye(300), -numpy.ones(300)))",
                 "called = nonsmooth.Solver(nonsmooth.Problem.mcp(3, slow), tolerance=1e-300)",
                 "for arguments in ((linear, numpy.zeros(300)), (called, [1, 2, 3])):",
                 "    threading.Thread(target=forever, args=arguments, daemon=True).start()", "time.sleep(0.2)"]
        for _ in range(3):
            ended = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_signals_end_a_solve(self):
        def interrupt(*_):
            raise KeyboardInterrupt

        previous = signal.signal(signal.SIGALRM, interrupt)
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with self.assertRaises(KeyboardInterrupt):
                self.endless().solve()
        finally:
            signal.signal(signal.SIGALRM, previous)

    def test_log_and_what_it_raises(self):
        lines = []
        solver = Solver(Problem.read(str(data / "friction_3d_box_stack.json")))
        solver.set_log(lines.append)
        solver.solve()
        self.assertTrue(lines)
        solver.set_log(None)
        count = len(lines)
        solver.solve()
        self.assertEqual(len(lines), count)


class Tables(unittest.TestCase):
    def test_all_is_documented(self):
        public = [(name, thing) for name, thing in vars(nonsmooth).items() if not name.startswith("_")]
        members = [(f"{name}.{member}", getattr(thing, member)) for name, thing in public if isinstance(thing, type)
                   for member in vars(thing) if not member.startswith("_")]
        for name, thing in public + members:
            text = thing.__doc__ or ""
            if not isinstance(thing, (type, property)):
                text = text.partition("\n\n")[2]  # behind the signature
            self.assertTrue(text.strip(), name)

    def test_methods_options_and_names(self):
        methods = {method["name"]: method for method in nonsmooth.methods()}
        self.assertIn("friction", methods["auto"]["classes"])
        options = {option["name"]: option for option in nonsmooth.options()}
        self.assertEqual(options["tolerance"]["default"], 1e-8)
        self.assertEqual(Problem.lcp(M, q).default_method, "auto")
        self.assertEqual(repr(sliding_contact()), "<Problem: friction, 3 unknowns>")
        self.assertEqual(repr(Solver(sliding_contact())), "<Solver: auto, friction, 3 unknowns>")
        self.assertEqual(repr(Solver(Problem.lcp(M, q), "lemke")), "<Solver: lemke, lcp, 2 unknowns>")
        self.assertRegex(repr(nonsmooth.solve(sliding_contact())), "^<converged after .* of .*: residual .*>$")
        self.assertRegex(nonsmooth.__version__, r"^\d+\.\d+")


if __name__ == "__main__":
    unittest.main()
