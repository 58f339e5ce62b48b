"""Types of the module, for editors and type checkers. tests/python/stub_test.py compares them with the module itself."""
from os import PathLike
from typing import Any, Callable, Protocol, Sequence, TypedDict, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

class _Sparse(Protocol):
    """A matrix of scipy.sparse, in any format."""

    def tocsc(self, copy: bool = ...) -> Any: ...

_Matrix = Union[ArrayLike, _Sparse]
_Path = Union[str, bytes, PathLike[str], PathLike[bytes]]
_Reals = NDArray[np.float64]
# None: it cannot be evaluated there.
_Function = Callable[[_Reals], Union[ArrayLike, None]]
_Jacobian = Callable[[_Reals], Union[_Matrix, None]]
_Progress = Callable[[int, float, float], object]
_Log = Callable[[str], object]

class _Description(TypedDict):
    problem_class: str
    size: int
    equalities: int
    blocks: int
    dimension: int
    storage: str
    rows: int
    cols: int
    nonzeros: int
    symmetry_defect: float
    eigenvalue_min: float
    eigenvalue_max: float
    q_norm: float
    mu_min: float
    mu_max: float
    eigenvalue_min_estimated: bool

class _Method(TypedDict):
    name: str
    summary: str
    source: str
    safe_for: str
    classes: list[str]
    default_iterations: int
    use_for: str

class _Option(TypedDict):
    name: str
    default: float
    lower: float
    upper: float
    unit: str
    methods: str
    help: str
    choices: list[str] | None

class Error(Exception):
    """A call that did not work; `status` names why. What became of a problem is no error: see Result.outcome."""

    status: str

class FileError(Error, OSError):
    """A file cannot be opened, read or written; `errno` as of OSError."""

class FileMissingError(FileError, FileNotFoundError):
    """There is no such file or folder."""

class FilePermissionError(FileError, PermissionError):
    """No permission to read or write the file."""

class FileIsDirectoryError(FileError, IsADirectoryError):
    """A folder stands where a file was named."""

