#!/usr/bin/env python3
"""Writes malformed problem files and expected.tsv (file, class or '-', status, fragment of the message) into a folder.

Usage: malformed.py FOLDER. Read back by malformed_test.cpp. HDF5 files are made by malformed_hdf5.cpp.
"""

import json
import pathlib
import sys

VERSION = "CSparse Version 3.1.9, May 4, 2016.  Copyright (c) Timothy A. Davis, 2006-2016\n"

cases = []  # (name, bytes, class or None, status, fragment)


def add(name, text, problem_class, status, fragment):
    data = text if isinstance(text, bytes) else text.encode()
    cases.append((name, data, problem_class, status, fragment))


def dense(n, values=None):
    values = values or [1.0 if i % (n + 1) == 0 else 0.0 for i in range(n * n)]
    return f"0\n{n}\n{n}\n{n} {n}\n" + " ".join(map(str, values)) + "\n"


def numbers(*values):
    return " ".join(map(str, values)) + "\n"


def sparse(origin, entries, n=2):
    return f"2\n{n}\n{n}\n{origin}\n{VERSION}{entries}"


def triplet(count, lines, nzmax=None):
    return f"triplet: 2-by-2, nzmax: {count if nzmax is None else nzmax} nnz: {count}\n{lines}"


def blocks(count=2, rows=1, cols=2, row_ends="2", col_ends="1 2", filled1=2, filled2=2, index1="0 2", index2="0 1",
           body="0\n1 2\n1\n3 4\n"):
    return f"1\n2\n2\n{count}\n{rows}\n{cols}\n{row_ends}\n{col_ends}\n{filled1}\n{filled2}\n{index1}\n{index2}\n{body}"


def lcp(matrix, q="-1 -1\n", n=2):
    return f"{n}\n{matrix}{q}"


def text_without_a_class():
    add("empty.dat", "", None, "bad_file", "empty")
    add("blank.dat", " \n\t\r\n", None, "bad_file", "empty")
    add("empty_as_lcp.dat", "", "lcp", "bad_file", "empty")
    add("words.dat", "this is not a problem\n", None, "unknown_format", "neither HDF5, JSON")
    add("zeros.dat", bytes(64), None, "unknown_format", "neither HDF5, JSON")
    add("binary.dat", bytes(range(128, 256)) * 4, None, "unknown_format", "neither HDF5, JSON")
    add("real_first.dat", "1.5 2 3\n", None, "unknown_format", "neither HDF5, JSON")
    add("year.dat", "2023 was a good year\n", None, "unknown_format", "neither HDF5, JSON")
    add("words_as_lcp.dat", "this is not a problem\n", "lcp", "bad_file", "n: 'this' is not an integer")
    add("one_number.dat", "7\n", None, "bad_file", "file ends")
    add("many_numbers.dat", numbers(*range(100, 200)), None, "bad_file", "is none of 0 dense")
    add("csv.dat", "1,2,3\n4,5,6\n", None, "unknown_format", "neither HDF5, JSON")
    add("friction_or_rolling.dat", "3\n1\n" + dense(3) + "-1 0 0\n0.1\n1\n", None, "ambiguous", "friction and rolling")
    add("global_or_rolling.dat", "3\n1\n" + dense(3) + dense(3) + "-1 0 0\n0 0 0\n0.1\n1\n", None, "ambiguous",
        "global_friction and global_rolling")


