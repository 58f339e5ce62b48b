#!/usr/bin/env python3
"""Runs the micro benchmarks and compares them with the stored baseline.

Every time is divided by that of a calibration kernel, which each program measures between its benchmarks (repetitions in random order),
so that another load, or a machine that is faster in all, does not show. Of the repetitions the median counts. Their spread gives the
noise: what differs from the baseline by more is measured a second time, and only what differs in both is said to be slower or faster.
"""
import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import time

CALIBRATION = "calibration"
# One of these takes seconds.
LARGE = (r"sparse_lcp_.*/(1023x1023|1000000|100000)\b|kernel_.*/(beads/10000|beads/100000|lattice/33)/|impact_.*/1000$|"
         r"^(lcp|lemke|monotone)_benchmark.*/2000\b|monotone_.*/1000/2\b")
LEAST_CHANGE = 0.10  # what is smaller is nobody's concern
SIGMAS = 4


def median(values):
    return statistics.median(values)


def spread(values):
    """Standard deviation of the logarithms, from the median of their distances to the median."""
    centre = math.log(median(values))
    return 1.4826 * median([abs(math.log(x) - centre) for x in values])


def results_of(output, program):
    """From the JSON of one program: {program/benchmark: {"ratio", "spread", "seconds"}}. A benchmark that reports an error has no time."""
    unit = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    times, failed = {}, []
    for run in output["benchmarks"]:
        if run.get("run_type") == "aggregate":
            continue
        if run.get("error_occurred"):
            failed.append(run["name"])
        else:
            times.setdefault(run["name"], []).append(run["cpu_time"] * unit[run["time_unit"]])
    yardstick = times.pop(CALIBRATION)
    results = {}
    for name, values in times.items():
        if name not in failed:
            results[f"{program}/{name}"] = {"ratio": median(values) / median(yardstick), "seconds": median(values),
                                            "spread": math.hypot(spread(values), spread(yardstick))}
    return results, sorted(set(failed))


def noise(now, before):
    """The least change that is told from noise, as a difference of logarithms."""
    return max(math.log1p(LEAST_CHANGE), SIGMAS * math.hypot(now["spread"], before["spread"]))


def change(now, before):
    return math.log(now["ratio"] / before["ratio"])


def verdict(now, before, again=None):
    """again: a second measurement, which has to agree."""
    if before is None:
        return "new"
    if now is None:
        return "not run"
    changes = [change(one, before) for one in (now, again) if one]
    threshold = max(noise(one, before) for one in (now, again) if one)
    if min(changes) > threshold:
        return "slower"
    if max(changes) < -threshold:
        return "faster"
    return "same"


