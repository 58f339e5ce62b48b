#!/usr/bin/env python3
"""Runs nonsmooth-kernel-steps: one line of figures, and refusals of what is no number. usage: kernel_steps_test.py PROGRAM FOLDER"""
import pathlib
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)
names = ("scene", "size", "steps", "method", "tolerance", "iterations", "threshold", "file")
good = dict(zip(names, ("beads", "3", "10", "-", "1e-8", "0", "0", str(folder / "positions"))))


def run(stdout=subprocess.PIPE, **changed):
    words = [{**good, **changed}[name] for name in names]
    return subprocess.run([program, *words], stdout=stdout, stderr=subprocess.PIPE, text=True)


def require(condition, what):
    if not condition:
        sys.exit(f"kernel_steps_test: {what}")


done = run()
figures = done.stdout.split()
require(done.returncode == 0 and len(figures) == 9 and figures[3] == "10", f"{done.stdout}{done.stderr}")
usage, bad_file = 3, 4  # exit codes
require((folder / "positions").stat().st_size == 3 * 10 * 8, "positions are missing")
for changed, message in (({"steps": "0"}, "'0' is no whole number from 1"), ({"steps": "-5"}, "'-5' is no whole number from 1"),
                         ({"steps": "many"}, "'many' is no number"), ({"size": "0"}, "'0' is no whole number from 1"),
                         ({"tolerance": "tight"}, "'tight' is no number"), ({"iterations": "1.5"}, "'1.5' is no whole number"),
                         ({"method": "none_such"}, 'no method "none_such"'),
                         ({"method": "block_gauss_seidel,check_interval=x"}, "'x' is no number"),
                         ({"method": ""}, "METHOD is empty"),
                         ({"scene": "none_such"}, "no scene is named none_such"), ({"tolerance": "-1"}, "tolerance")):
    done = run(**changed)
    require(done.returncode == usage and message in done.stderr and done.stdout == "", f"{changed}: {done.stdout}{done.stderr}")
with open("/dev/full", "w") as full:
    require(run(stdout=full).returncode == bad_file, "a line that cannot be written is no success")
done = run(file=str(folder / "no" / "such" / "positions"))
require(done.returncode == bad_file and "cannot write" in done.stderr, f"positions that cannot be written: {done.stderr}")
done = subprocess.run([program, "--help"], capture_output=True, text=True)
require(done.returncode == 0 and done.stdout.startswith("usage: ") and done.stderr == "", "--help is no help")
for words in ([], ["beads"], ["--help", "beads"]):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    require(done.returncode == usage and "usage: " in done.stderr and done.stdout == "", f"{words}: {done.stderr}")