def lcp_sizes_and_values():
    add("lcp_zero.dat", "0\n0\n0\n0\n0 0\n", "lcp", "bad_file", "n: 0 is outside")
    add("lcp_negative.dat", "-2\n" + dense(2) + "-1 -1\n", "lcp", "bad_file", "n: -2 is outside")
    add("lcp_overflow.dat", "4294967298\n" + dense(2) + "-1 -1\n", "lcp", "bad_file", "4294967298 is outside")
    add("lcp_wider.dat", lcp(dense(2), n=3), "lcp", "bad_file", "the matrix is 2 x 2")
    add("lcp_storage.dat", lcp("9\n2\n2\n"), "lcp", "bad_file", "storage type 9 is none of 0 dense, 1 block, 2 sparse")
    add("lcp_storage_negative.dat", lcp("-1\n2\n2\n"), "lcp", "bad_file", "storage type -1 is none of")
    add("lcp_storage_real.dat", lcp("0.5\n2\n2\n"), "lcp", "bad_file", "'0.5' is not an integer")
    add("lcp_size_twice.dat", lcp("0\n2\n2\n2 3\n1 0 0 1\n"), "lcp", "bad_file", "sizes 2 x 2 and then 2 x 3")
    add("lcp_rectangular.dat", lcp("0\n2\n3\n2 3\n1 0 0 1 0 0\n"), "lcp", "bad_file", "the matrix is 2 x 3")
    add("lcp_size_negative.dat", lcp("0\n2\n-2\n"), "lcp", "bad_file", "M: -2 is outside")
    add("lcp_huge.dat", "2000000000\n0\n2000000000\n2000000000\n2000000000 2000000000\n1\n", "lcp", "bad_file",
        "size 2000000000 announced")
    add("lcp_huge_values.dat", "8\n0\n8\n8\n8 8\n1 2 3\n", "lcp", "bad_file", "64 more numbers expected")
    add("lcp_no_sizes.dat", "2\n0\n", "lcp", "bad_file", "M: the file ends")
    add("lcp_no_q.dat", "2\n" + dense(2), "lcp", "bad_file", "q: 2 more numbers expected")
    add("lcp_short_q.dat", lcp(dense(2), "-1"), "lcp", "bad_file", "q: 2 more numbers expected")
    add("lcp_cut_number.dat", lcp(dense(2), "-1 -1.5e"), "lcp", "bad_file", "q[1]: '-1.5e' is not a number")
    add("lcp_word.dat", lcp(dense(2), "-1 one\n"), "lcp", "bad_file", "q[1]: 'one' is not a number")
    add("lcp_comma.dat", lcp(dense(2), "-1, -1\n"), "lcp", "bad_file", "q[0]: '-1,' is not a number")
    add("lcp_long_q.dat", lcp(dense(2), "-1 -1 -1\n"), "lcp", "bad_file", "'-1' follows the last field")
    add("lcp_remark_in_line.dat", lcp(dense(2), "-1 -1 remark\n"), "lcp", "bad_file", "'remark' follows")
    add("lcp_nan.dat", lcp(dense(2), "-1 nan\n"), "lcp", "not_finite", "q[1] is nan")
    add("lcp_inf.dat", lcp(dense(2), "-inf 0\n"), "lcp", "not_finite", "q[0] is -inf")
    add("lcp_1e999.dat", lcp(dense(2, [1, 0, 0, "1e999"])), "lcp", "not_finite", "M(1, 1) is inf")
    add("lcp_nan_detected.dat", lcp(dense(2, [1, "NaN", 0, 1])), None, "not_finite", "M(1, 0) is nan")
    add("lcp_hexadecimal.dat", lcp(dense(2), "0x10 0\n"), "lcp", "bad_file", "'0x10' is not a number")
    add("lcp_two_signs.dat", lcp(dense(2), "+-1 0\n"), "lcp", "bad_file", "'+-1' is not a number")
    add("lcp_control.dat", lcp(dense(2), "-1 \x1b[31m\n"), "lcp", "bad_file", "'?[31m' is not a number")
    add("lcp_as_relay.dat", lcp(dense(2)), "relay", "bad_file", "lo: 2 more numbers expected")
    add("lcp_as_friction.dat", lcp(dense(2)), "friction", "bad_file", "as friction")


