#!/usr/bin/env python3
"""measure_docs.py RUN.jsonl MEASURED.json: what the pages of methods say of success and speed, from the results of `nonsmooth bench`.

Per method and class, and per method in all: problems tried (those the method treats and that have an answer to give), how many were
answered rightly at each tolerance (a certified solution, or a verified proof that there is none), and the geometric mean of setup and
solve over those of the fastest method, at the tightest tolerance, over the problems that the method answered.
"""
import collections
import json
import math
import pathlib
import re
import sys


def read(path):
    """The last line of every problem, method and tolerance; no peers, no other build than the last one."""
    written = [json.loads(text) for text in pathlib.Path(path).read_text(encoding="utf-8").splitlines()]
    lines = {}
    for line in written:
        if "peer" not in line and "solver_of" not in line and line["build"] == written[-1]["build"]:
            lines[line["problem"], line["method"], line["tolerance"]] = line
    return lines.values()


def answered(line):
    return line["certified"] or (line["outcome"] == "infeasible" and line["answer"] == "infeasible")


def seconds(line):
    return line["phases"]["setup"] + line["phases"]["solve"]


def summary(lines, fastest, tolerances):
    """Of one method on some problems."""
    ratios = [seconds(line) / fastest[line["problem"]] for line in lines if line["tolerance"] == tolerances[-1] and answered(line)]
    ratio = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None
    return {"tried": len({line["problem"] for line in lines}),
            "answered": [sum(answered(line) for line in lines if line["tolerance"] == tolerance) for tolerance in tolerances],
            "ratio": ratio and float(f"{ratio:.3g}")}


def measured(lines):
    unsolvable = {line["problem"] for line in lines if line["answer"] == "unsolvable"}  # and no proof of it: there is no answer to give
    lines = [line for line in lines if line["outcome"] != "unsupported" and line["problem"] not in unsolvable]
    tolerances = sorted({line["tolerance"] for line in lines}, reverse=True)
    fastest = {}
    for line in lines:
        if line["tolerance"] == tolerances[-1] and answered(line):
            fastest[line["problem"]] = min(seconds(line), fastest.get(line["problem"], math.inf))
    groups = collections.defaultdict(list)
    for line in lines:
        groups[line["method"], "all"].append(line)
        groups[line["method"], line["class"]].append(line)
    methods = collections.defaultdict(dict)
    for (method, problem_class), group in groups.items():
        methods[method][problem_class] = summary(group, fastest, tolerances)
    one = {key: ", ".join(sorted({f"{line[key]:g}" if key == "time_limit" else line[key] for line in lines}))
           for key in ("version", "machine", "time_limit")}
    return {**one, "problems": len({line["problem"] for line in lines}), "unsolvable": len(unsolvable), "tolerances": tolerances,
            "methods": methods}


if __name__ == "__main__":
    run, output = sys.argv[1:]
    text = json.dumps(measured(read(run)), indent=1, sort_keys=True)
    # One line for each method and class.
    text = re.sub(r"\{\s+(\"answered\"[^}]*)\}", lambda match: "{" + re.sub(r"\s+", " ", match[1]).strip() + "}", text)
    pathlib.Path(output).write_text(text + "\n", encoding="utf-8")
