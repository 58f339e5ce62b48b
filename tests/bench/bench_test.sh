#!/bin/sh
# nonsmooth bench and nonsmooth compare as a user calls them. Usage: bench_test.sh NONSMOOTH DATA_FOLDER SCRATCH_FOLDER
set -u
nonsmooth=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
scratch=$(mktemp -d "$3/bench.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
. "$(dirname -- "$0")/../support/command_test.sh"

# The basic problems of the collection.
data=$scratch/data
mkdir "$data"
python3 -c 'import json, sys
index = json.load(sys.stdin)
index["problems"] = [entry for entry in index["problems"] if entry.get("basic")]
json.dump(index, sys.stdout)' <"$2/INDEX.json" >"$data/INDEX.json"
for file in $(sed -nE 's/.*"file": "([^"]*)".*"basic": true.*/\1/p' "$2/INDEX.json"); do
  cp "$2/$file" "$data"
  case $file in *.mtx) cp "$2/${file%.mtx}_q.mtx" "$data" ;; esac
done

run() { "$nonsmooth" "$@"; }

bench() { expect 0 bench --time-limit 2 "$@"; }

# lines CHECK FILE...: a check of lines.py.
lines() { python3 "$here/lines.py" "$@" >"$scratch/out" 2>"$scratch/err" || complain "lines.py $*"; }

# --- an index ends the search: folders below it hold no problems
mkdir "$data/models"
cp "$2/models/bouncing_ball.json" "$data/models"
bench "$data" --only literature -o "$scratch/index.jsonl"
! grep -qF "left out" "$scratch/err" || complain "a file below the index is read"

# --- usage
expect 0 bench --help
contains out "Exit codes:"
expect 0 compare --help
contains out "--against"
for program in bench compare; do
  expect 0 $program --version
  contains out "nonsmooth $program "
done
expect 3 bench
expect 3 bench "$data" --methods no_such_method
contains err "no_such_method"
expect 3 bench "$data" --methods ""
contains err "no method ''"
for program in bench compare; do
  expect 3 $program "$data" -o ""
  contains err "'' is no name of a file"
  if [ -w /dev/full ]; then
    "$nonsmooth" $program --help >/dev/full 2>"$scratch/err"
    [ $? -eq 4 ] || complain "a full standard output goes unnoticed by $program"
  fi
done
# Options of something that is not asked for.
expect 3 bench "$data" --only lcp_murty --peer-time-limit 1
contains err "--peer"
expect 3 bench "$data" --only lcp_murty --peer-version 1
expect 3 bench "$data" --only lcp_murty --peer /bin/true --peer-version 1 --peer-version second
contains err "'second' is of no --peer"
expect 3 bench "$data" --only lcp_murty --peer /bin/true --memory-limit 255
contains err "between 256 and"
expect 3 bench "$data" --shard 3/2
for option in --largest --memory-limit --tolerance; do
  expect 3 bench "$data" $option ""
  contains err "'' is no number"
done
for limit in "--tolerance 0" "--tolerance 2" "--tolerance nan" "--time-limit 0" "--time-limit 1e300" "--time-limit nan" "--time-limit inf" \
  "--memory-limit -1" "--memory-limit 1" "--memory-limit 15" "--memory-limit 99999999999999999" "--peer-time-limit nan"; do
  # shellcheck disable=SC2086  # a list of words
  expect 3 bench "$data" $limit
done
expect 3 bench "$data" --jobs 0
contains err "'0' is not a positive number"
expect 4 bench "$scratch/no_such_folder"
expect 3 bench families:no_such_family
contains err "no family no_such_family"
expect 4 bench "$scratch/no_such_folder" -o "$scratch/none.jsonl"
[ ! -e "$scratch/none.jsonl" ] || complain "an output although there is no collection"
mkdir "$scratch/empty" "$scratch/broken"
printf '{' >"$scratch/broken/broken.json"
for nothing in "$scratch/empty" "$data --only no_such_name" "$data --largest 0" "$data --only lcp_ --methods josephy_newton"; do
  # shellcheck disable=SC2086  # a list of words
  expect 3 bench $nothing
  contains err "nothing to solve"
done
expect 4 bench "$scratch/broken"
contains err "left out: broken.json: line 1"
expect 4 bench "$scratch/broken/broken.json" "$data/lcp_murty_16.json"
contains err "1 run, 0 inferred from looser tolerances, 1 problems left out"
printf 'precious\n' >"$scratch/notes.txt"
expect 4 bench "$data" -o "$scratch/notes.txt"
expect 3 compare
expect 4 compare "$scratch/notes.txt"
expect 4 compare "$scratch/no_such.jsonl"
contains err "no_such.jsonl: cannot be read: No such file"
for option in "--time-ratio 2" "--mean-ratio 2" "--least-time 1"; do
  # shellcheck disable=SC2086  # a list of words
  expect 3 compare "$scratch/run.jsonl" $option
  contains err "requires --against"
