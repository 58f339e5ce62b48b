#!/bin/sh
# check_symbols.sh SHARED STATIC: the shared library exports nsm_* only; our own code holds no writable data.
set -eu
export LC_ALL=C
shared=$1
static=$2
status=0

exported=$(nm -D --defined-only "$shared" | awk '{ print $NF }' | sed 's/@.*//')
foreign=$(printf '%s\n' "$exported" | grep -v '^nsm_' || true)
if [ -n "$foreign" ]; then
  echo "exported, but not nsm_*:"
  echo "$foreign"
  status=1
fi
# Every function that the headers declare is there.
headers=$(dirname "$0")/../../numerics/include/nonsmooth
declared=$(cat "$headers"/*.h | grep -oE '\bnsm_[a-z0-9_]+\(' | tr -d '(' | sort -u)
for name in $declared; do
  printf '%s\n' "$exported" | grep -qx "$name" || { echo "declared, but not exported: $name"; status=1; }
done

# Objects of our namespace in a writable section. Allowed: message and errno of the last error (per thread), the lock around METIS, and constants
# set up at their first use, which have a guard variable beside them (that they are const is for check_layers.py to see).
objects=$(objdump -tC "$static" | grep -E '[[:space:]]\.(data|bss|tdata|tbss)[^[:space:]]*[[:space:]]' |
  grep -vE '[[:space:]]\.data\.rel\.ro' | grep -E 'nonsmooth::|[[:space:]]nsm_' || true)
guarded=$(printf '%s\n' "$objects" | sed -n 's/.*guard variable for //p')
writable=$(printf '%s\n' "$objects" | awk 'NF' | sed -E 's/^[0-9a-f]+ .{7} [^[:space:]]+[[:space:]]+[0-9a-f]+ +(\.hidden +)?//' |
  grep -vE '^guard variable for |::message_buffer$|::error_number$|(^|::|_)mutex(_|$)|^vtable for |^typeinfo ' || true)
printf '%s\n' "$writable" | while IFS= read -r name; do
  [ -z "$name" ] || printf '%s\n' "$guarded" | grep -qxF "$name" || echo "$name"
done >"${TMPDIR:-/tmp}/nonsmooth_symbols.$$"
if [ -s "${TMPDIR:-/tmp}/nonsmooth_symbols.$$" ]; then
  echo "writable data:"
  sort -u "${TMPDIR:-/tmp}/nonsmooth_symbols.$$"
  status=1
fi
rm -f "${TMPDIR:-/tmp}/nonsmooth_symbols.$$"

[ "$status" -ne 0 ] || echo "symbols: $(printf '%s\n' "$exported" | wc -l) exported, all nsm_*; no writable data of our own"
exit "$status"
