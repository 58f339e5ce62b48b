#!/usr/bin/env python3
"""Rules of the sources of numerics/ and kernel/, which no compiler checks.

- layers: a file includes only its own layer and those below it; the command and the Python module include only the public headers and
  their own files
- methods: frame < equations < sweeps < pivoting, newton < the methods by name < auto < solver; neither of two side by side includes the other
- extern "C" stands in capi (and in linalg/lapack.*, which declares Fortran routines)
- the library does not print, end the process, draw random numbers, touch the locale or signals, apart from `allowed_calls`
- the library has no writable variable of static storage, apart from those in `allowed_variables`
- kernel/cli includes the public headers of the kernel and its own files
- what stands in nameless namespaces has names of its own: sources are compiled twelve at a time, and which meet changes with every new file
- kernel/src: modeling < integrators < impacts < problems < simulation < events < io; one file includes the headers of the numerics; the same forbidden calls
"""
import pathlib
import re
import sys

import cpp_scan

layers = ["core", "linalg", "sets", "problems", "certificate", "methods", "io", "capi"]
# The folders of methods/; "" is methods/ itself, one file per method.
ranks_of_methods = {"frame": 0, "equations": 1, "sweeps": 2, "pivoting": 3, "newton": 3, "reflections": 3, "": 4, "auto": 5, "solver": 6}

# (file below src, pattern of the declaration, why)
allowed_variables = [
    ("core/error.cpp", r"\bthread_local (char message_buffer|int error_number)\b"),  # of the last failed call, per thread
    ("linalg/elimination_order.cpp", r"\bstd::mutex mutex\b"),  # METIS draws from the generator of the C library: one order at a time
    ("io/hdf5_series.cpp", r"\bstd::mutex \w+"),  # not every HDF5 is thread-safe: calls into it take turns
]

forbidden_calls = re.compile(
    r"(?<![\w.>])(?:std\s*::\s*|::\s*)?(exit|_exit|_Exit|quick_exit|abort|terminate|assert|printf|vprintf|puts|putchar|perror|rand|srand|"
    r"random|srandom|drand48|setlocale|system|gets|signal|sigaction)\s*\(")
# (file below src, call, why)
allowed_calls = [
    ("linalg/elimination_order.cpp", "sigaction"),  # METIS sets handlers: those of the program are put back
]
forbidden_streams = re.compile(r"\bstd\s*::\s*(cout|cerr|clog|cin|random_device|locale\s*::\s*global)\b|\b(stdout|stderr|stdin)\b")


def included(text):
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(1), match.group(2)


def check_library_includes(layer, text):
    for number, quote, path in included(text):
        folder = path.split("/")[0]
        if path == "nonsmooth/nonsmooth.hpp":
            yield number, "the library does not include its own C++ wrapper"
        elif folder in layers and layers.index(folder) > layers.index(layer):
            yield number, f"{layer} includes {path}: {folder} is a layer above"
        elif quote == '"' and folder not in layers and folder != "nonsmooth":
            yield number, f'"{path}" is neither LAYER/FILE nor a public header'


def folder_in_methods(path):
    """The folder of methods/ in which "methods/..." stands; None for a file of another layer."""
    *folders, _ = path.split("/")
    return "/".join(folders[1:]) if folders[:1] == ["methods"] else None


def check_method_includes(name, text):
    folder = folder_in_methods(name)
    if folder is None:
        return
    if folder not in ranks_of_methods:
        yield 1, f"methods/{folder} is no folder of the methods"
        return
    for number, _, path in included(text):
        other = folder_in_methods(path)
        if other in (None, folder) or path.endswith(".def"):
            continue
        if ranks_of_methods.get(other, 0) >= ranks_of_methods[folder]:
            yield number, f"methods/{folder} includes {path}: it is not below"


def check_command_includes(folder, text):
    for number, quote, path in included(text):
        if path.startswith("nonsmooth/") or (quote == '"' and (folder / path).is_file()):
            continue
        if quote == '"' or path.split("/")[0] in layers:
            yield number, f"{folder.name} includes {path}: only public headers and its own files are allowed"


def is_allowed(name, declaration):
    return any(name.startswith(prefix) and re.search(pattern, declaration) for prefix, pattern in allowed_variables)


def check_library_rules(layer, name, text):
    cleaned = cpp_scan.clean(text)
    no_comments = re.sub(r"//[^\n]*", "", text)
    for number, line in enumerate(no_comments.split("\n"), 1):
        if re.search(r'\bextern\s*"C"', line) and layer != "capi" and not name.startswith("linalg/lapack."):
            yield number, 'extern "C" outside capi'
    for number, line in enumerate(cleaned.split("\n"), 1):
        for match in list(forbidden_calls.finditer(line)) + list(forbidden_streams.finditer(line)):
            if (name, match.group(1)) in allowed_calls:
                continue
            yield number, f"'{match.group(0).strip()}' has no place in the library"
    for number, declaration in cpp_scan.writable_variables(cleaned):
        if not is_allowed(name, declaration):
            yield number, f"writable variable of static storage: {' '.join(declaration.split())[:80]}"


