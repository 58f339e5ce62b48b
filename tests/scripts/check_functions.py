#!/usr/bin/env python3
"""Lengths: files over 600 lines fail, functions over 60 lines are listed."""
import pathlib
import sys

import cpp_scan

file_limit, function_limit = 600, 60


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    too_long = listed = 0
    for path in sorted([*(root / "numerics").glob("**/*"), *(root / "kernel").glob("**/*")]):
        if path.suffix not in (".cpp", ".hpp", ".h", ".c"):
            continue
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        if lines > file_limit:
            too_long += 1
            print(f"{path.relative_to(root)}: {lines} lines, {file_limit} are allowed")
        for name, first, last in cpp_scan.functions(cpp_scan.clean(text)):
            if last - first + 1 > function_limit:
                listed += 1
                print(f"{path.relative_to(root)}:{first}: warning: {name} has {last - first + 1} lines")
    print(f"lengths: {too_long} files over {file_limit} lines, {listed} functions over {function_limit}")
    return 1 if too_long else 0


if __name__ == "__main__":
    sys.exit(main())