class Problem:
    """A problem: w = M z + q, -w in the normal cone of a product of simple sets. Validated, never changed.

    Matrices are arrays of two dimensions or sparse matrices of scipy; data are copied.
    """

    @staticmethod
    def lcp(M: _Matrix, q: ArrayLike) -> Problem:
        """w = M z + q, 0 <= w _|_ z >= 0."""
    @staticmethod
    def mlcp(M: _Matrix, q: ArrayLike, is_complementarity: ArrayLike) -> Problem:
        """Rows marked 0: w = 0, z free; 1: complementarity."""
    @staticmethod
    def mlcp_blocks(A: _Matrix, B: _Matrix, C: _Matrix, D: _Matrix, a: ArrayLike, b: ArrayLike) -> Problem:
        """A u + C v + a = 0, w = D u + B v + b, 0 <= w _|_ v >= 0; z = (u, v)."""
    @staticmethod
    def relay(M: _Matrix, q: ArrayLike, lo: ArrayLike, hi: ArrayLike) -> Problem:
        """lo <= z <= hi; bounds may be infinite."""
    @staticmethod
    def avi(
        M: _Matrix, q: ArrayLike, H: _Matrix | None = None, k: ArrayLike | None = None, lo: ArrayLike | None = None,
        hi: ArrayLike | None = None,
    ) -> Problem:
        """-(M z + q) in the normal cone of {H z >= k, lo <= z <= hi}."""
    @staticmethod
    def qp(
        M: _Matrix, q: ArrayLike, H: _Matrix | None = None, k: ArrayLike | None = None, lo: ArrayLike | None = None,
        hi: ArrayLike | None = None,
    ) -> Problem:
        """Minimise z'M z / 2 + q'z over {H z >= k, lo <= z <= hi}; M symmetric, positive semidefinite."""
    @staticmethod
    def friction(dimension: int, W: _Matrix, q: ArrayLike, mu: ArrayLike) -> Problem:
        """Coulomb friction: u = W r + q, per contact normal, then tangents; dimension 2 or 3, mu: one per contact."""
    @staticmethod
    def global_friction(
        dimension: int, M: _Matrix, H: _Matrix, f: ArrayLike, w: ArrayLike, mu: ArrayLike, G: _Matrix | None = None,
        b: ArrayLike | None = None,
    ) -> Problem:
        """M v = H r + G l + f, u = H'v + w, G'v + b = 0; z = (v, l, r)."""
    @staticmethod
    def rolling(dimension: int, W: _Matrix, q: ArrayLike, mu: ArrayLike, mu_r: ArrayLike) -> Problem:
        """With rolling resistance: dimension 5, or 3 in the plane."""
    @staticmethod
    def global_rolling(
        dimension: int, M: _Matrix, H: _Matrix, f: ArrayLike, w: ArrayLike, mu: ArrayLike, mu_r: ArrayLike,
        G: _Matrix | None = None, b: ArrayLike | None = None,
    ) -> Problem:
        """As global_friction, with rolling resistance."""
    @staticmethod
    def soclcp(M: _Matrix, q: ArrayLike, cone_start: ArrayLike, tau: ArrayLike) -> Problem:
        """Second-order cones |z_T| <= tau z_N; cone_start: where each begins, and n."""
    @staticmethod
    def plasticity(W: _Matrix, q: ArrayLike, eta: ArrayLike, theta: ArrayLike) -> Problem:
        """Cones of three rows |r_T| <= eta r_N that dilate by eta - theta as they yield."""
    @staticmethod
    def generic(
        M: _Matrix, q: ArrayLike, kind: Sequence[str], size: ArrayLike, mu: ArrayLike | None = None,
        lo: ArrayLike | None = None, hi: ArrayLike | None = None,
    ) -> Problem:
        """Blocks of 'equality', 'complementarity', 'relay', 'friction_2d', 'friction_3d', 'disk'; mu: one per block, of
        disks the radius."""
    @staticmethod
    def ncp(n: int, F: _Function, jacobian: _Jacobian | None = None, pattern: _Matrix | None = None) -> Problem:
        """0 <= F(z) _|_ z >= 0."""
    @staticmethod
    def mcp(
        n: int, F: _Function, lo: ArrayLike | None = None, hi: ArrayLike | None = None,
        jacobian: _Jacobian | None = None, pattern: _Matrix | None = None,
    ) -> Problem:
        """lo <= z <= hi; F(z) = 0 inside, >= 0 at lo, <= 0 at hi."""
    @staticmethod
    def vi(
        n: int, F: _Function, H: _Matrix | None = None, k: ArrayLike | None = None, lo: ArrayLike | None = None,
        hi: ArrayLike | None = None, jacobian: _Jacobian | None = None, pattern: _Matrix | None = None,
    ) -> Problem:
        """-F(z) in the normal cone of {H z >= k, lo <= z <= hi}."""
    @staticmethod
    def vi_projection(
        n: int, F: _Function, projection: _Function, jacobian: _Jacobian | None = None,
        pattern: _Matrix | None = None,
    ) -> Problem:
        """On a closed convex set, given by its projection."""
    @staticmethod
    def read(path: _Path, problem_class: str = "") -> Problem:
        """problem_class '': found by content."""
    def write(self, path: _Path, format: str = "") -> None:
        """format '': by the ending of the path."""
    def guess(self) -> _Reals | None:
        """The starting point that came with the file, or None."""
    def read_solution(self, path: _Path) -> tuple[_Reals, _Reals | None]:
        """(z, w); w is None where the file has none."""
    def write_solution(self, path: _Path, z: ArrayLike, w: ArrayLike | None = None) -> None:
        """Writes a solution file."""
    @property
    def problem_class(self) -> str:
        """'lcp', 'friction' ...: the function that makes it."""
    @property
    def size(self) -> int:
        """Length of z and of w."""
    @property
    def title(self) -> str:
        """That of the file; '': none."""
    @property
    def default_method(self) -> str:
        """What a Solver takes where no method is named."""
    def describe(self) -> _Description:
        """Sizes, symmetry, eigenvalues, friction coefficients."""

