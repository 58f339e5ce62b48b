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

# --- messages for a stream that is closed do not get into the run
"$nonsmooth" bench "$problem" -o "$scratch/closed.jsonl" 2>&- || complain "bench without stderr"
[ "$(grep -cv '^{' "$scratch/closed.jsonl")" -eq 0 ] || complain "lines of closed.jsonl are no JSON"

# --- a pipe has all lines read, by who comes late too, or their loss is told
mkfifo "$scratch/pipe"
run bench "$problem" --methods auto,lemke -o "$scratch/pipe" >"$scratch/out" 2>"$scratch/err" </dev/null &
running=$!
sleep 1
timeout 20 cat "$scratch/pipe" >"$scratch/piped"
wait "$running" || complain "bench with a reader that comes late"
[ "$(grep -c '^{' "$scratch/piped")" -eq 2 ] || complain "lines of the pipe were lost"
timeout 20 sh -c ': <"$1"' sh "$scratch/pipe" & # a reader that goes at once
expect 4 bench "$problem" --methods auto,lemke -o "$scratch/pipe"
contains err "$scratch/pipe: Broken pipe"
wait

# --- parts of a run are counted in digits
for shard in 1/-3 -1/3 +1/3 " 1/3" 0/3 3/2 1 1/ /3 1/3/ 1/99999999999999999999; do
  expect 3 bench "$problem" --shard "$shard"
  contains err "'$shard' is not I/N with 1 <= I <= N"
done
expect 0 bench "$problem" --shard 2/2
contains err "0 solves"

# --- an index with what none has: the entry and the field are named
mkdir "$scratch/indexed"
cp "$problem" "$scratch/indexed/a.json"
# index TEXT MESSAGE
index() {
  printf '%s' "$1" >"$scratch/indexed/INDEX.json"
  expect 4 bench "$scratch/indexed"
  contains err "indexed/INDEX.json: $2"
}
index '{"problems": [' 'no JSON at byte 15'
index '[]' 'no object with a list of problems'
index '{"problems": {}}' 'no object with a list of problems'
index '{"problems": [5]}' 'problems[0]: no object'
index '{"problems": [{"class": "lcp"}]}' 'problems[0]: file: is missing'
index '{"problems": [{"file": 3}]}' 'problems[0]: file: 3 is no text'
for field in class family outcome; do
  index "{\"problems\": [{\"file\": \"b.json\"}, {\"file\": \"a.json\", \"$field\": [1]}]}" "problems[1]: $field: [1] is no text"
done
index '{"problems": [{"file": "a.json", "outcome": "konverged"}]}' \
  'problems[0]: outcome: "konverged" is none of converged, infeasible, unsolvable and unknown'
for outcome in converged infeasible unsolvable unknown; do
  printf '{"problems": [{"file": "a.json", "class": "lcp", "outcome": "%s"}]}' "$outcome" >"$scratch/indexed/INDEX.json"
  expect 0 bench "$scratch/indexed"
  contains out "\"answer\":\"$(echo "$outcome" | sed 's/^converged/solvable/')\""
done

# --- a family that is not there is a slip of the command line
expect 3 bench families:foo
contains err "no family foo: families:complementarity"

# --- endings of reports in any letters, as those of problems are
expect 0 bench "$problem" -o "$scratch/report.jsonl"
for name in REP.HTML rep.Md; do
  expect 0 compare "$scratch/report.jsonl" -o "$scratch/$name"
done
grep -qi '<html' "$scratch/REP.HTML" || complain "REP.HTML is no HTML"
grep -q '^# Comparison' "$scratch/rep.Md" || complain "rep.Md is no Markdown"
expect 3 compare "$scratch/report.jsonl" -o "$scratch/REP.PDF"
contains err "ends neither in .html nor in .md"

# --- folders that cannot be listed, or whose files cannot be reached, do not end the search. Root reads all but what it has dropped.
run_unprivileged() { "$nonsmooth" "$@"; }
if [ "$(id -u)" -eq 0 ]; then
  run_unprivileged() { setpriv --bounding-set=-dac_override,-dac_read_search "$nonsmooth" "$@"; }
fi
mkdir -p "$scratch/search/closed" "$scratch/search/hidden"
for file in murty closed/murty hidden/murty; do cp "$problem" "$scratch/search/$file.json"; done
cp "$data/lcp_tridiagonal_200.mtx" "$data/lcp_tridiagonal_200_q.mtx" "$scratch/search/hidden"
chmod 000 "$scratch/search/closed"
chmod 444 "$scratch/search/hidden"
if run_unprivileged solve "$scratch/search/closed/murty.json" >"$scratch/out" 2>"$scratch/err" ||
  ! grep -qF "Permission denied" "$scratch/err"; then
  echo "skipped: permissions hold for nobody here"
else
  run() { run_unprivileged "$@"; }
  expect 0 bench "$scratch/search" -o "$scratch/search.jsonl"
  contains err "left out: closed: "
  contains err "left out: hidden/murty.json: "
  contains err "left out: hidden/lcp_tridiagonal_200.mtx: "
  contains err "1 solves: 0 known, 1 run, 0 inferred from looser tolerances, 3 problems left out"
  expect 4 bench "$scratch/search/closed"
  contains err "$scratch/search/closed: cannot be read: Permission denied"
  run() { "$nonsmooth" "$@"; }
fi

# --- a file so deep that no path leads there is named
python3 - "$scratch/deep" "$problem" <<'PYTHON'
import os, shutil, sys

os.mkdir(sys.argv[1])
shutil.copy(sys.argv[2], sys.argv[1])
os.chdir(sys.argv[1])
for _ in range(20):
    os.mkdir("d" * 250)
    os.chdir("d" * 250)
shutil.copy(sys.argv[2], ".")
PYTHON
expect 0 bench "$scratch/deep"
contains err "left out: dddd"
contains err "1 run, 0 inferred from looser tolerances, 1 problems left out"

finish
