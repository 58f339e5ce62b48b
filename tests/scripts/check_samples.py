#!/usr/bin/env python3
"""check_samples.py ROOT BUILD WORK [PYTHON]: every code sample in README.md, CONTRIBUTING.md and docs/ is compiled and run as a reader would.

BUILD is installed into WORK/prefix; programs are compiled against it with pkg-config or CMake, commands run in a folder that has the
shipped problems as data/. By language of the fenced block:

  c, cpp      compiled and run; must exit with 0
  cmake       configured and built, in a folder beside the files that the page keeps
  sh          run by sh -e
  python      run by PYTHON, for which BUILD has the module; without PYTHON left out
  console     lines that begin with $ are run; what follows is compared with what they print, but for times
  xml, json   a model is simulated, a problem solved, a solution checked against the last problem of the page
  text        formulas, layouts, diagrams: not code

A comment above the block may say

  <!-- file: NAME -->         the block is kept under that name for the commands that follow
  <!-- around: CODE -->       what surrounds a fragment; a line of three dots stands for the block
  <!-- not run: REASON -->    for what needs root, another machine or minutes

Other languages, blocks without a language and indented blocks are errors.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

languages = ("c", "cpp", "cmake", "sh", "python", "console", "xml", "json", "text")
block_pattern = re.compile(r"(?ms)(?:^<!-- (file|around|not run):\s(.*?)\s?-->\n)?^```(\w*)\n(.*?)^```$")


class Sample:
    def __init__(self, page, line, language, directive, argument, code):
        self.page, self.line, self.language, self.directive, self.code = page, line, language, directive, code
        self.argument = argument
        if directive == "around":
            before, _, after = ("\n" + argument + "\n").partition("\n...\n")
            self.code = before + "\n" + code + after

    def __str__(self):
        return f"{self.page}:{self.line} ({self.language})"


def samples_of(page, text):
    for match in block_pattern.finditer(text):
        line = text.count("\n", 0, match.start(4))
        if match[3] not in languages:
            raise SystemExit(f"{page}:{line}: a block of code needs one of the languages {', '.join(languages)}")
        yield Sample(page, line, match[3], match[1], match[2], match[4])
    rest = block_pattern.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, (before, line) in enumerate(zip(rest.split("\n"), rest.split("\n")[1:]), 2):
        if not before.strip() and line.startswith("    ") and not re.match(r"\s+([-*]|\d+\.) ", line):
            raise SystemExit(f"{page}:{number}: an indented block; fence it and name its language")


class Failure(Exception):
    pass


class Reader:
    """Someone who has installed BUILD and tries what the pages say."""

    def __init__(self, root, build, work, python):
        self.root, self.work, self.python_command = root, work, python
        shutil.rmtree(work, ignore_errors=True)
        prefix = work / "prefix"
        self.environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        self.run(["cmake", "--install", str(build), "--prefix", str(prefix)], root)
        library = next(prefix.glob("lib/**/pkgconfig")).parent
        for name, value in (("PATH", prefix / "bin"), ("PKG_CONFIG_PATH", library / "pkgconfig"), ("LD_LIBRARY_PATH", library),
                            ("CMAKE_PREFIX_PATH", prefix)):
            self.environment[name] = f"{value}:{self.environment[name]}" if self.environment.get(name) else str(value)
        if python:
            self.environment["PYTHONPATH"] = str(next(prefix.glob("lib/python*/*/nonsmooth*.so")).parent)

    def run(self, command, folder):
        done = subprocess.run(command, cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
        if done.returncode != 0:
            raise Failure(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")
        return done.stdout

    def desk(self, page):
        """A new folder, in which the samples of a page are tried."""
        folder = self.work / re.sub(r"\W", "_", page)
        folder.mkdir()
        (folder / "data").symlink_to(self.root / "data")
        return folder

    def compile(self, sample, folder):
        c = sample.language == "c"
        source = folder / (sample.argument if sample.directive == "file" else f"{self.program(sample, folder).name}.{sample.language}")
        source.write_text(sample.code, encoding="utf-8")
        compiler = ["cc", "-std=c99", "-pedantic"] if c else ["c++", "-std=c++20"]
        warnings = ["-Wall", "-Wextra", "-Werror", "-Wno-misleading-indentation"]  # fragments keep the page's indentation
        package = "nonsmooth_kernel" if "nonsmooth/kernel/" in sample.code else "nonsmooth"
        flags = [flag.replace("-I", "-isystem", 1) if flag.startswith("-I") else flag
                 for flag in self.run(["pkg-config", "--cflags", "--libs", package], folder).split()]
        self.run([*compiler, *warnings, str(source), "-o", str(self.program(sample, folder)), *flags, "-lm"], folder)

    def program(self, sample, folder):
        return folder / f"sample_{sample.line}"

    def c(self, sample, folder):
        self.run([str(self.program(sample, folder))], folder)

    def cpp(self, sample, folder):
        self.run([str(self.program(sample, folder))], folder)

    def cmake(self, sample, folder):
        project = folder / f"project_{sample.line}"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(sample.code, encoding="utf-8")
        self.run(["cmake", "-S", str(project), "-B", str(project / "build")], folder)
        self.run(["cmake", "--build", str(project / "build")], folder)

    def sh(self, sample, folder):
        self.run(["sh", "-ec", sample.code], folder)

    def python(self, sample, folder):
        self.run([self.python_command, "-c", sample.code], folder)

    def console(self, sample, folder):
        for command, shown in re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", sample.code):
            printed = self.run(["sh", "-c", command], folder)
            if masked(printed) != masked(shown):
                raise Failure(f"$ {command}\nprints\n{printed}where the page shows\n{shown}")

    def json(self, sample, folder):
        data = json.loads(sample.code)
        if "Model" in data:
            return self.model(sample, folder, "json")
        path = folder / ("problem.json" if data["format"] == "nonsmooth-problem" else "solution.json")
        path.write_text(sample.code, encoding="utf-8")
        arguments = ["solve", "problem.json"] if path.name == "problem.json" else ["check", "problem.json", "solution.json"]
        return self.run(["nonsmooth", *arguments], folder)

    def xml(self, sample, folder):
        return self.model(sample, folder, "xml")

    def model(self, sample, folder, ending):
        (folder / f"model.{ending}").write_text(sample.code, encoding="utf-8")
        return self.run(["nonsmooth", "simulate", f"model.{ending}"], folder)

    def try_page(self, samples):
        """The failures. Programs are compiled first, one per processor; then everything runs in the order of the page."""
        if not samples:
            return []
        folder = self.desk(samples[0].page)
        programs = [sample for sample in samples if sample.language in ("c", "cpp")]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            failures = {sample: failure for sample, failure in zip(programs, pool.map(lambda p: self.attempt(self.compile, p, folder), programs))
                        if failure}
        for sample in samples:
            if sample not in failures and (failure := self.attempt(getattr(self, sample.language), sample, folder)):
                failures[sample] = failure
        return list(failures.values())

    def attempt(self, action, sample, folder):
        """What went wrong, if something did."""
        try:
            action(sample, folder)
            return None
        except (Failure, ValueError, subprocess.TimeoutExpired) as error:
            return f"{sample}: {error}"


def masked(output):
    """Output without what differs from run to run: times, and the number of blanks beside them."""
    times = re.sub(r"\b\d+(\.\d+)?(e[-+]?\d+)? ?(ns|us|ms|s)\b", "TIME", output)
    return [" ".join(line.split()) for line in times.strip().split("\n")]


def main(root, build, work, python=None):
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    texts = {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in pages}
    samples = {page: list(samples_of(page, text)) for page, text in texts.items()}
    reader = Reader(root, build, work, python)
    failures, run, left = [], 0, []
    for found in samples.values():
        skipped = ("text",) if python else ("text", "python")
        tried = [sample for sample in found if sample.language not in skipped and sample.directive != "not run"]
        failures += reader.try_page(tried)
        run += len(tried)
        left += [sample for sample in found if sample.directive == "not run"]
    print("\n".join([*failures, *(f"not run: {sample}: {sample.argument}" for sample in left)]))
    print(f"{run} samples run, {len(failures)} failed, {len(left)} not run")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:4]), *sys.argv[4:5]))