done
expect 4 compare "$scratch"
contains err "$scratch: is a folder"
expect 3 compare "$scratch/run.jsonl" --against "$scratch/run.jsonl" --mean-ratio abc
contains err "'abc' is not a positive number"

printf '{"class": "lcp"}\n' >"$scratch/problem.json"
expect 4 bench "$data" -o "$scratch/problem.json"
[ "$(wc -l <"$scratch/problem.json")" -eq 1 ] || complain "a problem was written to"

# --- an index with a file that is absent, or with a wrong type; links that lead nowhere or back; names that are not UTF-8
mkdir -p "$scratch/absent" "$scratch/wrong" "$scratch/links/sub"
printf '{"problems": [{"file": "absent.json", "class": "lcp"}, {"file": "a.json", "class": "lcp"}]}' >"$scratch/absent/INDEX.json"
printf '{"problems": [{"file": "a.json", "class": 5}]}' >"$scratch/wrong/INDEX.json"
for file in absent/a.json wrong/a.json links/sub/a.json "links/$(printf '\377').json"; do
  cp "$data/lcp_murty_16.json" "$scratch/$file"
done
ln -s nowhere "$scratch/links/lost.json"
ln -s ../../links "$scratch/links/sub/up"
bench "$scratch/absent"
contains err "left out: absent.json"
expect 4 bench "$scratch/wrong"
contains err "wrong/INDEX.json"
for known in 0 2; do
  bench "$scratch/links" -o "$scratch/links.jsonl"
  contains err "left out: lost.json"
  contains err "left out: sub/up"
  contains err "2 solves: $known known"
done

# --- little memory: a dense factorisation finds the working memory of OpenBLAS in its place
bench "$2/lcp_definite_100.json" --methods lemke,interior_point --memory-limit 16 -o "$scratch/little.jsonl"
lines whole "$scratch/little.jsonl"

# --- names and data: two files of one name, and a file that changes
mkdir -p "$scratch/one/p" "$scratch/two/p"
cp "$data/lcp_murty_16.json" "$scratch/one/p/a.json"
cp "$2/lcp_kostreva_3.json" "$scratch/two/p/a.json"
expect 3 bench "$scratch/one/p" "$scratch/two/p"
contains err "would both be a.json of p"
bench "$scratch/one/p" "$scratch/one/p/a.json" --methods auto,lemke -o "$scratch/changed.jsonl"
bench "$scratch/two/p" -o "$scratch/changed.jsonl"
# A run is no place for a report, whatever its name.
cp "$scratch/changed.jsonl" "$scratch/measured"
ln -s measured "$scratch/measured.md"
for runs in "measured" "changed.jsonl --against $scratch/measured"; do
  # shellcheck disable=SC2086  # a list of words
  expect 3 compare "$scratch"/$runs -o "$scratch/measured.md"
  contains err "the report would replace the run $scratch/measured"
done
cmp -s "$scratch/changed.jsonl" "$scratch/measured" || complain "a report replaced a run"
# A report that cannot be written leaves the old one, and nothing beside it.
printf 'old\n' >"$scratch/kept.md"
(ulimit -f 0; trap '' XFSZ; run compare "$scratch/changed.jsonl" -o "$scratch/kept.md") 2>/dev/null && complain "a report without room"
contains kept.md old
[ "$(ls "$scratch" | grep -c '^kept')" -eq 1 ] || complain "a part of a report is left"
expect 0 compare "$scratch/changed.jsonl" -o "$scratch/kept.md"
! grep -qx old "$scratch/kept.md" || complain "the old report was not replaced"
expect 0 compare "$scratch/changed.jsonl"
contains err "2 lines are of problems whose data changed"
contains out "| 3 |"

# --- one line per solve, with all that was asked for
bench "$data" --only lcp_ --tolerance 1e-4,1e-8 -o "$scratch/one.jsonl"
lines whole "$scratch/one.jsonl"
count=$(wc -l <"$scratch/one.jsonl")
[ "$count" -gt 10 ] || complain "$count lines"
bench "$data" --only lcp_ --tolerance 1e-4,1e-8 -o "$scratch/one.jsonl"
contains err "$count known, 0 run"
[ "$(wc -l <"$scratch/one.jsonl")" -eq "$count" ] || complain "a second run writes lines"
bench "$data" --only lcp_murty
lines whole "$scratch/out"
bench "$data" --only lcp_murty --methods all -o "$scratch/all.jsonl"
[ "$(wc -l <"$scratch/all.jsonl")" -gt 10 ] || complain "not all methods"