def sparse_matrices():
    def bad(name, origin, entries, status, fragment):
        add(f"sparse_{name}.dat", lcp(sparse(origin, entries)), "lcp", status, fragment)

    bad("origin", 7, "", "bad_file", "sparse origin): 7 is outside 1 .. 4")
    bad("header", 1, "two by two\n", "bad_file", "the sparse header is not of the form")
    bad("no_nnz", 1, "triplet: 2-by-2, nzmax: 3\n", "bad_file", "the sparse header is not of the form")
    bad("sizes", 1, "triplet: 3-by-2, nzmax: 1 nnz: 1\n0 0 : 1\n", "bad_file", "sizes 2 x 2 and then 3-by-2")
    bad("negative_nnz", 1, triplet(-1, "", 3), "bad_file", "nnz -1 is outside")
    bad("nnz_beyond_nzmax", 1, triplet(3, "0 0 : 1\n0 1 : 1\n1 1 : 1\n", 2), "bad_file", "nnz 3 is outside 0 .. nzmax = 2")
    bad("huge_nnz", 1, triplet(2000000000, "0 0 : 1\n"), "bad_file", "2000000000 more numbers expected")
    bad("overflowing_nnz", 1, triplet(99999999999999999999, "0 0 : 1\n"), "bad_file", "more numbers expected")
    bad("row", 1, triplet(1, "2 0 : 1\n"), "invalid_structure", "row 2 is outside 0 .. 1")
    bad("negative_row", 1, triplet(1, "-1 0 : 1\n"), "invalid_structure", "row -1 is outside 0 .. 1")
    bad("column", 1, triplet(1, "0 5 : 1\n"), "invalid_structure", "column 5 is outside 0 .. 1")
    bad("twice", 1, triplet(2, "0 0 : 1\n0 0 : 2\n"), "invalid_structure", "M")
    bad("colon", 1, triplet(1, "0 0 1\n"), "bad_file", "stands where ':' is expected")
    bad("rounded_index", 1, triplet(1, "1e+06 0 : 1\n"), "bad_file", "'1e+06' is not an integer")
    bad("fewer", 1, triplet(3, "0 0 : 1\n1 1 : 1\n"), "invalid_structure", "row -1 is outside 0 .. 1")
    bad("nan", 1, triplet(1, "0 1 : nan\n"), "not_finite", "M(0, 1) is nan")
    bad("half_both", 4, triplet(2, "0 1 : 1\n1 0 : 1\n"), "invalid_structure", "M")
    columns = "2-by-2, nzmax: 2 nnz: 2, 1-norm: 1\n"
    bad("col_number", 2, columns + " col 0 : locations 0 to 0\n 0 : 1\n col 2 : locations 1 to 1\n 1 : 1\n", "bad_file",
        "2 is outside 1 .. 1")
    bad("col_word", 2, columns + " row 0 : locations 0 to 0\n 0 : 1\n", "bad_file", "'row' stands where 'col' is expected")
    bad("col_gap", 2, columns + " col 0 : locations 0 to 0\n 0 : 1\n col 1 : locations 2 to 2\n 1 : 1\n", "bad_file",
        "2 is outside 1 .. 1")
    bad("col_beyond", 2, columns + " col 0 : locations 0 to 5\n 0 : 1\n", "bad_file", "5 is outside -1 .. 1")
    bad("col_missing", 2, columns + " col 0 : locations 0 to 0\n 0 : 1\n", "bad_file", "stands where 'col' is expected")
    bad("col_short", 2, columns + " col 0 : locations 0 to 0\n 0 : 1\n col 1 : locations 1 to 0\n", "bad_file",
        "nnz 2 announced, 1 entries found")
    bad("col_twice", 2, columns + " col 0 : locations 0 to 1\n 0 : 1\n 0 : 2\n col 1 : locations 2 to 1\n", "invalid_structure",
        "M")
    bad("col_index", 2, columns + " col 0 : locations 0 to 0\n 0 : 1\n col 1 : locations 1 to 1\n 9 : 1\n", "invalid_structure",
        "row 9 is outside 0 .. 1")
    bad("row_index", 3, columns + " row 0 : locations 0 to 0\n 0 : 1\n row 1 : locations 1 to 1\n -3 : 1\n",
        "invalid_structure", "column -3 is outside 0 .. 1")
    add("sparse_half_rectangular.dat", "2\n2\n2\n3\n4\n" + VERSION + "triplet: 2-by-3, nzmax: 0 nnz: 0\n-1 -1\n", "lcp",
        "bad_file", "which is not square")


def block_matrices():
    def bad(name, status, fragment, **changes):
        add(f"blocks_{name}.dat", lcp(blocks(**changes)), "lcp", status, fragment)

    bad("negative_count", "bad_file", "M (blocks): -1 is outside", count=-1)
    bad("count", "bad_file", "M (filled2): 2 is outside 3 .. 3", count=3)
    bad("too_many_rows", "bad_file", "M (block rows): 3 is outside 0 .. 2", rows=3)
    bad("row_end_short", "bad_file", "the last end is 1, the matrix has 2", row_ends="1")
    bad("row_end_long", "bad_file", "M (row ends)[0]: 3 is outside 1 .. 2", row_ends="3")
    bad("col_end_order", "bad_file", "M (column ends)[1]: 1 is outside 3 .. 2", col_ends="2 1")
    bad("col_end_zero", "bad_file", "M (column ends)[0]: 0 is outside 1 .. 2", col_ends="0 2")
    bad("filled1_zero", "bad_file", "M (filled1): 0 is outside 1 .. 2", filled1=0)
    bad("filled1_long", "bad_file", "M (filled1): 3 is outside 1 .. 2", filled1=3)
    bad("index1_start", "bad_file", "M (index1)[0]: 1 is outside 0 .. 0", index1="1 2")
    bad("index1_end", "bad_file", "the last entry is 1, the matrix has 2 blocks", index1="0 1")
    bad("index1_beyond", "bad_file", "M (index1)[1]: 3 is outside 0 .. 2", index1="0 3")
    bad("index2", "bad_file", "M (index2)[1]: 2 is outside 0 .. 1", index2="0 2")
    bad("index2_negative", "bad_file", "M (index2)[0]: -1 is outside 0 .. 1", index2="-1 1")
    bad("twice", "invalid_structure", "stands twice in block row 0", index2="1 1")
    bad("number", "bad_file", "M (block number): 5 is outside 1 .. 1", body="0\n1 2\n5\n3 4\n")
    bad("huge", "bad_file", "more numbers expected", count=2000000000, filled2=2000000000, index1="0 2000000000")
    bad("nan", "not_finite", "M(1, 1) is nan", body="0\n1 2\n1\n3 nan\n")


