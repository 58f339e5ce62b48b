#!/bin/sh
# generator_test.sh GENERATE NONSMOOTH DATA WORK: the generator writes the committed files anew, byte for byte. Files of HDF5, whose bytes
# depend on the version of that library, are compared as native JSON.
set -eu
generate=$1 nonsmooth=$2 data=$3 work=$4/generated
rm -rf "$work"
mkdir -p "$work"
"$generate" "$work"

failed=0
differs() {
  echo "$1 differs from what the generator writes" >&2
  failed=1
}
for file in "$work"/*; do
  name=${file##*/}
  case $name in
    *.hdf5)
      "$nonsmooth" convert "$file" "$work/new.json" > "$work/log"
      "$nonsmooth" convert "$data/$name" "$work/old.json" > "$work/log"
      cmp "$work/new.json" "$work/old.json" || differs "$name"
      rm -f "$work/new.json" "$work/old.json" "$work/log"
      ;;
    *) cmp "$file" "$data/$name" || differs "$name" ;;
  esac
done
for file in "$data"/*; do
  name=${file##*/}
  [ "$name" = README.md ] || [ "$name" = models ] || [ -e "$work/$name" ] || { echo "$name is not written by the generator" >&2; failed=1; }
done
exit "$failed"