def natural(name):
    """For sorting: numbers by their value."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def seconds_text(seconds):
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * factor >= 0.9995:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def report(now, before, again, selected):
    """Lines of the table and of the summary."""
    lines, found = [], {}
    names = sorted(filter(selected, {**before, **now}), key=natural)
    width = max(map(len, names), default=0)
    lines.append(f"{'benchmark':<{width}}  {'baseline':>9}  {'now':>9}  {'ratio':>6}  {'noise':>6}  verdict")
    for name in names:
        one, old = now.get(name), before.get(name)
        said = verdict(one, old, again.get(name))
        found.setdefault(said, []).append(name)
        cells = [seconds_text(old["seconds"]) if old else "", seconds_text(one["seconds"]) if one else ""]
        cells += [f"{math.exp(change(one, old)):.2f}", f"{math.expm1(noise(one, old)):.0%}"] if one and old else ["", ""]
        lines.append(f"{name:<{width}}  {cells[0]:>9}  {cells[1]:>9}  {cells[2]:>6}  {cells[3]:>6}  {said if said != 'same' else ''}".rstrip())
    lines.append("")
    changes = [change(now[name], before[name]) for name in names if name in now and name in before]
    if changes:
        lines.append(f"{len(changes)} compared; ratio in the median {math.exp(median(changes)):.2f}")
    for said in ("slower", "faster"):
        lines.append(f"{said}: " + (str(len(found[said])) if said in found else "none"))
        for name in found.get(said, []):
            lines.append(f"  {name}  {math.exp(change(now[name], before[name])):.2f}, again "
                         f"{math.exp(change(again[name], before[name])):.2f}" if name in again
                         else f"  {name}  {math.exp(change(now[name], before[name])):.2f}")
    for said, text in (("new", "not in the baseline"), ("not run", "in the baseline, not measured")):
        if said in found:
            lines.append(f"{text}: " + ", ".join(found[said]))
    return lines


def updated(before, now, selected, known):
    """The baseline after a run: what was measured is replaced. Of what was selected, benchmarks that no program knows any more are
    gone; those that fail keep what they had."""
    kept = {name: one for name, one in before.items() if name in known or not selected(name)}
    merged = {**kept, **now}
    return {name: {key: float(f"{value:.4g}") for key, value in one.items()} for name, one in sorted(merged.items(), key=lambda item: natural(item[0]))}


def text_of(content):
    """JSON with a line for each benchmark."""
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in content["benchmarks"].items())
    return f'{{\n "machine": {json.dumps(content["machine"])},\n "benchmarks": {{\n{lines}\n }}\n}}\n'


class Runner:
    def __init__(self, folder, everything, only):
        self.folder, self.failed = folder, []
        self.large = None if everything else re.compile(LARGE)
        self.only = re.compile(only)
        self.known = set()  # all names that programs list

    def selected(self, name):
        return not (self.large and self.large.search(name)) and self.only.search(name) is not None

    def programs(self):
        return sorted(name for name in os.listdir(self.folder) if name.endswith("_benchmark"))

    def benchmarks(self, program):
        listed = subprocess.run([os.path.join(self.folder, program), "--benchmark_list_tests"], check=True, capture_output=True, text=True)
        return [name for name in listed.stdout.split("\n") if name and name != CALIBRATION]

    def run(self, program, names, repetitions, least_time):
        """Names: as in the results."""
        pattern = "|".join(re.escape(name).replace("\\-", "-").replace("\\/", "/") for name in names + [CALIBRATION])
        command = [os.path.join(self.folder, program), f"--benchmark_filter=^({pattern})$", f"--benchmark_repetitions={repetitions}",
                   f"--benchmark_min_time={least_time}", "--benchmark_enable_random_interleaving=true", "--benchmark_format=json"]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        results, failed = results_of(json.loads(done.stdout), program)
        self.failed += [f"{program}/{name}" for name in failed]
        return results

    def run_all(self, wanted, repetitions, least_time):
        results = {}
        for program in self.programs():
            listed = self.benchmarks(program)
            self.known.update(f"{program}/{name}" for name in listed)
            names = [name for name in listed if wanted(f"{program}/{name}")]
            if names:
                start = time.monotonic()
                results.update(self.run(program, names, repetitions, least_time))
                print(f"{program}: {len(names)} benchmarks, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
        return results


def machine_name():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def main():
    parser = argparse.ArgumentParser(description="Micro benchmarks, compared with the stored baseline by ratio to a calibration kernel.")
    parser.add_argument("folder", help="where the programs are")
    parser.add_argument("only", nargs="?", default="", help="regular expression that PROGRAM/BENCHMARK has to contain")
    parser.add_argument("--all", action="store_true", help="the large ones too, of which one takes seconds")
    parser.add_argument("--update", action="store_true", help="make what is measured the baseline")
    parser.add_argument("--baseline", default=os.path.join(os.path.dirname(__file__), "baseline.json"))
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--least-time", type=float, default=0.02, help="of a repetition, s")
    settings = parser.parse_args()
    runner = Runner(settings.folder, settings.all, settings.only)
    stored = json.load(open(settings.baseline, encoding="utf-8")) if os.path.exists(settings.baseline) else {}
    before = stored.get("benchmarks", {})
    now = runner.run_all(runner.selected, settings.repetitions, settings.least_time)
    again = {}
    if not settings.update:
        changed = {name for name in now if verdict(now[name], before.get(name)) in ("slower", "faster")}
        again = runner.run_all(changed.__contains__, settings.repetitions, settings.least_time) if changed else {}
    if stored and stored["machine"] != machine_name():
        print(f"The baseline is of another machine: {stored['machine']}")
    print("\n".join(report(now, before, again, runner.selected)))
    for name in runner.failed:
        print(f"fails: {name}")
    if settings.update:
        content = {"machine": machine_name(), "benchmarks": updated(before, now, runner.selected, runner.known)}
        with open(settings.baseline, "w", encoding="utf-8") as file:
            file.write(text_of(content))
        print(f"{settings.baseline}: {len(now)} of {len(content['benchmarks'])} renewed")
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
