#!/usr/bin/env python3
"""Checks of the files of nonsmooth bench and nonsmooth compare: lines.py CHECK FILE ARGUMENTS..."""
import json
import sys
import xml.etree.ElementTree


def read(path):
    """The whole lines; half a line, of a process that was killed, is passed over."""
    for line in open(path, encoding="utf-8"):
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            print("half a line in", path)


def key(line):
    return line["problem"], line["class"], line["method"], line["tolerance"]


def whole(path):
    """Every line has every field."""
    fields = {"problem", "class", "hash", "size", "family", "answer", "method", "tolerance", "time_limit", "outcome", "certified",
              "residual", "iterations", "finished_by", "phases", "calibration", "peak_memory", "version", "build", "machine"}
    for line in read(path):
        assert fields <= line.keys(), fields - line.keys()
        assert line["phases"].keys() == {"read", "setup", "solve"}, line
        assert line["peak_memory"] > 0 and line["calibration"] > 0, line
        assert line["outcome"] in ("converged", "infeasible"), line
        assert line["outcome"] == "infeasible" or line["residual"] <= line["tolerance"], line
        assert line["answer"] == ("infeasible" if line["outcome"] == "infeasible" else "solvable"), line


def same(path, other):
    """Both hold the same solves, each once."""
    first, second = [[key(line) for line in read(file)] for file in (path, other)]
    assert len(first) == len(set(first)), "twice in the first"
    twice = {k for k in second if second.count(k) > 1}
    assert not twice, f"twice in the second: {twice}"
    assert set(first) == set(second), set(first) ^ set(second)


def problems(path, *expected):
    found = {line["problem"] + " " + line["class"] for line in read(path)}
    assert found == set(expected), found


def outcomes(path, *expected):
    """At every tolerance, apart from the single solvers of a peer."""
    found = {}
    for line in read(path):
        if "solver_of" not in line:
            found.setdefault(line["method"] + " " + line["outcome"], set()).add(line["tolerance"])
            print(line["method"], line["outcome"], line.get("detail", ""))
    assert found.keys() == set(expected), found
    assert all(len(tolerances) == 2 for tolerances in found.values()), found


def html(path, plots=3, tables=6):
    """Well-formed, nothing from elsewhere, and every part there."""
    text = open(path, encoding="utf-8").read()
    root = xml.etree.ElementTree.fromstring(text.replace("<!DOCTYPE html>", ""))
    names = [element.tag.rsplit("}")[-1] for element in root.iter()]
    assert names.count("svg") >= int(plots) and names.count("table") >= int(tables), names
    for element in root.iter():
        for attribute in ("src", "href"):
            assert attribute not in element.attrib, element.attrib
    for table in root.iter("{http://www.w3.org/1999/xhtml}table"):
        rows = [list(row) for row in table.iter("{http://www.w3.org/1999/xhtml}tr")]
        assert len({len(row) for row in rows}) == 1, "rows of different length"
    assert "url(" not in text and "@import" not in text


def svg(path):
    """A picture of its own: well-formed, with its style, nothing from elsewhere, no number that is none."""
    text = open(path, encoding="utf-8").read()
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag.endswith("}svg") and "<style>" in text and "<path" in text, text[:500]
    assert "nan" not in text and "inf" not in text and "href" not in text and "url(" not in text


def worsen(path, out):
    """The same run, but auto no longer solves one problem at 1e-8."""
    with open(out, "w", encoding="utf-8") as file:
        for line in read(path):
            if key(line) == ("lcp_murty_16.json", "lcp", "auto", 1e-8):
                line.update(outcome="stalled", certified=False, residual=1e-3)
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    {check.__name__: check for check in (whole, same, problems, outcomes, html, svg, worsen)}[sys.argv[1]](*sys.argv[2:])
