#!/bin/sh
# What nonsmooth-compare-kernel and nonsmooth-compare-sweeps refuse, before they measure anything for minutes.
# usage: measuring_usage_test.sh PROGRAM FOLDER
set -u
program=$1
name=$(basename "$program")
scratch=$(mktemp -d "$2/measuring_usage.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
. "$(dirname -- "$0")/../support/command_test.sh"

run() { timeout 20 "$program" "$@"; }

expect 0 --help
contains out "$name [OPTIONS]"
expect 3 --no-such-option
contains err "$name: The following argument was not expected: --no-such-option (see \`$name --help\`)"
for rounds in 0 -1 many; do
  expect 3 --rounds $rounds
  contains err "$name: --rounds: "
  [ "$(wc -c <"$scratch/err")" -lt 100 ] || complain "a long message"
done
expect 3 --only NOSUCH --output "$scratch/page.md"
contains err "in its name"
[ ! -e "$scratch/page.md" ] || complain "a page without anything"
expect 3 --output ""
contains err "'' is no name of a file"

# --- a page that cannot be written is told at once, and nothing is left of it
expect 4 --output "$scratch/no/such/page.md"
contains err "no/such/page.md: cannot be written: No such file or directory"
expect 4 --output "$scratch"
contains err "$scratch: is a folder"
printf 'text\n' >"$scratch/file"
expect 4 --output "$scratch/file/page.md"
contains err "file/page.md: cannot be written: Not a directory"
contains file text

finish
