#!/bin/sh
# The command `nonsmooth` as those use it who mistype, whose variables are not set, and whose readers go away.
# Usage: usage_test.sh NONSMOOTH MODELS_FOLDER SCRATCH_FOLDER
set -u
nonsmooth=$1
models=$2
scratch=$(mktemp -d "$3/usage.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
. "$(dirname -- "$0")/../support/command_test.sh"

run() { "$nonsmooth" "$@"; }

one_line_of_error() {
  [ "$(wc -l <"$scratch/err")" -eq 1 ] || complain "not one line on stderr"
}

# problem FILE MORE
problem() {
  printf '{"format": "nonsmooth-problem", "version": 1, "class": "lcp", "q": [-1]%s,
 "M": {"storage": "dense", "rows": 1, "cols": 1, "values": [2]}}\n' "$2" >"$1"
}
good=$scratch/good.json
problem "$good" ', "guess": [0.25]'

# --- what is not known is named, though something is missing too; and where help is
expect 3
contains err 'nonsmooth: A subcommand is required (see `nonsmooth --help`)'
expect 3 --verison
contains err 'nonsmooth: The following argument was not expected: --verison (see `nonsmooth --help`)'
expect 3 solve
contains err 'nonsmooth: FILE is required (see `nonsmooth solve --help`)'
expect 3 check "$good"
contains err 'nonsmooth: SOLUTION is required (see `nonsmooth check --help`)'
expect 3 solve -bad.json
contains err 'nonsmooth: The following argument was not expected: -bad.json (see `nonsmooth solve --help`)'
expect 3 info "$good" again
contains err 'nonsmooth: The following argument was not expected: again (see `nonsmooth info --help`)'
expect 3 simulate --bogus
contains err 'nonsmooth simulate: The following argument was not expected: --bogus (see `nonsmooth simulate --help`)'

# --- a variable that is not set gives no number, and no name of a file
for option in --tolerance --time-limit; do
  expect 3 solve "$good" $option ""
  contains err "nonsmooth: $option: '' is no number"
  one_line_of_error
done
expect 3 check "$good" "$good" --tolerance ""
contains err "nonsmooth: --tolerance: '' is no number"
expect 3 simulate "$models/bouncing_ball.xml" --final-time ""
contains err "nonsmooth simulate: --final-time: '' is no number"
for option in --guess --output; do
  expect 3 solve "$good" $option ""
  contains err "nonsmooth: $option: '' is no name of a file"
  one_line_of_error
done

finish
