#!/usr/bin/env python3
"""generate_box_stack.py BOXES > FILE: a stack of cubes on the ground, as a local friction problem in native JSON.

One time step h of rigid cubes of edge 1 m and mass 1 kg (inertia 1/6 about every axis), four contacts at the corners of every face between two cubes.
All fall with gravity; the cube in the middle was pushed along x and y. u = W r + q with W = H' M^-1 H. Four contacts for six degrees of freedom:
W is singular and the impulses are not unique.
"""
import json
import sys

step, gravity, mu = 0.01, 9.81, 0.4
mass, inertia = 1.0, 1.0 / 6.0
corners = [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)]
directions = [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]  # normal upwards, two tangents


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def contact_rows(boxes):
    """For each contact its three rows of H', as {body: (force, torque)}: velocity of the upper body minus that of the lower one."""
    for level in range(boxes):
        for x, y in corners:
            rows = []
            for d in directions:
                row = {level: (d, cross((x, y, -0.5), d))}
                if level > 0:
                    back = tuple(-c for c in d)
                    row[level - 1] = (back, cross((x, y, 0.5), back))
                rows.append(row)
            yield rows


def product(a, b):
    """One entry of H' M^-1 H."""
    return sum(sum(p * q for p, q in zip(a[k][0], b[k][0])) / mass + sum(p * q for p, q in zip(a[k][1], b[k][1])) / inertia
               for k in sorted(a.keys() & b.keys()))


def main():
    boxes = int(sys.argv[1])
    contacts = list(contact_rows(boxes))
    velocity = [[0.0, 0.0, -gravity * step] for _ in range(boxes)]
    velocity[boxes // 2][0], velocity[boxes // 2][1] = 0.3, 0.1
    start, index, values = [0], [], []
    for a in contacts:
        for k, b in enumerate(contacts):
            if a[0].keys() & b[0].keys():
                index.append(k)
                values += [product(a[i], b[j]) for j in range(3) for i in range(3)]
        start.append(len(index))
    q = [sum(sum(p * v for p, v in zip(row[k][0], velocity[k])) for k in row) for rows in contacts for row in rows]
    ends = [3 * (k + 1) for k in range(len(contacts))]
    json.dump({"format": "nonsmooth-problem", "version": 1, "class": "friction", "title": f"stack of {boxes} cubes",
               "description": "cubes of 1 m and 1 kg, four contacts per face, one cube pushed; generate_box_stack.py",
               "dimension": 3,
               "W": {"storage": "block_csr", "rows": len(q), "cols": len(q), "row_end": ends, "col_end": ends, "start": start,
                     "index": index, "values": [v + 0.0 for v in values]},
               "q": q, "mu": [mu] * len(contacts)}, sys.stdout)
    print()


if __name__ == "__main__":
    main()