def other_classes():
    q2, system = "-1 -1\n", "2\n" + dense(2) + "-1 -1\n"
    add("relay_nan.dat", system + "-1 nan\n1 1\n", "relay", "not_finite", "lo[1] is nan")
    add("relay_order.dat", system + "2 -1\n1 1\n", "relay", "invalid_value", "lo[0] = 2 exceeds hi[0] = 1")
    add("relay_lo_infinite.dat", system + "inf -1\ninf 1\n", "relay", "invalid_value", "lo[0] is +infinity")
    add("relay_no_hi.dat", system + "-1 -1\n", "relay", "bad_file", "hi: 2 more numbers expected")
    add("relay_long.dat", system + "-1 -1 1 1 3\n", "relay", "bad_file", "'3' follows the last field")
    add("avi_no_set.dat", system, "avi", "bad_file", "does not state the set")
    add("avi_rows.dat", system + "-1 -1 1 1\n1\n" + dense(2) + "0 0\n", "avi", "bad_file", "H: the matrix is 2 x 2")
    add("avi_no_k.dat", system + "-1 -1 1 1\n2\n" + dense(2), "avi", "bad_file", "k: 2 more numbers expected")
    add("avi_m_negative.dat", system + "-1 -1 1 1\n-1\n", "avi", "bad_file", "m: -1 is outside")
    whole = "1\n0\n1\n1\n0 1 2\n0 1\n" + dense(2) + q2
    add("mlcp_flags.dat", "0\n0\n1\n1\n", "mlcp", "bad_file", "st1 and st2 are 0")
    add("mlcp_flag_2.dat", "2\n0\n1\n1\n", "mlcp", "bad_file", "as mlcp")
    add("mlcp_empty.dat", "1\n0\n0\n0\n", "mlcp", "bad_file", "no unknowns")
    add("mlcp_negative.dat", whole.replace("1\n1\n0 1", "-1\n3\n0 1", 1), "mlcp", "bad_file", "n: -1 is outside")
    add("mlcp_kind.dat", whole.replace("0 1\n0\n2", "0 2\n0\n2"), "mlcp", "bad_file", "blocksIsComp[1]: 2 is outside 0 .. 1")
    add("mlcp_kinds.dat", whole.replace("0 1\n0\n2", "1 1\n0\n2"), "mlcp", "bad_file", "0 rows of equality, n = 1")
    add("mlcp_rows_start.dat", whole.replace("0 1 2", "1 1 2"), "mlcp", "bad_file", "blocksRows[0]: 1 is outside 0 .. 0")
    add("mlcp_rows_order.dat", whole.replace("0 1 2", "0 0 2"), "mlcp", "bad_file", "blocksRows[1]: 0 is outside 1 .. 2")
    add("mlcp_rows_beyond.dat", whole.replace("0 1 2", "0 1 3"), "mlcp", "bad_file", "blocksRows[2]: 3 is outside 2 .. 2")
    add("mlcp_rectangular.dat", whole.replace("0\n2\n2\n2 2\n1.0 0.0 0.0 1.0", "0\n3\n2\n3 2\n1 0 0 1 0 0"), "mlcp", "bad_file",
        "the matrix is 3 x 2")
    add("mlcp_parts_missing.dat", whole.replace("1\n0\n", "1\n1\n", 1), "mlcp", "bad_file", "A: 1 more number expected")
    add("mlcp_old_rows.dat", "1 2 4\n1 2 3 4\n-1 -1 -1\n", "mlcp", "bad_file", "M is not square")
    contact = "3\n1\n" + dense(3) + "-1 0 0\n"
    add("friction_mu.dat", contact + "-0.5\n", "friction", "invalid_value", "mu[0] = -0.5 is negative")
    add("friction_mu_nan.dat", contact + "nan\n", "friction", "not_finite", "mu[0] is nan")
    add("friction_no_mu.dat", contact, "friction", "bad_file", "mu: 1 more number expected")
    add("friction_dimension.dat", contact.replace("3", "4", 1) + "0.5\n", "friction", "bad_file",
        "dimension: 4 is outside 2 .. 3")
    add("friction_contacts.dat", contact.replace("1", "2", 1) + "0.5 0.5\n", "friction", "bad_file", "ask for 6 x 6")
    add("friction_many_contacts.dat", contact.replace("1", "2147483647", 1) + "0.5\n", "friction", "bad_file",
        "ask for 6442450941 x 6442450941")
    add("friction_no_contacts.dat", contact.replace("1", "0", 1), "friction", "bad_file", "number of contacts: 0 is outside 1")
    add("friction_flag.dat", contact + "0.5\n2\n", "friction", "bad_file", "'2' follows the last field")
    add("friction_two_flags.dat", contact + "0.5\n1\n1\n", "friction", "bad_file", "'1' follows the last field")
    add("rolling_dimension.dat", contact.replace("3", "4", 1) + "0.5\n0.1\n", "rolling", "bad_file", "4 is neither 3 nor 5")
    add("rolling_mu_r.dat", contact + "0.5\n-0.1\n", "rolling", "invalid_value", "mu_r[0] = -0.1 is negative")
    add("rolling_no_mu_r.dat", contact + "0.5\n", "rolling", "bad_file", "mu_r: 1 more number expected")
    H = "0\n2\n3\n2 3\n1 0 0 1 0 0\n"
    world = "3\n1\n" + dense(2) + H + "-1 -1\n0 0 0\n"
    add("global_mu.dat", world + "-1\n", "global_friction", "invalid_value", "mu[0] = -1 is negative")
    add("global_rows.dat", world.replace("0\n2\n3\n2 3", "0\n3\n2\n3 2") + "0.5\n", "global_friction", "bad_file",
        "H: the matrix is 3 x 2")
    add("global_M.dat", "3\n1\n" + H, "global_friction", "bad_file", "the matrix is 2 x 3: not square")
    add("global_M_empty.dat", "3\n0\n0\n0\n0\n0 0\n0\n0\n0\n0 0\n", "global_friction", "bad_file", "not square or empty")
    add("global_short.dat", world, "global_friction", "bad_file", "mu: 1 more number expected")
    add("global_rolling_short.dat", world + "0.5\n", "global_rolling", "bad_file", "mu_r: 1 more number expected")
    generic = blocks(count=2, rows=2, cols=2, row_ends="1 2", filled1=3, index1="0 1 2", body="0\n1\n1\n1\n") + q2
    add("generic_type.dat", generic + "0\n7\n", "generic", "bad_file", "block type[1]: 7 is none of")
    add("generic_short.dat", generic + "0\n", "generic", "bad_file", "block type[1]: the file ends")
    add("generic_long.dat", generic + "0\n2\n2\n", "generic", "bad_file", "'2' follows the last field")
    add("generic_size.dat", generic + "4 0.5\n0\n", "generic", "bad_file", "a block of 1 rows cannot be friction of dimension 3")
    add("generic_no_mu.dat", "1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 -1\n3\n", "generic", "bad_file",
        "mu[0]: the file has no friction coefficient")
    add("generic_no_bounds.dat", generic + "9\n0\n", "generic", "bad_file", "lo[0]: the file has no bounds")
    add("generic_bounds.dat", generic + "9\n1.5 0.5\n0\n", "generic", "invalid_value", "lo[0] = 1.5 exceeds hi[0] = 0.5")
    add("generic_partition.dat", blocks() + q2 + "0\n", "generic", "bad_file", "the block rows and columns differ")
    cones = "3\n2\n" + dense(3) + "-1 0 0\n"
    add("soclcp_start.dat", cones + "1 2 3\n1 1\n", "soclcp", "invalid_value", "cone_start[0] = 1 is not 0")
    add("soclcp_order.dat", cones + "0 0 3\n1 1\n", "soclcp", "invalid_value", "cone_start[1] = 0 does not exceed")
    add("soclcp_end.dat", cones + "0 1 2\n1 1\n", "soclcp", "invalid_dimension", "cone_start ends at 2")
    add("soclcp_tau.dat", cones + "0 1 3\n1 0\n", "soclcp", "invalid_value", "tau[1] = 0 is not positive")
    add("soclcp_many.dat", cones.replace("2", "4", 1) + "0 1 2 3 3\n1 1 1 1\n", "soclcp", "bad_file",
        "number of cones: 4 is outside 1 .. 3")
    yielding = "3\n1\n1\n" + dense(3) + "-1 0 0\n"
    add("plasticity_contracts.dat", yielding + "0.5\n0.6\n", "plasticity", "invalid_value", "theta[0] = 0.6 exceeds eta[0] = 0.5")
    add("plasticity_eta.dat", yielding + "-1\n0\n", "plasticity", "invalid_value", "eta[0] = -1 is negative")
    add("plasticity_short.dat", yielding + "0.5\n", "plasticity", "bad_file", "theta: 1 more number expected")
    disks = yielding.replace("1\n1\n", "1\n2\n", 1)
    add("plasticity_von_mises.dat", disks + "0.5\n", "plasticity", "bad_file", "2, disks of given radius, is a problem of class generic")
    add("plasticity_model.dat", yielding.replace("1\n1\n", "1\n3\n", 1) + "0.5\n", "plasticity", "bad_file",
        "type of model: 3 is outside 1 .. 2")
    add("von_mises_radius.dat", disks + "-0.5\n", "generic", "invalid_value", "mu[1] = -0.5 is negative")
    add("von_mises_short.dat", disks, "generic", "bad_file", "sigma_y: 1 more number expected")
    add("von_mises_long.dat", disks + "0.5 0.5\n", "generic", "bad_file", "'0.5' follows the last field")
    add("von_mises_nan.dat", disks + "nan\n", "generic", "not_finite", "mu[1] is nan")
    add("von_mises_rows.dat", disks.replace("3\n1\n", "3\n2\n", 1) + "0.5 0.5\n", "generic", "bad_file", "W: the matrix is 3 x 3")
    add("von_mises_cones.dat", disks.replace("3\n1\n", "3\n0\n", 1) + "0.5\n", "generic", "bad_file", "number of cones: 0 is outside 1")