class Solver:
    """A method set up for one problem. Used by one thread at a time."""

    def __init__(self, problem: Problem, method: str = "", **options: float | str) -> None:
        """method '': auto. Options by name, as nonsmooth.options() lists them: tolerance=1e-10."""
    def solve(self) -> Result:
        """Starts from the last solution, or from warm_start."""
    def solve_batch(self, q: ArrayLike, z: ArrayLike | None = None) -> tuple[_Reals, list[str]]:
        """Problems that differ in what update_q takes alone, one a row; z: starting points. Returns the solutions, by
        rows, and the outcomes."""
    def solution_at(self, index: int) -> tuple[_Reals, _Reals]:
        """(z, w) of one of several solutions, where the method lists them (enumeration)."""
    def set_progress(self, progress: _Progress | None) -> None:
        """A function of (iteration, residual, seconds), called some times a second. Anything false other than None
        cancels the solve. None: nobody."""
    def set_log(self, log: _Log | None) -> None:
        """A function that gets a line of text for what a solve tries, and, if a method was named, for the residual at
        iterations that grow by a tenth. None: nobody."""
    def cancel(self) -> None:
        """Ends a running solve or batch; if none runs, the next one. From any thread."""
    @property
    def method(self) -> str:
        """The method in use."""
    def update_q(self, q: ArrayLike) -> None:
        """q, or w of global classes."""
    def update_f(self, f: ArrayLike) -> None:
        """Forces of global classes."""
    def update_mu(self, mu: ArrayLike) -> None:
        """Friction coefficients, one per contact; generic: per block."""
    def update_matrix(self, M: _Matrix) -> None:
        """In the storage and with the pattern that the problem was made with."""
    def warm_start(self, z: ArrayLike) -> None:
        """Where the next solve starts."""
    def differentiate(self, dq: ArrayLike | None = None, dmu: ArrayLike | None = None) -> tuple[_Reals, _Reals]:
        """(dz, dw), how the last solution moves with q and mu; None: 0."""
    def gradient(self, gz: ArrayLike | None = None, gw: ArrayLike | None = None) -> tuple[_Reals, _Reals]:
        """(gq, gmu), the gradient of a loss by q and mu from its gradient by the last solution; None: 0."""

class Result:
    """What a solve ended with, and its best iterate."""

    @property
    def converged(self) -> bool:
        """Is the solution certified?"""
    @property
    def outcome(self) -> str:
        """'converged', 'infeasible', 'ray', 'iteration_limit', 'time_limit', 'stalled', 'cancelled' or 'breakdown'."""
    @property
    def z(self) -> _Reals:
        """The unknowns; of global classes (v, l, r)."""
    @property
    def w(self) -> _Reals:
        """M z + q; u of friction."""
    @property
    def residual(self) -> float:
        """Residual of the certificate."""
    @property
    def certificate(self) -> Certificate:
        """Of z and w."""
    @property
    def proof(self) -> _Reals | None:
        """Of outcome 'infeasible': the verified proof; else None."""
    @property
    def iterations(self) -> int:
        """Pivots, sweeps, Newton steps ... of the method."""
    @property
    def solutions(self) -> int:
        """Found, where the method counts them."""
    @property
    def seconds(self) -> float:
        """Wall-clock time of the solve."""
    @property
    def setup_seconds(self) -> float:
        """Part of them: stages of auto that were set up."""
    @property
    def finished_by(self) -> str:
        """The method at work at the end."""
    @property
    def relaxation_residual(self) -> float:
        """With the option convex_relaxation; else -1."""

class Certificate:
    """What an independent recomputation from the problem's own data says about a solution."""

    @property
    def certified(self) -> bool:
        """The residual meets the tolerance, or is at the rounding floor."""
    @property
    def verdict(self) -> str:
        """'certified', 'working precision' or 'not certified'."""
    @property
    def tolerance(self) -> float:
        """What the residual was compared with."""
    @property
    def residual(self) -> float:
        """What the tolerance is compared with."""
    @property
    def rounding_floor(self) -> float:
        """Residual that rounding alone may cause."""
    @property
    def natural_map(self) -> float:
        """|z - P_C(z - w)| / max(1, |q|)"""
    @property
    def dynamics(self) -> float:
        """Global classes: the equations of motion."""
    @property
    def infeasibility(self) -> float:
        """Distance of z to its set, and of w to the dual cone; absolute."""
    @property
    def complementarity(self) -> float:
        """Sum of |z.w| over the blocks; absolute."""
    @property
    def w_defect(self) -> float:
        """|w given - w recomputed| / max(1, |q|)."""
    @property
    def worst_block(self) -> int:
        """Contact, cone or row; -1: none."""
    @property
    def worst_block_residual(self) -> float:
        """Its part of the natural map; absolute."""
    @property
    def fclib_merit(self) -> float:
        """For comparison only."""
    @property
    def siconos_error(self) -> float:
        """For comparison only."""

def solve(problem: Problem, method: str = "", start: ArrayLike | None = None, **options: float | str) -> Result:
    """Sets a Solver up, for one solve. Options by name."""

def certify(problem: Problem, z: ArrayLike, w: ArrayLike | None = None, tolerance: float = 1e-8) -> Certificate:
    """Certifies z, and w if it is given, against the problem's own data."""

def certify_infeasible(problem: Problem, y: ArrayLike, tolerance: float = 1e-9) -> bool:
    """Does y prove that the problem has no solution?"""

def slater(problem: Problem) -> tuple[float, _Reals]:
    """(margin, z) of a friction problem: positive where all contacts can be opened, and then it has a solution."""

def methods() -> list[_Method]:
    """The table of methods."""

def options() -> list[_Option]:
    """The table of options."""
