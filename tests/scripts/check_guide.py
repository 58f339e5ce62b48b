#!/usr/bin/env python3
"""check_guide.py GUIDE PROGRAM: the guide shows PROGRAM, which the tests compile and run, line by line."""
import pathlib
import sys

guide, program = (pathlib.Path(name).read_text(encoding="utf-8") for name in sys.argv[1:3])
if f"```c\n{program}```\n" not in guide:
    sys.exit(f"{sys.argv[1]} does not show {sys.argv[2]} as it is")