def matrix_market():
    def bad(name, banner, body, status, fragment, q="%%MatrixMarket matrix array real general\n2 1\n-1\n-1\n", cls=None):
        add(f"{name}.mtx", f"%%MatrixMarket {banner}\n{body}", cls, status, fragment)
        if q is not None:
            cases.append((f"{name}_q.mtx", q.encode(), None, None, None))

    good = "2 2\n1 0 0 1\n"
    bad("mtx_object", "vector array real general", good, "bad_file", "the object 'vector'")
    bad("mtx_layout", "matrix skyline real general", good, "bad_file", "the layout 'skyline'")
    bad("mtx_field", "matrix array complex general", good, "bad_file", "the field 'complex'")
    bad("mtx_pattern", "matrix coordinate pattern general", "2 2 1\n1 1\n", "bad_file", "the field 'pattern'")
    bad("mtx_symmetry", "matrix array real hermitian", good, "bad_file", "the symmetry 'hermitian'")
    bad("mtx_banner", "matrix array", good, "bad_file", "the field ''")
    bad("mtx_empty", "matrix array real general", "", "bad_file", "M: the file ends")
    bad("mtx_zero", "matrix array real general", "0 0\n", "bad_file", "M: 0 is outside 1")
    bad("mtx_negative", "matrix array real general", "2 -2\n", "bad_file", "M: -2 is outside 1")
    bad("mtx_huge", "matrix coordinate real general", "2000000000 2000000000 1\n1 1 1\n", "bad_file", "size 2000000000 announced")
    bad("mtx_lie", "matrix array real general", "50 50\n1 2 3\n", "bad_file", "2500 more numbers expected")
    bad("mtx_nnz", "matrix coordinate real general", "2 2 1000000000\n1 1 1\n", "bad_file", "3000000000 more numbers expected")
    bad("mtx_row", "matrix coordinate real general", "2 2 1\n3 1 1\n", "invalid_structure", "row 3 is outside 1 .. 2")
    bad("mtx_column", "matrix coordinate real general", "2 2 1\n1 0 1\n", "invalid_structure", "column 0 is outside 1 .. 2")
    bad("mtx_twice", "matrix coordinate real general", "2 2 2\n2 1 1\n2 1 2\n", "invalid_structure",
        "M: entry (2, 1) stands twice")
    bad("mtx_upper", "matrix coordinate real symmetric", "2 2 1\n1 2 1\n", "invalid_structure", "is not below the diagonal")
    bad("mtx_diagonal", "matrix coordinate real skew-symmetric", "2 2 1\n1 1 1\n", "invalid_structure",
        "entry (1, 1) of a skew-symmetric matrix is on the diagonal")
    bad("mtx_rectangular", "matrix coordinate real symmetric", "2 3 1\n2 1 1\n", "bad_file", "symmetric, but 2 x 3")
    bad("mtx_not_square", "matrix array real general", "2 3\n1 0 0 1 0 0\n", "invalid_dimension", "M is 2 x 3, not square")
    bad("mtx_trailing", "matrix array real general", good + "5\n", "bad_file", "'5' follows the last entry")
    bad("mtx_nan", "matrix array real general", "2 2\n1 0 nan 1\n", "not_finite", "line 3: M: 'nan' is not finite")
    bad("mtx_word", "matrix array real general", "2 2\n1 0 x 1\n", "bad_file", "line 3: M: 'x' is not a number")
    bad("mtx_no_q", "matrix array real general", good, "file_error", "mtx_no_q_q.mtx", None)
    bad("mtx_missing", "matrix array real general", good, "bad_file", "q is missing", "")
    bad("mtx_wide_q", "matrix array real general", good, "bad_file", "q is 1 x 2, one column expected",
        "%%MatrixMarket matrix array real general\n1 2\n-1\n-1\n")
    bad("mtx_long_q", "matrix array real general", good, "invalid_dimension", "q has 3 entries, 2 expected",
        "%%MatrixMarket matrix array real general\n3 1\n-1\n-1\n-1\n")
    bad("mtx_q_text", "matrix array real general", good, "bad_file", "q: the banner 'hello'", "hello\n")
    bad("mtx_class", "matrix array real general", good, "unknown_format", "not a problem of class relay", cls="relay")


