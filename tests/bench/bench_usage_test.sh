#!/bin/sh
# What nonsmooth bench and nonsmooth compare refuse, and what they name. Usage: bench_usage_test.sh NONSMOOTH DATA_FOLDER SCRATCH_FOLDER
set -u
nonsmooth=$1
data=$2
scratch=$(mktemp -d "$3/bench_usage.XXXXXX") || exit 1
trap 'chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
. "$(dirname -- "$0")/../support/command_test.sh"

run() { "$nonsmooth" "$@"; }
problem=$data/lcp_murty_16.json

# --- peers whose rows would be those of another peer, or of a method
for peer in v1/my v2/my auto lemke; do
  mkdir -p "$scratch/$(dirname "$peer")"
  printf '#!/bin/sh\nexit 0\n' >"$scratch/$peer"
  chmod +x "$scratch/$peer"
done
expect 3 bench "$problem" --peer "$scratch/v1/my" --peer "$scratch/v2/my" -o "$scratch/two.jsonl"
contains err "--peer: $scratch/v1/my and $scratch/v2/my would both be my"
for method in auto lemke; do # of the methods asked for, and of another
  expect 3 bench "$problem" --peer "$scratch/$method" -o "$scratch/two.jsonl"
  contains err "--peer: $scratch/$method has the name of the method $method"
done
[ ! -e "$scratch/two.jsonl" ] || complain "a run that was refused has an output"
ln -s my "$scratch/v2/mine"
expect 0 bench "$problem" --peer "$scratch/v1/my" --peer "$scratch/v2/mine" -o "$scratch/two.jsonl"
contains err "3 solves"

finish
