#!/bin/sh
# Runs nonsmooth-compare-sweeps on one pile of spheres and looks at its page.
# usage: sweeps_test.sh PROGRAM FOLDER
set -eu
page=$2/sweeps.md
"$1" --only "10^3" --rounds 1 --output "$page" 2>/dev/null
require() {
  grep -q "$1" "$page" || { echo "sweeps_test: no line like $1" >&2; exit 1; }
}
require '^| spheres, 10^3 | 2,800 | '
for rows in W bodies; do
  require "^| spheres, 10^3 | 2,800 | $rows | .* | yes |\$"
done
if "$1" --only "10^3" --output "$2/no/such/folder/sweeps.md" --rounds 1 2>/dev/null; then
  echo "sweeps_test: a page that cannot be written passes" >&2
  exit 1
fi
cp "$page" "$page.old"
if (ulimit -f 0; trap '' XFSZ; "$1" --only "10^3" --rounds 1 --alone --output "$page") 2>/dev/null || ! cmp -s "$page" "$page.old" ||
  ls "$page".*.part 2>/dev/null; then
  echo "sweeps_test: a page without room has replaced the last one, or has left a part" >&2
  exit 1
fi
