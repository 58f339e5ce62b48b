"""The Python module as its users see it."""
import contextlib
import copy
import errno
import gc
import os
import pathlib
import pickle
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


@contextlib.contextmanager
def no_privileges():
    """Root may read and write everything."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


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


class Errors(unittest.TestCase):
    def test_what_the_library_refuses_is_named(self):
        with self.assertRaisesRegex(nonsmooth.Error, r"q\[1\] is nan") as refused:
            Problem.lcp(M, [1, np.nan])
        self.assertEqual(refused.exception.status, "not_finite")
        for status, call in (("invalid_dimension", lambda: Problem.lcp(M, [1])),
                             ("invalid_option", lambda: nonsmooth.solve(Problem.lcp(M, q), tolerence=1)),
                             ("unknown_method", lambda: Solver(Problem.lcp(M, q), "simplex")),
                             ("file_error", lambda: Problem.read("/no/such/file.json"))):
            with self.assertRaises(nonsmooth.Error) as refused:
                call()
            self.assertEqual(refused.exception.status, status)
        for meant, call in (("tolerance", lambda: nonsmooth.solve(Problem.lcp(M, q), tolerence=1)),
                            ("lemke", lambda: Solver(Problem.lcp(M, q), "lemk"))):
            with self.assertRaisesRegex(nonsmooth.Error, f"; did you mean '{meant}'"):
                call()

    def test_an_empty_array_is_not_none(self):
        problem = Problem.lcp(M, q)
        for name, call in (("z", lambda: nonsmooth.solve(problem, start=[])),
                           ("w", lambda: nonsmooth.certify(problem, solution, w=[])),
                           ("is_complementarity", lambda: Problem.mlcp(M, q, []))):
            with self.assertRaisesRegex(nonsmooth.Error, f"{name} has 0 entries, 2 expected"):
                call()

    def test_a_dimension_that_there_is_not_is_named(self):
        for call, expected in ((lambda: Problem.friction(4, np.eye(3), [-1, 0, 0], [0.5]), "4; 2 or 3"),
                               (lambda: Problem.rolling(0, np.eye(5), np.zeros(5), [0.5], [0.1]), "0; 3 or 5")):
            with self.assertRaisesRegex(nonsmooth.Error, f"dimension is {expected} expected"):
                call()

    def test_whole_numbers_that_do_not_fit_are_named(self):
        for number in (2**63, 2**64 - 1, 2**31, -2**31 - 1):
            kind = np.uint64 if number > 0 else np.int64
            with self.assertRaisesRegex(ValueError, f"the whole number {number} does not fit into 32 bits"):
                Problem.mlcp(M, q, np.array([0, number], dtype=kind))

    def test_what_cannot_be_copied_says_so(self):
        problem = Problem.lcp(M, q)
        result = nonsmooth.solve(problem)
        for thing in (problem, Solver(problem), result, result.certificate):
            for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
                with self.assertRaisesRegex(TypeError, f"cannot pickle .*{type(thing).__name__}"):
                    pickle.dumps(thing, protocol)
            with self.assertRaisesRegex(TypeError, "cannot pickle"):
                copy.copy(thing)

    def test_messages_may_hold_or_cut_any_name(self):
        for name in ("/no/such/\udce9", "/" + 600 * "µ", "//" + 600 * "µ"):
            with self.assertRaisesRegex(nonsmooth.Error, "cannot open '/"):
                Problem.read(name)

    def test_errors_of_files_are_those_of_python_too(self):
        problem, own = Problem.lcp(M, q), (nonsmooth.Error, nonsmooth.FileError)
        with tempfile.TemporaryDirectory() as folder:
            secret, missing = os.path.join(folder, "secret.json"), os.path.join(folder, "none", "p.json")
            problem.write(secret)
            os.chmod(secret, 0)
            for expected, number, call in (
                    (FileNotFoundError, errno.ENOENT, lambda: Problem.read(missing)),
                    (FileNotFoundError, errno.ENOENT, lambda: problem.write(missing)),
                    (FileNotFoundError, errno.ENOENT, lambda: problem.read_solution(missing)),
                    (FileNotFoundError, errno.ENOENT, lambda: problem.write_solution(missing, solution)),
                    (IsADirectoryError, errno.EISDIR, lambda: Problem.read(folder)),
                    (IsADirectoryError, errno.EISDIR, lambda: problem.write(folder, "json")),
                    (PermissionError, errno.EACCES, lambda: Problem.read(secret)),
                    (OSError, errno.ENOTDIR, lambda: Problem.read(os.path.join(secret, "p.json"))),
                    (OSError, None, lambda: Problem.read("/dev/zero"))):
                with self.assertRaises(expected) as refused, no_privileges() if expected is PermissionError else contextlib.nullcontext():
                    call()
                for error in (refused.exception, pickle.loads(pickle.dumps(refused.exception))):
                    for kind in own:
                        self.assertIsInstance(error, kind)
                    self.assertEqual((error.status, error.errno), ("file_error", number))
            with self.assertRaises(nonsmooth.Error) as refused:
                problem.write(os.path.join(folder, "p.doc"))
            self.assertNotIsInstance(refused.exception, OSError)  # of its name, not of the file

    def test_errors_of_creators_name_the_argument(self):
        n, one = np.eye(3), np.ones(3)
        constraints = dict(H=np.ones((1, 3)), k=[1.0], lo=-one, hi=one)
        bodies = dict(dimension=3, M=n, H=n, f=one, w=one, mu=[0.5], G=np.ones((3, 1)), b=[0.0])
        creators = dict(
            lcp=dict(M=n, q=one), mlcp=dict(M=n, q=one, is_complementarity=[0, 1, 1]),
            mlcp_blocks=dict(A=[[2.0]], B=[[2.0]], C=[[1.0]], D=[[1.0]], a=[1.0], b=[1.0]),
            relay=dict(M=n, q=one, lo=-one, hi=one), avi=dict(M=n, q=one, **constraints), qp=dict(M=n, q=one, **constraints),
            friction=dict(dimension=3, W=n, q=one, mu=[0.5]), global_friction=bodies,
            rolling=dict(dimension=3, W=n, q=one, mu=[0.5], mu_r=[0.1]), global_rolling=dict(bodies, mu_r=[0.1]),
            soclcp=dict(M=n, q=one, cone_start=[0, 3], tau=[0.5]), plasticity=dict(W=n, q=one, eta=[0.5], theta=[0.2]),
            generic=dict(M=n, q=one, kind=["friction_2d", "relay"], size=[2, 1], mu=[0.5, 0.0], lo=-one, hi=one),
            vi=dict(n=3, F=lambda z: z, **constraints), mcp=dict(n=3, F=lambda z: z, lo=-one, hi=one))
        for creator, given in creators.items():
            create = getattr(Problem, creator)
            create(**given)
            for name, value in given.items():
                if name in ("kind", "dimension", "n", "F"):
                    continue
                array = np.array(value)
                wrong = [(ValueError, f"^{name}: expected an array of", array[None]), (ValueError, f"^{name}: ", [[1, 2], [3]]),
                         (TypeError, f"^{name}: expected (real|whole) numbers", 1j * array)]
                if array.dtype.kind == "f":
                    wrong.append((nonsmooth.Error, fr"^{name}[\[(].* is nan", np.full(array.shape, np.nan)))
                if name in ("M", "W", "q", "A", "tau", "size"):
                    wrong.append((TypeError, f"^{name}: expected an array, got None", None))
                for error, message, replaced in wrong:
                    with self.assertRaisesRegex(error, message, msg=(creator, name)):
                        create(**dict(given, **{name: replaced}))
        for replaced in (dict(size=[2, 2]), dict(size=[1, 2]), dict(size=[2, 0]), dict(size=[3])):
            with self.assertRaisesRegex(nonsmooth.Error, "^size (of|has) "):
                Problem.generic(**dict(creators["generic"], **replaced))
        with self.assertRaisesRegex(ValueError, "^pattern: "):
            Problem.ncp(3, lambda z: z, pattern=[1, 2, 3])

    def test_errors_of_other_calls_name_the_argument(self):
        problem = sliding_contact()
        solver = Solver(problem)
        for name, call in (("q", solver.update_q), ("mu", solver.update_mu), ("M", solver.update_matrix), ("z", solver.warm_start),
                           ("q", solver.solve_batch), ("dq", solver.differentiate), ("gz", solver.gradient),
                           ("start", lambda value: nonsmooth.solve(problem, start=value)),
                           ("w", lambda value: nonsmooth.certify(problem, [0, 0, 0], value)),
                           ("y", lambda value: nonsmooth.certify_infeasible(problem, value))):
            with self.assertRaisesRegex(ValueError, f"^{name}: expected an array of "):
                call(np.ones((1, 1, 1)))

    def test_what_is_no_vector_or_matrix_is_refused(self):
        for error, matrix, vector in ((ValueError, M, [q]), (ValueError, q, q), (TypeError, M, [1j, 1]), (TypeError, M, ["1", "2"]),
                                      (TypeError, M, [None, 1]), (ValueError, np.ones((2, 2, 2)), q)):
            with self.assertRaises(error):
                Problem.lcp(matrix, vector)
        with self.assertRaises(TypeError):
            Problem.mlcp(M, q, [0.5, 1])
        with self.assertRaises(ValueError):
            Problem.mlcp(M, q, [2**40, 1])
        with self.assertRaisesRegex(ValueError, "friction_4d"):
            Problem.generic(M, q, ["friction_4d"], [2])
        with self.assertRaisesRegex(ValueError, "no kind of block is called '1'"):
            Problem.generic(M, q, [1], [2])  # a value of nsm_block_kind
        for kind in (1, None, "equality", {"equality"}):
            with self.assertRaisesRegex(TypeError, "^kind: expected a sequence of kinds of blocks, got .*" + str(kind)[1:-1]):
                Problem.generic(M, q, kind, [2])
        with self.assertRaisesRegex(TypeError, "^kind: "):
            Problem.generic(M, q, np.array("equality"), [2])

    def test_options_take_numbers_words_and_nothing_else(self):
        result = nonsmooth.solve(sliding_contact(), "block_gauss_seidel", tolerance=1e-10, max_iterations=1000)
        self.assertEqual(result.certificate.tolerance, 1e-10)
        for value in (None, [1e-6]):
            with self.assertRaisesRegex(TypeError, "option tolerance: expected a number or a word, got "):
                nonsmooth.solve(sliding_contact(), tolerance=value)
        for value in (1j, 10**400):
            with self.assertRaisesRegex(ValueError, "option tolerance: .*float"):
                nonsmooth.solve(sliding_contact(), tolerance=value)


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
