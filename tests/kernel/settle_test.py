#!/usr/bin/env python3
"""Runs nonsmooth-settle on a few spheres and reads its files and its report.
usage: settle_test.py PROGRAM FOLDER"""
import csv
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

steps, tolerances = 150, ("1e-08", "0.0001")
usage, bad_file = 3, 4  # exit codes


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
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
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
    require_refusal([program, "report", program], f"{program} is no file of a settling run", code=bad_file)
    none = str(folder / "nofile")
    require_refusal([program, "report", none], f"{none}: cannot be read: No such file", code=bad_file)
    check_refusals(program, folder)
    check_medians(program, folder)
    check_going_on(program, folder)
    check_old_head(program, folder)
    check_full_disk(program, folder)


def require_refusal(command, *words, code=usage, **more):
    done = subprocess.run(command, capture_output=True, text=True, **more)
    require(done.returncode == code and all(word in done.stderr for word in words), f"{command[1:]}: {done.stderr}")


def copy_of(source, path, change):
    path.write_text(change(pathlib.Path(source).read_text()))
    return str(path)


# What is no number, lines that are missing and runs of different scenes are told, and the last report stays.
def check_refusals(program, folder):
    source, page = folder / "run-0.0001.csv", folder / "page.md"
    page.write_text("the last report")
    words = copy_of(source, folder / "words.csv", lambda text: text.replace("\n7,", "\n7,x", 1))
    gap = copy_of(source, folder / "gap.csv", lambda text: text.replace(text.splitlines(True)[8], "", 1))
    scene = copy_of(source, folder / "scene.csv", lambda text: text.replace(" 0.2 ", " 0.3 ", 1))
    require_refusal([program, "report", words], words, "line 9: 'x", "is no number", code=bad_file)
    require_refusal([program, "report", gap], gap, "line 9: step 8, where step 7 is due", code=bad_file)
    require_refusal([program, "report", str(source), scene, "--output", str(page)], scene, "of another scene", code=bad_file)
    require(page.read_text() == "the last report", "a report that cannot be made has replaced one")
    link = folder / "link.md"
    link.unlink(missing_ok=True)
    link.symlink_to(source.name)
    before = source.read_text()
    for output in (source, link):
        require_refusal([program, "report", str(source), "--output", str(output)], f"would replace the run {source}")
    require(source.read_text() == before, "a report has replaced its run")
    for old in folder.glob("refused*"):
        old.unlink()
    run = [program, "run", "--side", "2", "--steps", "1", "--output", str(folder / "refused")]
    require_refusal([*run, "--method", "auto,max_iterations=many"], "'many' is no number")
    require_refusal([*run, "--tolerance", "1e-4,1e-6,0.0001"], "two of the tolerances would write")
    # The first solve comes after hundreds of steps, and the files of the last run are gone by then.
    require_refusal([*run, "--method", "none_such"], 'no method "none_such"')
    require_refusal([*run, "--method", "auto,none_such=1"], "no option is named 'none_such'")
    for tolerance in ("-1", "nan", "2"):
        require_refusal([*run, f"--tolerance={tolerance}"], "tolerance")
    require_refusal([*run[:-1], ""], "'' is no name of a file")
    require_refusal([program, "report", str(source), "--output", ""], "'' is no name of a file")
    require_refusal([program, "report", str(source), "--output", str(folder / "no" / "such" / "page.md")], "page.md", code=bad_file)
    require_refusal([*run[:-1], str(folder / "no" / "such" / "run")], "run-1e-08.csv: No such file or directory", code=bad_file)
    require_refusal([program], "nonsmooth-settle: A subcommand is required (see `nonsmooth-settle --help`)")
    text = subprocess.run([program, "--help"], check=True, capture_output=True, text=True).stdout
    require("nonsmooth-settle [OPTIONS]" in text and "Exit codes:" in text, f"the help does not tell its name and its codes: {text}")
    require_refusal([*run, "--threshold", "nan"], "threshold")
    for option in ("--mu", "--height", "--time-step"):
        require_refusal([*run, option, "nan"], f"{option}: 'nan' is not a number from ")
    text = subprocess.run([program, "run", "--help"], check=True, capture_output=True, text=True).stdout
    require("--mu FLOAT=0.2" in text, f"the help does not tell the defaults: {text}")
    require(not list(folder.glob("refused*")), "a refused run has left a file")


