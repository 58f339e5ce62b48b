"""What the Python module refuses, and how it says so."""
import contextlib
import copy
import errno
import os
import pickle
import tempfile
import unittest

import numpy as np

import nonsmooth
from nonsmooth import Problem, Solver

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


if __name__ == "__main__":
    unittest.main()
