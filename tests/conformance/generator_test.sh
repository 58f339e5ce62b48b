#!/bin/sh
# generator_test.sh GENERATE DATA WORK: the generator writes the committed files anew, byte for byte.
set -eu
generate=$1 data=$2 work=$3/generated
rm -rf "$work"
mkdir -p "$work"
"$generate" "$work"

failed=0
for file in "$work"/*; do
  name=${file##*/}
  cmp "$file" "$data/$name" || { echo "$name differs from what the generator writes" >&2; failed=1; }
done
for file in "$data"/*; do
  name=${file##*/}
  [ "$name" = README.md ] || [ "$name" = models ] || [ -e "$work/$name" ] || { echo "$name is not written by the generator" >&2; failed=1; }
done
exit "$failed"