def identity():
    return {"storage": "dense", "rows": 2, "cols": 2, "values": [1, 0, 0, 1]}


def columns(**changes):
    return {"storage": "csc", "rows": 2, "cols": 2, "start": [0, 1, 2], "index": [0, 1], "values": [1, 1], **changes}


def block_rows(**changes):
    return {"storage": "block_csr", "rows": 2, "cols": 2, "row_end": [2], "col_end": [2], "start": [0, 1], "index": [0],
            "values": [1, 0, 0, 1], **changes}


def document(problem_class="lcp", **fields):
    """A good problem with changes; the value None removes a field."""
    members = {"format": "nonsmooth-problem", "version": 1, "class": problem_class, "M": identity(), "q": [-1, -1], **fields}
    return json.dumps({name: value for name, value in members.items() if value is not None})


def json_documents():
    def bad(name, text, status, fragment, cls=None):
        add(f"{name}.json", text, cls, status, fragment)

    good = document()
    bad("cut", good[:-1], "bad_file", "not valid JSON")
    bad("cut_number", good[:good.rindex("-1") + 1], "bad_file", "not valid JSON")
    bad("only_brace", "{", "bad_file", "not valid JSON")
    bad("trailing", good + "}", "bad_file", "not valid JSON")
    bad("two_documents", good + good, "bad_file", "not valid JSON")
    bad("bare_nan", good.replace("-1, -1", "NaN, -1"), "bad_file", "not valid JSON")
    bad("not_utf8", good.encode().replace(b"lcp", b"l\xffp"), "bad_file", "not valid JSON")
    bad("deep", '{"format": "nonsmooth-problem", "M": ' + '{"a":' * 100000, "bad_file", "nested deeper")
    bad("deep_arrays", '{"format": "nonsmooth-problem", "q": ' + "[" * 100000, "bad_file", "nested deeper")
    bad("text_behind_nul", good + "\0" + good, "bad_file", "a NUL byte")
    bad("nul_at_end", good + "\0", "bad_file", "a NUL byte")
    bad("no_format", document(format=None), "unknown_format", "format")
    bad("other_format", document(format="something"), "unknown_format", "format")
    bad("no_version", document(version=None), "bad_file", "version is missing")
    bad("version", document(version=2), "bad_file", "version is 2")
    bad("version_text", document(version="1"), "bad_file", "version is not a number")
    bad("no_class", document(**{"class": None}), "bad_file", "class is missing")
    bad("class", document("lpc"), "bad_file", "lpc")
    bad("wrong_class", good, "bad_file", "relay", "relay")
    bad("no_M", document(M=None), "bad_file", "field M is missing")
    bad("no_q", document(q=None), "bad_file", "field q is missing")
    bad("q_number", document(q=1), "bad_file", "q is not an array of numbers")
    bad("q_short", document(q=[-1]), "invalid_dimension", "q has 1 entries, 2 expected")
    bad("q_text", document(q=[-1, "one"]), "bad_file", 'q[1] is "one", not a number')
    bad("q_null", document(q=[-1, None]), "bad_file", "q[1] is null")
    bad("q_nested", document(q=[[-1, -1]]), "bad_file", "q[0] is an array")
    bad("q_infinite", document(q=["-inf", -1]), "not_finite", "q[0] is -inf")
    bad("q_nan", document(q=[-1, "nan"]), "not_finite", "q[1] is nan")
    bad("unknown_field", document(mu=[0.5]), "bad_file", "unknown field mu")
    bad("twice", good.replace('"q":', '"q": [0, 0], "q":'), "bad_file", "q is given twice")
    bad("M_array", document(M=[1, 0, 0, 1]), "bad_file", "M is not a matrix")
    bad("M_storage", document(M={**identity(), "storage": "csr"}), "bad_file", "csr")
    bad("M_short", document(M={**identity(), "values": [1, 0, 0]}), "invalid_dimension", "M: values has 3 entries, 4 expected")
    bad("M_huge", document(M={**identity(), "rows": 2000000000, "cols": 2000000000}), "invalid_dimension",
        "M: values has 4 entries")
    bad("M_negative", document(M={**identity(), "rows": -2}), "invalid_dimension", "-2")
    bad("M_rows_real", document(M={**identity(), "rows": 2.5}), "bad_file", "M.rows is 2.5, not a 32-bit integer")
    bad("M_rows_large", document(M={**identity(), "rows": 4294967298}), "bad_file", "M.rows is 4294967298")
    bad("M_unknown", document(M={**identity(), "colour": 1}), "bad_file", "unknown field M.colour")
    bad("M_rectangular", document(M={**identity(), "rows": 4, "cols": 1}), "invalid_dimension", "M is 4 x 1, not square")
    bad("M_infinite", document(M={**identity(), "values": [1, 0, "inf", 1]}), "not_finite", "M(0, 1) is inf")
    bad("csc_start", document(M=columns(start=[0, 2, 1])), "invalid_structure", "M: start[2] = 1 is below start[1] = 2")
    bad("csc_start_short", document(M=columns(start=[0, 2])), "invalid_dimension", "M: start has 2 entries, 3 expected")
    bad("csc_index", document(M=columns(index=[0, 2])), "invalid_structure", "M: index[1] = 2 is outside 0 .. 1")
    bad("csc_twice", document(M=columns(start=[0, 2, 2], index=[1, 1])), "invalid_structure", "M")
    bad("csc_huge", document(M=columns(cols=2000000000)), "invalid_dimension", "M: start has 3 entries")
    bad("blocks_row_end", document(M=block_rows(row_end=[3])), "invalid_dimension", "M: row_end ends at 3, not at 2")
    bad("blocks_order", document(M=block_rows(row_end=[2, 1])), "invalid_structure", "M: row_end[1] = 1 does not exceed 2")
    bad("blocks_values", document(M=block_rows(values=[1, 0])), "invalid_dimension", "M: values has 2 entries, 4 expected")
    bad("mlcp_row", document("mlcp", is_complementarity=[0, 2]), "invalid_value", "is_complementarity[1] = 2 is neither 0 nor 1")
    bad("relay_order", document("relay", lo=[0, 1], hi=[1, 0]), "invalid_value", "lo[1] = 1 exceeds hi[1] = 0")
    bad("relay_lo", document("relay", lo=["inf", 0], hi=["inf", 1]), "invalid_value", "lo[0] is +infinity")
    bad("avi_lo", document("avi", lo=["inf", 0]), "invalid_value", "lo[0] is +infinity")
    bad("avi_hi", document("avi", hi=[0, "-inf"]), "invalid_value", "hi[1] is -infinity")
    friction = {"problem_class": "friction", "M": None, "W": identity()}
    bad("friction_mu", document(**friction, dimension=2, mu=[-0.5]), "invalid_value", "mu[0] = -0.5 is negative")
    bad("friction_dimension", document(**friction, dimension=4, mu=[0.5]), "invalid_value", "dimension is 4")
    bad("generic_disk", document("generic", block_kind=["disk"], block_size=[2], mu=[-1]), "invalid_value", "mu[0] = -1 is negative")
    bad("generic_disk_rows", document("generic", block_kind=["disk", "disk"], block_size=[1, 1], mu=[1, 1]), "invalid_dimension",
        "size of block 0 is 1; a disk has 2")
    bad("generic_disk_radius", document("generic", block_kind=["disk"], block_size=[2]), "invalid_dimension", "mu has 0 entries, 1 expected")
    bad("generic_kind", document("generic", block_kind=[0, 9], block_size=[1, 1]), "invalid_value", "block_kind[1] = 9")
    bad("avi_H", document("avi", H={**identity(), "rows": 4, "cols": 1}, k=[0, 0, 0, 0]), "invalid_dimension",
        "H has 1 columns, 2 expected")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for group in (text_without_a_class, lcp_sizes_and_values, sparse_matrices, block_matrices, other_classes, matrix_market,
                  json_documents):
        group()
    names = [case[0] for case in cases]
    assert len(set(names)) == len(names), "two cases of one name"
    with open(folder / "expected.tsv", "w", encoding="utf-8") as table:
        for name, data, problem_class, status, fragment in cases:
            (folder / name).write_bytes(data)
            if status:
                table.write("\t".join((name, problem_class or "-", status, fragment)) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