# --- what another machine measured is measured anew
bench "$data" --only lcp_ --tolerance 1e-4,1e-8 --machine another -o "$scratch/one.jsonl"
contains err "$count lines of"
contains err "another machine"
[ "$(wc -l <"$scratch/one.jsonl")" -eq $((2 * count)) ] || complain "lines of another machine were taken"

# --- files: what cannot be read is named and left out; two forms of a problem; a folder that names the class
mkdir -p "$scratch/files/relay"
printf 'nonsense' >"$scratch/files/bad.dat"
cp "$data/friction_3d_sphere_pile_160.hdf5" "$data/lcp_tridiagonal_200.mtx" "$data/lcp_tridiagonal_200_q.mtx" "$scratch/files"
"$nonsmooth" convert "$data/relay_sliding_mode_6.json" "$scratch/files/relay/sliding.dat" || complain "convert"
bench "$scratch/files" -o "$scratch/files.jsonl"
contains err "left out: bad.dat"
contains err "1 problems left out"
lines problems "$scratch/files.jsonl" "friction_3d_sphere_pile_160.hdf5 friction" "lcp_tridiagonal_200.mtx lcp" "relay/sliding.dat relay"

# --- HDF5 files of other classes than FCLIB's
mkdir "$scratch/native"
expect 0 convert "$data/lcp_murty_16.json" "$scratch/native/lcp.HDF5"
bench "$scratch/native" -o "$scratch/native.jsonl"
lines problems "$scratch/native.jsonl" "lcp.HDF5 lcp"
cp "$2/../tests/fuzz/corpus/fclib/two_forms" "$scratch/native/both.hdf5"
bench "$scratch/native" -o "$scratch/native.jsonl"
lines problems "$scratch/native.jsonl" "lcp.HDF5 lcp" "both.hdf5 friction" "both.hdf5 global_friction"

# --- a generated family
bench families:complementarity --only kostreva -o "$scratch/family.jsonl"
lines problems "$scratch/family.jsonl" "kostreva_3 lcp"

# --- a run that is asked to end leaves nothing behind
mkdir "$scratch/tmp"
printf '#!/bin/sh\n: >"%s/started"\nexec sleep 100\n' "$scratch" >"$scratch/slow_peer"
chmod +x "$scratch/slow_peer"
TMPDIR="$scratch/tmp" "$nonsmooth" bench "$data" --only lcp_murty_16 --peer "$scratch/slow_peer" -o "$scratch/ended.jsonl" 2>"$scratch/err" &
running=$!
while [ ! -e "$scratch/started" ] && kill -0 $running 2>/dev/null; do sleep 0.01; done
kill -TERM $running
wait $running
[ $? -eq 143 ] || complain "a run that is asked to end goes on"
contains err "interrupted; the same command goes on"
[ -z "$(ls "$scratch/tmp")" ] || complain "an interrupted run has left $(ls "$scratch/tmp")"

# --- kill -9 in the middle, twice, the second time in the middle of a line: nothing lost, nothing run twice
run="$data --only lcp --methods auto,lemke,interior_point --tolerance 1e-4,1e-8"
# shellcheck disable=SC2086  # a list of words
bench $run --jobs 2 -o "$scratch/whole.jsonl"
: >"$scratch/killed.jsonl"
for lines_before in 10 40; do
  # shellcheck disable=SC2086
  "$nonsmooth" bench --time-limit 2 $run -o "$scratch/killed.jsonl" 2>"$scratch/err" &
  running=$!
  while [ "$(wc -l <"$scratch/killed.jsonl")" -lt "$lines_before" ] && kill -0 $running 2>/dev/null; do sleep 0.01; done
  kill -9 $running
  wait $running 2>/dev/null
done
head -c -100 "$scratch/killed.jsonl" >"$scratch/half.jsonl"
kept=$(wc -l <"$scratch/half.jsonl")
head -n "$kept" "$scratch/half.jsonl" >"$scratch/kept.jsonl"
# shellcheck disable=SC2086
bench $run -o "$scratch/half.jsonl"
contains err ": $kept known"
lines same "$scratch/whole.jsonl" "$scratch/half.jsonl"
head -n "$kept" "$scratch/half.jsonl" | cmp -s - "$scratch/kept.jsonl" || complain "lines were changed"

# --- the parts make the whole
for part in 1 2 3; do
  # shellcheck disable=SC2086
  bench $run --shard $part/3 -o "$scratch/part$part.jsonl"
done
cat "$scratch"/part?.jsonl >"$scratch/parts.jsonl"
lines same "$scratch/whole.jsonl" "$scratch/parts.jsonl"

