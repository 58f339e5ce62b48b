#!/usr/bin/env python3
"""Runs nonsmooth-settle on a few spheres and reads its files and its report.
usage: settle_test.py PROGRAM FOLDER"""
import csv
import pathlib
import signal
import subprocess
import sys
import time

steps, tolerances = 150, ("1e-08", "0.0001")


def require(condition, what):
    if not condition:
        sys.exit(f"settle_test: {what}")


def rows_of(path):
    with open(path, newline="") as file:
        require(file.readline().startswith("# "), f"{path} has no head")
        return list(csv.DictReader(file))


def check_steps(folder):
    for tolerance in tolerances:
        rows = rows_of(folder / f"run-{tolerance}.csv")
        require([int(row["step"]) for row in rows] == list(range(1, steps + 1)), f"{tolerance}: steps are missing")
        require(all(row["certified"] == "1" and float(row["residual"]) <= float(tolerance) for row in rows),
                f"{tolerance}: a step is not certified")
        require(rows[0]["contacts"] == "0" and rows[0]["method"] == "none", f"{tolerance}: the first step has contacts")
        require(int(rows[-1]["contacts"]) > 20 and rows[-1]["method"] not in ("", "none"), f"{tolerance}: nothing has landed")


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    run = [program, "run", "--side", "3", "--height", "0.02", "--turn", "7"]
    files = [str(folder / f"run-{tolerance}.csv") for tolerance in tolerances]
    subprocess.run([*run, "--steps", str(steps), "--output", str(folder / "run")], check=True, stdout=subprocess.DEVNULL)
    check_steps(folder)

    # Half a line at the end, as a run that was killed leaves it, is passed over; the report has what both runs have.
    with open(files[0], "a") as file:
        file.write("151,0.1")
    report = subprocess.run([program, "report", *files], check=True, capture_output=True, text=True).stdout
    require(f"| 1e-08 | {steps} | {steps} (100.00 %) |" in report, "the summary lacks a line")
    require("| falling | 0.0001 |" in report and report.rstrip().endswith("None."), "the report lacks a part")

    # What is interrupted leaves whole lines.
    cut = folder / "cut-0.0001.csv"
    cut.unlink(missing_ok=True)
    process = subprocess.Popen([*run, "--steps", "1000000", "--output", str(folder / "cut")], stdout=subprocess.DEVNULL)
    while process.poll() is None and not (cut.exists() and len(cut.read_text().splitlines()) > 5):
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    require(process.wait(timeout=60) == 0, "an interrupted run fails")
    require(len(rows_of(cut)) > 3 and cut.read_text().endswith("\n"), "an interrupted run leaves no whole lines")
    require(subprocess.run([program, "report", program], capture_output=True).returncode == 2, "a program is no run")


main()
