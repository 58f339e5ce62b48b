"""Does nonsmooth.pyi, beside the module, say what the module has?"""
import ast
import pathlib
import re
import unittest

import nonsmooth

stub = pathlib.Path(nonsmooth.__file__).with_name("nonsmooth.pyi").read_text(encoding="utf-8")


def is_public(name):
    return not name.startswith("_") or name in ("__init__", "__version__")


def in_one_line(text):
    return " ".join((text or "").split())


def signature_of(function):
    """What pybind11 writes first into the docstring of a function: its arguments with their defaults, and the text behind."""
    head, _, text = function.__doc__.partition("\n\n")
    given = head.partition("(")[2].rpartition(") -> ")[0]
    without_types = re.sub(r": [^=,]+(?= = |,|$)", "", given)
    arguments = ast.parse(f"lambda {without_types}: 0", mode="eval").body.args
    return describe(arguments), in_one_line(text)


def describe(arguments):
    """Names with their defaults, such as [("problem",), ("method", "''"), ("**",)]."""
    assert not arguments.kwonlyargs and arguments.vararg is None
    described = [(argument.arg,) for argument in arguments.posonlyargs + arguments.args if argument.arg != "self"]
    for place, default in enumerate(arguments.defaults, len(described) - len(arguments.defaults)):
        described[place] += (repr(ast.literal_eval(default)),)
    return described + ([("**",)] if arguments.kwarg else [])


def members_of_class(thing):
    """Of a class of pybind11 or an exception."""
    for name, member in vars(thing).items():
        if isinstance(member, property):
            yield name, ("property", in_one_line(member.__doc__))
        elif is_public(name) and "->" in (getattr(thing, name).__doc__ or ""):
            kind = "staticmethod" if isinstance(member, staticmethod) else "method"
            yield name, (kind, *signature_of(getattr(thing, name)))


def in_module():
    names = {}
    for name, thing in vars(nonsmooth).items():
        if isinstance(thing, type):
            bases = [base.__name__ for base in thing.__bases__ if base.__module__ in ("nonsmooth", "builtins")]
            names[name] = ("class", [base for base in bases if "pybind11" not in base], in_one_line(thing.__doc__))
            names.update((f"{name}.{member}", what) for member, what in members_of_class(thing))
        elif callable(thing) and is_public(name):
            names[name] = ("function", *signature_of(thing))
        elif is_public(name):
            names[name] = (type(thing).__name__,)
    return names


def function_of(node):
    return describe(node.args), in_one_line(ast.get_docstring(node))


def members_of_node(node):
    for member in node.body:
        if isinstance(member, ast.FunctionDef):
            marks = [mark.id for mark in member.decorator_list]
            if marks == ["property"]:
                yield member.name, ("property", in_one_line(ast.get_docstring(member)))
            else:
                yield member.name, (*(marks or ["method"]), *function_of(member))


def in_stub(text):
    names = {}
    for node in ast.parse(text).body:
        name = getattr(node, "name", getattr(getattr(node, "target", None), "id", "_"))
        if not is_public(name):
            continue
        if isinstance(node, ast.ClassDef):
            names[name] = ("class", [base.id for base in node.bases], in_one_line(ast.get_docstring(node)))
            names.update((f"{name}.{member}", what) for member, what in members_of_node(node))
        elif isinstance(node, ast.FunctionDef):
            names[name] = ("function", *function_of(node))
        else:
            names[name] = (node.annotation.id,)
    return names


def keys_in_stub(name):
    node = next(node for node in ast.parse(stub).body if getattr(node, "name", "") == name)
    return [entry.target.id for entry in node.body]


class Stub(unittest.TestCase):
    maxDiff = None

    def test_it_says_what_the_module_has(self):
        self.assertEqual(in_stub(stub), in_module())

    def test_what_is_missing_or_other_is_seen(self):
        self.assertGreater(len(in_module()), 70)
        for said, other in (
                ("def slater(", "def _slater("), ("class Certificate:", "class Proof:"), ("def update_mu(self, mu:", "def update_mu(self, m:"),
                ("    def z(self)", "    def x(self)"), ("tolerance: float = 1e-8", "tolerance: float = 1e-6"),
                ("    @property\n    def size", "    def size"), ("class FileError(Error, OSError)", "class FileError(Error)"),
                ("Friction coefficients, one per contact", "Friction coefficients"), ("__version__: str", "")):
            self.assertIn(said, stub)
            self.assertNotEqual(in_stub(stub.replace(said, other, 1)), in_module(), said)

    def test_keys_of_tables(self):
        for name, given in (("_Method", nonsmooth.methods()[0]), ("_Option", nonsmooth.options()[0]),
                            ("_Description", nonsmooth.Problem.lcp([[1]], [1]).describe())):
            self.assertEqual(keys_in_stub(name), list(given), name)


if __name__ == "__main__":
    unittest.main()