# What a source declares at the margin of its nameless namespaces: constants, types, functions with the types of their arguments.
nameless = re.compile(r"(?ms)^namespace \{\n(.*?)^\}  // namespace$")
nameless_constants = re.compile(r"(?m)^(?:constexpr|const) [^;]*;")
nameless_type = re.compile(r"(?m)^(?:struct|class|enum class) (\w+)")
nameless_function = re.compile(r"(?ms)^(?!return|else|for|if|struct|class|using)\w[\w:<>,*& ]*?[ *&](\w+)\(([^;{]*?)\)(?: const)?(?: noexcept)? \{")


def nameless_names(text):
    for region in nameless.findall(text):
        for declaration in nameless_constants.findall(region):
            yield from re.findall(r"(?<![.\w])(\w+)(?:\[\w*\])? = ", declaration)
        yield from nameless_type.findall(region)
        for name, parameters in nameless_function.findall(region):
            types = (re.sub(r" ?[*&]*\b\w+$", "", parameter.strip()) for parameter in re.split(r",(?![^<]*>)", parameters))
            yield f"{name}({', '.join(types)})"


def check_nameless(sources):
    owner = {}
    for path in sources:
        for name in sorted(set(nameless_names(path.read_text(encoding="utf-8")))):
            if owner.setdefault(name, path) != path:
                yield path, 1, f"{name} stands in a nameless namespace here and in {owner[name].name}"


def check_tree(numerics):
    for path in sorted(numerics.glob("src/**/*")):
        if path.suffix not in (".cpp", ".hpp", ".def", ".h", ".c"):
            continue
        layer = path.relative_to(numerics / "src").parts[0]
        text = path.read_text(encoding="utf-8")
        if layer not in layers:
            yield path, 1, f"{layer} is no layer"
            continue
        name = path.relative_to(numerics / "src").as_posix()
        for number, what in [*check_library_includes(layer, text), *check_method_includes(name, text), *check_library_rules(layer, name, text)]:
            yield path, number, what
    yield from check_nameless(path for path in sorted(numerics.glob("src/**/*.cpp"))
                              if "capi" not in path.parts and not path.name.startswith("coulomb_"))  # compiled alone
    for path in sorted([*numerics.glob("cli/*.[ch]pp"), *numerics.glob("python/*.[ch]pp")]):
        for number, what in check_command_includes(path.parent, path.read_text(encoding="utf-8")):
            yield path, number, what


# kernel/: folders see those before them; the stopwatch of the simulation is for all.
kernel_folders = ["modeling", "integrators", "impacts", "problems", "simulation", "events", "io"]
numerics_bridge = "problems/numerics_bridge.cpp"
kernel_shared_headers = ["simulation/stopwatch.hpp"]


def check_kernel_includes(folder, name, text):
    for number, quote, path in included(text):
        other = path.split("/")[0]
        if path.startswith("nonsmooth/") and not path.startswith("nonsmooth/kernel/") and name != numerics_bridge:
            yield number, f"{path}: only {numerics_bridge} includes headers of the numerics"
        elif quote == '"' and other not in kernel_folders and not path.startswith("nonsmooth/kernel/"):
            yield number, f'"{path}" is neither FOLDER/FILE nor a public header'
        elif other in kernel_folders and kernel_folders.index(other) > kernel_folders.index(folder) and path not in kernel_shared_headers:
            yield number, f"{folder} includes {path}: {other} is above"


def check_kernel(kernel):
    yield from check_nameless(sorted(kernel.glob("src/**/*.cpp")))
    for path in sorted([*kernel.glob("src/**/*.[ch]pp"), *kernel.glob("include/**/*.hpp")]):
        text = path.read_text(encoding="utf-8")
        cleaned = cpp_scan.clean(text)
        below_src = path.is_relative_to(kernel / "src")
        name = path.relative_to(kernel / ("src" if below_src else "include")).as_posix()
        folder = name.split("/")[0] if below_src else kernel_folders[0]
        for number, what in check_kernel_includes(folder, name, text):
            yield path, number, what
        for number, line in enumerate(cleaned.split("\n"), 1):
            for match in list(forbidden_calls.finditer(line)) + list(forbidden_streams.finditer(line)):
                yield path, number, f"'{match.group(0).strip()}' has no place in the library"
        for number, declaration in cpp_scan.writable_variables(cleaned):
            if is_allowed(name, declaration):
                continue
            yield path, number, f"writable variable of static storage: {' '.join(declaration.split())[:80]}"


def check_kernel_command(folder):
    for path in sorted(folder.glob("*.[ch]pp")):
        for number, quote, included_path in included(path.read_text(encoding="utf-8")):
            own = quote == '"' and (folder / included_path).is_file()
            if not own and (quote == '"' or (included_path.startswith("nonsmooth/") and not included_path.startswith("nonsmooth/kernel/"))):
                yield path, number, f"the command includes {included_path}: only public headers of the kernel and its own files are allowed"


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    problems = [*check_tree(root / "numerics"), *check_kernel(root / "kernel"), *check_kernel_command(root / "kernel" / "cli")]
    for path, number, what in problems:
        print(f"{path.relative_to(root)}:{number}: {what}")
    print(f"layers: {len(problems)} violations" if problems else "layers: all rules hold")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