# Four steps of 1, 2, 4 and 8 ms have the median 3.
def check_medians(program, folder):
    def of_four(text):
        lines = text.splitlines()[:6]
        rows = [line.split(",") for line in lines[2:]]
        for row, cpu in zip(rows, ("0.001", "0.002", "0.004", "0.008")):
            row[9] = cpu
        return "\n".join([*lines[:2], *(",".join(row) for row in rows), ""])

    four = copy_of(folder / "run-0.0001.csv", folder / "four.csv", of_four)
    report = subprocess.run([program, "report", four], check=True, capture_output=True, text=True).stdout
    require("| 0.0001 | 4 | 4 (100.00 %) | 3.00 | 3.75 |" in report, f"the median of four is another: {report}")


# A run goes on from its state; not as one of another scene, which would be told of all steps.
def check_going_on(program, folder):
    run = [program, "run", "--side", "2", "--height", "0.02", "--tolerance", "1e-4", "--output", str(folder / "on")]
    subprocess.run([*run, "--steps", "5"], check=True, stdout=subprocess.DEVNULL)
    before = (folder / "on-0.0001.csv").read_text()
    require_refusal([*run, "--steps", "9", "--resume", "--mu", "0.7"], "on-0.0001.csv begins with", "0.7")
    require_refusal([*run, "--steps", "9"], "on-0.0001.csv has 5 steps: --resume goes on from them, --overwrite replaces them")
    # Nor is another run begun before that is found.
    require_refusal([*run[:-3], "1e-2,1e-4", *run[-2:]], "on-0.0001.csv has 5 steps")
    require(not (folder / "on-0.01.csv").exists(), "a refused run has begun")
    for more in (["--method", "block_gauss_seidel"], ["--method", "auto,patience=3"], ["--iterations", "39999"]):
        require_refusal([*run, "--steps", "9", "--resume", *more], "on-0.0001.csv begins with", "40000 auto")
    require((folder / "on-0.0001.csv").read_text() == before, "a refused run has changed its file")
    subprocess.run([*run, "--steps", "9", "--resume"], check=True, stdout=subprocess.DEVNULL)
    after = (folder / "on-0.0001.csv").read_text()
    require(after.startswith(before) and len(after.splitlines()) == 11, "a run does not go on")
    for more in (["--overwrite"], ["--overwrite", "--resume"]):
        subprocess.run([*run, "--steps", "3", "--mu", "0.7", *more], check=True, stdout=subprocess.DEVNULL)
        require(len(rows_of(folder / "on-0.0001.csv")) == 3, "a run is not replaced")
    # Where nothing is there, there is nothing to go on from.
    begun = [*run[:-1], str(folder / "begun")]
    for count in (3, 5):
        subprocess.run([*begun, "--steps", str(count), "--resume"], check=True, stdout=subprocess.DEVNULL)
        require(len(rows_of(folder / "begun-0.0001.csv")) == count, "a run does not begin, or not go on, with --resume")
    copy_of(folder / "four.csv", folder / "foreign-0.0001.csv", lambda text: "a table of somebody's\n")
    require_refusal([*run[:-1], str(folder / "foreign")], "foreign-0.0001.csv is no file of a settling run", code=bad_file)


# Files whose head does not tell the method are still reported, but not gone on with: nobody knows as what.
def check_old_head(program, folder):
    old = copy_of(folder / "on-0.0001.csv", folder / "old-0.0001.csv", lambda text: text.replace(" 40000 auto\n", "\n", 1))
    report = subprocess.run([program, "report", old], check=True, capture_output=True, text=True).stdout
    require("a step, `auto`." in report, f"the report of an old file is another: {report}")
    shutil.copy(folder / "on-0.0001.state", folder / "old-0.0001.state")
    run = [program, "run", "--side", "2", "--height", "0.02", "--tolerance", "1e-4", "--output", str(folder / "old"), "--resume"]
    require_refusal(run, "old-0.0001.csv begins with", "40000 auto")
    other = copy_of(old, folder / "other.csv", lambda text: text.replace("\n", " 7 lemke,a=1\n", 1))
    report = subprocess.run([program, "report", old, other], check=True, capture_output=True, text=True).stdout
    require("a step, `auto`, `lemke,a=1`." in report, f"the methods are not told: {report}")


# Steps that cannot be written are no success.
def check_full_disk(program, folder):
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    require_refusal([program, "run", "--side", "1", "--steps", "50", "--tolerance", "1e-4", "--output", str(folder / "full")],
                    "cannot write", "full-0.0001.csv", code=bad_file, preexec_fn=small_files)


main()
