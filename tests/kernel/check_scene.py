#!/usr/bin/env python3
"""Runs example_sphere_pile with --vtk and --output, and compares the frames that ParaView would read with the rows of the CSV files.
usage: check_scene.py EXAMPLE FOLDER"""
import base64
import csv
import math
import pathlib
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

formats = {"Float32": "f", "Int32": "i", "Int64": "q"}
side, steps, radius, every = 3, 60, 0.1, 5


def require(condition, what):
    if not condition:
        sys.exit(f"check_scene: {what}")


def read_array(element):
    data = base64.b64decode(element.text)
    (size,) = struct.unpack_from("<Q", data)
    code = formats[element.get("type")]
    require(size == len(data) - 8, f"{element.get('Name')}: {len(data) - 8} bytes, {size} announced")
    values = struct.unpack_from(f"<{size // struct.calcsize(code)}{code}", data, 8)
    width = int(element.get("NumberOfComponents"))
    return [values[k:k + width] for k in range(0, len(values), width)]


def read_frame(path):
    root = ElementTree.parse(path).getroot()
    require(root.get("type") == "PolyData" and root.get("header_type") == "UInt64", f"{path}: another header")
    piece = root.find("PolyData/Piece")
    frame = {part: {a.get("Name"): read_array(a) for a in piece.findall(f"{part}/DataArray")}
             for part in ("PointData", "CellData", "Points", "Verts", "Polys")}
    points, vertices, polygons = (int(piece.get(f"NumberOf{what}")) for what in ("Points", "Verts", "Polys"))
    require(len(frame["Points"]["Points"]) == points, f"{path}: points")
    for name, rows in frame["PointData"].items():
        require(len(rows) == points, f"{path}: {name}")
    for name, rows in frame["CellData"].items():
        require(len(rows) == vertices + polygons, f"{path}: {name}")
    for part, count, length in (("Verts", vertices, 1), ("Polys", polygons, 3)):
        require([o for (o,) in frame[part]["offsets"]] == [length * (k + 1) for k in range(count)], f"{path}: offsets")
        require(all(0 <= i < points for (i,) in frame[part]["connectivity"]), f"{path}: connectivity")
    return frame


def close(a, b):
    return all(abs(x - y) <= 1e-5 * max(1.0, abs(y)) for x, y in zip(a, b, strict=True))


def check_bodies(frame, row):
    cells, points = frame["CellData"], frame["Points"]["Points"]
    bodies = [b for (b,) in cells["body"]]
    require(len(bodies) == 80 * side ** 3 + 2 and bodies.count(-1) == 2, "triangles of spheres and floor")
    triangles = [tuple(i for (i,) in frame["Polys"]["connectivity"][3 * k:3 * k + 3]) for k in range(len(bodies))]
    for number in range(side ** 3):
        own = [k for k in range(len(bodies)) if bodies[k] == number]
        corners = {i for k in own for i in triangles[k]}
        require(len(own) == 80 and len(corners) == 42, f"sphere {number}")
        centre = [sum(points[i][c] for i in corners) / 42 for c in range(3)]
        require(close(centre, [float(row[f"system{number}_q{c}"]) for c in range(3)]), f"centre of sphere {number}")
        require(all(abs(math.dist(points[i], centre) - radius) < 1e-5 for i in corners), f"radius of sphere {number}")
        require(close(cells["velocity"][own[0]], [float(row[f"system{number}_v{c}"]) for c in range(3)]), f"velocity of {number}")
        # Normals of a closed surface that point outwards.
        for a, b, c in (triangles[k] for k in own):
            u, v = ([points[j][x] - points[a][x] for x in range(3)] for j in (b, c))
            normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
            require(sum(n * (points[a][x] - centre[x]) for x, n in enumerate(normal)) > 0, "a triangle looks inwards")


def check_contacts(frame, rows):
    require(len(frame["Points"]["Points"]) == len(rows), f"{len(frame['Points']['Points'])} contacts, {len(rows)} in the CSV file")
    data = frame["PointData"]
    for k, row in enumerate(rows):
        require(data["interaction"][k] == (int(row["interaction"]),), "interaction")
        require(close(data["normal"][k], [float(row[c]) for c in ("nx", "ny", "nz")]), "normal")
        require(close(data["impulse"][k], [float(row[f"impulse_{c}"]) for c in "xyz"]), "impulse")
        require(close(data["gap"][k], [float(row["gap"])]), "gap")
        require(math.dist(frame["Points"]["Points"][k], [float(row[c]) for c in "xyz"]) < 0.02, "position")


# Options that are not there, or have no value, are told, not passed over.
def check_refusals(example):
    for words, message in ((["--side"], "--side has no value"), (["--sides", "2"], "--sides: no option; there are"),
                           (["--side", "few"], '--side: "few" is not a number'), (["--steps", "0"], "--steps: 0 is not a whole number"),
                           (["--side", "2", "--output", "no/such/pile.csv"], "no/such/pile.csv")):
        run = subprocess.run([example, *words], capture_output=True, text=True, check=False)
        require(run.returncode == 2 and message in run.stderr, f"{words}: {run.returncode} {run.stderr}")


def main():
    example, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    check_refusals(example)
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("pile*"):
        old.unlink()
    run = subprocess.run([example, "--side", str(side), "--steps", str(steps), "--vtk", folder / "pile", "--output", folder / "pile.csv"],
                         capture_output=True, text=True, check=False)
    require(run.returncode == 0, run.stdout + run.stderr)
    with open(folder / "pile.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    with open(folder / "pile_contacts.csv", newline="") as file:
        contacts = list(csv.DictReader(file))
    entries = ElementTree.parse(folder / "pile.pvd").getroot().findall("Collection/DataSet")
    require(len(rows) == steps and len(entries) == 2 * steps // every, f"{len(rows)} rows, {len(entries)} data sets")
    require(not list(folder.glob("*.part")), "an unfinished file is left")
    seen = 0
    for entry in entries:
        frame, time = read_frame(folder / entry.get("file")), entry.get("timestep")
        (row,) = (r for r in rows if float(r["t"]) == float(time))
        if entry.get("name") == "bodies":
            check_bodies(frame, row)
        else:
            own = [c for c in contacts if float(c["t"]) == float(time)]
            check_contacts(frame, own)
            seen += len(own)
    require(seen > 50, f"{seen} contacts in all frames")
    print(f"{len(entries)} files, {seen} contacts: all as in the CSV files")


if __name__ == "__main__":
    main()