# --- two processes share one file: the same set, nothing twice
# shellcheck disable=SC2086
OMPI_COMM_WORLD_RANK=1 "$nonsmooth" bench --time-limit 2 $run -o "$scratch/shared.jsonl" 2>"$scratch/err1" &
# shellcheck disable=SC2086
OMPI_COMM_WORLD_RANK=0 "$nonsmooth" bench --time-limit 2 $run -o "$scratch/shared.jsonl" 2>"$scratch/err0"
wait
lines same "$scratch/whole.jsonl" "$scratch/shared.jsonl"
if command -v mpirun >/dev/null; then
  # shellcheck disable=SC2086
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 "$nonsmooth" bench \
    --time-limit 2 $run -o "$scratch/mpi.jsonl" >"$scratch/out" 2>"$scratch/err" || complain "mpirun"
  lines same "$scratch/whole.jsonl" "$scratch/mpi.jsonl"
fi
OMPI_COMM_WORLD_RANK=0 expect 3 bench "$data"

printf 'no program' >"$scratch/no_program"
expect 3 bench "$data" --only lcp_murty --peer "$scratch/no_program"
contains err "no_program: Permission denied"

# --- peers that crash, hang, answer, or answer before they crash: a row each
double() {
  printf '#!/bin/sh\n%s\n' "$2" >"$scratch/$1"
  chmod +x "$scratch/$1"
}
# shellcheck disable=SC2016  # the double's own argument
answer='printf "{\"method\": \"S\", \"tolerance\": %s, \"outcome\": \"certified\", \"residual\": 1e-12, \"seconds\": 0.5, \"certified\": true}\n" $4'
double crashes 'kill -ABRT $$'
double hangs 'sleep 1000'
double answers "$answer"
double refuses 'exit 0'
double babbles 'echo "{\"method\": 5}"; echo "{\"refused\": 3}"; echo "{\"method\": \"S\", \"certified\": \"yes\"}"'
double answers_and_crashes "$answer
printf '{\"method'
kill -SEGV \$\$"
bench "$data" --only lcp_murty --peer "$scratch/crashes" --peer "$scratch/hangs" --peer "$scratch/answers" --peer "$scratch/refuses" \
  --peer "$scratch/babbles" --peer "$scratch/answers_and_crashes" --peer-time-limit 0.05 --tolerance 1e-4,1e-8 -o "$scratch/peers.jsonl"
lines outcomes "$scratch/peers.jsonl" "auto converged" "crashes crashed" "hangs hung" "answers certified" "refuses no answer" "babbles no answer" \
  "answers_and_crashes certified"
contains out "signal 6"
expect 0 compare "$scratch/peers.jsonl"
contains out "Crashes and hangs"
contains out "answers:S"

# --- reports
expect 0 compare "$scratch/whole.jsonl" "$scratch/peers.jsonl" -o "$scratch/report.html" --title "A & B"
lines html "$scratch/report.html"
expect 0 compare "$scratch/whole.jsonl" -o "$scratch/report.md"
grep -q '^# Comparison of methods' "$scratch/report.md" || complain "no title in Markdown"
expect 3 compare "$scratch/whole.jsonl" -o "$scratch/report.pdf"
expect 4 compare "$scratch/whole.jsonl" -o "$scratch/no/such/report.md"
contains err "report.md: cannot be written: No such file"
expect 3 compare "$scratch/whole.jsonl" -o "$scratch/report.md" --pictures "$scratch"
contains err "accuracy or scaling"
expect 3 compare "$scratch/whole.jsonl" --reference no_such_method
expect 4 compare "$scratch/whole.jsonl" --against "$scratch/no_such.jsonl"

# --- reports with pictures
bench "$data" --only friction_3d --tolerance 1e-4,1e-8 -o "$scratch/contacts.jsonl"
mkdir "$scratch/pictures"
for subject in accuracy scaling; do
  expect 0 compare "$scratch/contacts.jsonl" --report $subject --pictures "$scratch/pictures" -o "$scratch/$subject.md"
  expect 0 compare "$scratch/contacts.jsonl" --report $subject -o "$scratch/$subject.html"
  lines html "$scratch/$subject.html" 2 2
  expect 4 compare "$scratch/whole.jsonl" --report $subject
done
grep -qF '](pictures/success-against-tolerance.svg)' "$scratch/accuracy.md" || complain "no picture in Markdown"
grep -qF '](pictures/scaling-time.svg)' "$scratch/scaling.md" || complain "no picture in Markdown"
for name in success-against-tolerance scaling-time scaling-memory; do
  lines svg "$scratch/pictures/$name.svg"
done
expect 3 compare "$scratch/contacts.jsonl" --report no_such_report
expect 3 compare "$scratch/contacts.jsonl" --report scaling --pictures "$scratch/pictures"

# --- regressions
expect 0 compare "$scratch/whole.jsonl" --against "$scratch/whole.jsonl"
contains err "0 regressions"
lines worsen "$scratch/whole.jsonl" "$scratch/worse.jsonl"
expect 1 compare "$scratch/worse.jsonl" --against "$scratch/whole.jsonl"
contains err "1 regressions"
contains out "lcp_murty_16.json"

finish
