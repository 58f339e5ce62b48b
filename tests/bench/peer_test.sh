#!/bin/sh
# A peer's program on shipped problems: each answer a line that our certificate has judged, what it does not treat refused.
# Usage: peer_test.sh PROGRAM DATA_FOLDER
set -u
peer=$1
data=$2
failures=0

# expect TEXT CLASS FILE: at both tolerances, or once where it is a refusal.
expect() {
  found=$("$peer" "$2" "$data/$3" 2 1e-4 1e-8 | grep -cF -- "$1")
  [ "$found" -ge "${4:-2}" ] && return
  failures=$((failures + 1))
  echo "FAILED: $found lines with '$1' on $3"
}

expect '"certified": true' lcp lcp_fathi_16.json
expect '"certified": true' lcp lcp_psd_solvable_2.json
expect '"outcome": "not certified"' lcp lcp_psd_infeasible_2.json 1
expect '"refused"' friction friction_3d_box_stack.json 1
expect '"refused"' global_friction global_friction_3d_falling_box.json 1
expect '"refused"' avi avi_polyhedron_6.json 1
case $peer in
  *bullet*)
    expect '"method": "Lemke", "tolerance": 1e-08, "outcome": "certified"' lcp lcp_murty_16.json 1
    expect '"method": "Lemke", "tolerance": 1e-08, "outcome": "certified"' relay relay_sliding_mode_6.json 1
    expect '"method": "ProjectedGaussSeidel", "tolerance": 1e-08, "outcome": "certified"' avi avi_box_20.json 1
    ;;
  *) expect '"refused"' lcp lcp_murty_16.json 1 ;; # not symmetric
esac

[ "$failures" -eq 0 ] && echo "all passed"
exit $((failures > 0))
