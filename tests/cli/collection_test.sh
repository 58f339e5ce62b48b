#!/bin/sh
# collection_test.sh NONSMOOTH WORK: the command on the real problem files in the folder that NONSMOOTH_COLLECTION names.
#  1. `info` reads every file; a trip through JSON and back leaves the residual of a trial solution as it was, to the last bit.
#  2. `solve` certifies the files below at the tolerance told.
set -u
nonsmooth=$1
collection=${NONSMOOTH_COLLECTION:-}
work=$2/collection
if [ -z "$collection" ] || [ ! -d "$collection" ]; then
  echo "skipped: no collection of problem files (NONSMOOTH_COLLECTION)"
  exit 77
fi
rm -rf "$work"
mkdir -p "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# The value of a member of the JSON object on standard input.
member() { sed -nE "s/.*\"$1\":\"?([^,\"}]*)\"?[,}].*/\1/p"; }

residual() { "$nonsmooth" check "$@" --json | member residual; }

round_trip() {
  file=$1
  case $file in *.hdf5) back=$work/back.hdf5 ;; *) back=$work/back.dat ;; esac
  "$nonsmooth" info "$file" --json >"$work/info.json" || return 1
  class=$(member class <"$work/info.json")
  "$nonsmooth" solve "$file" --set max_iterations=3 -o "$work/trial.json" >"$work/solve.txt" 2>&1
  [ $? -le 5 ] || return 1
  "$nonsmooth" convert "$file" "$work/there.json" >"$work/convert.txt" || return 1
  "$nonsmooth" convert "$work/there.json" "$back" >"$work/convert.txt" || return 1
  before=$(residual "$file" "$work/trial.json")
  [ -n "$before" ] || return 1
  [ "$before" = "$(residual "$work/there.json" "$work/trial.json")" ] || return 1
  [ "$before" = "$(residual "$back" "$work/trial.json" --class "$class")" ]
}

files=0
for file in "$collection"/*/*.dat "$collection"/*/*.hdf5; do
  files=$((files + 1))
  round_trip "$file" || fail "round trip of $file"
done
[ "$files" -gt 0 ] || fail "no problem files in $collection"

certifies() {
  tolerance=$1
  shift
  "$nonsmooth" solve "$@" --tolerance "$tolerance" >"$work/solve.txt" 2>&1
}

for file in fclib/Capsules-i125-1213.hdf5 fclib/Box_Stacks-i0122-82-5.hdf5 fc3d/Capsules-i101-404.dat fc3d/KaplasTower-i1061-4.hdf5.dat \
  fc2d/FrictionContactProblem00727.dat; do
  certifies 1e-4 "$collection/$file" || fail "solve $file at 1e-4: $(cat "$work/solve.txt")"
done
for file in "$collection"/lcp/*; do
  certifies 1e-10 "$file" --method lemke || fail "solve $file at 1e-10: $(cat "$work/solve.txt")"
done
for file in "$collection"/mlcp/*.dat "$collection"/relay/*.dat; do
  certifies 1e-8 "$file" --method lemke || fail "solve $file at 1e-8: $(cat "$work/solve.txt")"
  certifies 1e-8 "$file" || fail "solve $file at 1e-8 by default: $(cat "$work/solve.txt")"
done

# A file of two forms is no place for the solution of one of them.
both=$work/both.hdf5
cp "$collection/fclib/fc3d_capsules_c00116.hdf5" "$both"
chmod u+w "$both"
"$nonsmooth" solve "$both" -o "$both" >"$work/solve.txt" 2>&1
[ $? -eq 4 ] || fail "solve $both -o itself: $(cat "$work/solve.txt")"
cmp -s "$both" "$collection/fclib/fc3d_capsules_c00116.hdf5" || fail "$both lost a form"

echo "$files files, $failures failures"
[ "$failures" -eq 0 ]
