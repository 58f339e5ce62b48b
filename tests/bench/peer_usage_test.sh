#!/bin/sh
# What the programs that run a peer's solvers refuse, with the exit codes of all programs.
# usage: peer_usage_test.sh PROGRAM DATA_FOLDER FOLDER
set -u
program=$1
problem=$2/lcp_fathi_16.json
scratch=$(mktemp -d "$3/peer_usage.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
. "$(dirname -- "$0")/../support/command_test.sh"

run() { timeout 20 "$program" "$@"; }

expect 0 --help
contains out "CLASS FILE SECONDS TOLERANCE..."
expect 3
contains err "usage: "
expect 3 lcp "$problem" 2
contains err "usage: "
expect 3 lcp "$problem" 2s 1e-4
contains err "'2s' is no number"
for tolerance in 0 -1 nan; do
  expect 3 lcp "$problem" 2 1e-4 $tolerance
  contains err "'$tolerance' is no positive number"
done
expect 4 lcp "$scratch/no_such.json" 2 1e-4
contains err "no_such.json"

finish
