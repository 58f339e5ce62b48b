#!/bin/sh
# The command `nonsmooth`: outputs and exit codes of every sub-command. Usage: cli_test.sh NONSMOOTH DATA_FOLDER SCRATCH_FOLDER
set -u
nonsmooth=$1
data=$2
scratch=$(mktemp -d "$3/cli.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
. "$(dirname -- "$0")/../support/command_test.sh"

run() { "$nonsmooth" "$@"; }

lcp() {  # lcp M11 q1 MORE: a problem with one unknown
  printf '{"format": "nonsmooth-problem", "version": 1, "class": "lcp",\n "M": {"storage": "dense", "rows": 1, "cols": 1, "values": [%s]},\n "q": [%s]%s}\n' "$1" "$2" "$3"
}
good=$scratch/good.json
lcp 2 -1 ', "guess": [0.25]' >"$good"

# --- help and version
expect 0 --help
contains out "Examples:"
contains out "nonsmooth COMMAND --help"
expect 0 --version
contains out "nonsmooth "
ln -s /bin/true "$scratch/nonsmooth-of-another"
PATH=$scratch:$PATH expect 0 --help
contains out " of-another"
expect 0 solve --help
contains out "solve problem.json --method lemke"
! grep -qF "nonsmooth check" "$scratch/out" || complain "the examples of solve are those of all"
expect 3
one_line_of_error
expect 3 --no-such-option
expect 3 solve
one_line_of_error

# --- solve
expect 0 solve "$good"
contains out "converged"
contains out "certified"
[ ! -s "$scratch/err" ] || complain "solve writes to stderr"
expect 0 solve "$good" --json -o "$scratch/solution.json"
contains out '"outcome":"converged"'
[ "$(wc -l <"$scratch/out")" -eq 1 ] || complain "--json is not one line"
expect 0 solve "$good" --guess "$good" --method lemke --tolerance 1e-10 --set max_iterations=50 --time-limit 10
expect 3 solve "$good" --method no_such_method
contains err "no_such_method"
one_line_of_error
expect 3 solve "$good" --set no_such_option=1
contains err "no_such_option"
contains err '`nonsmooth options`'
expect 3 solve "$good" --set tolerence=1e-3
contains err "no option is named 'tolerence'; did you mean 'tolerance'? (see"
expect 3 solve "$good" --method lemk
contains err "no method is named 'lemk'; did you mean 'lemke'? (see"
contains err '`nonsmooth methods`'
expect 3 solve "$good" --tolerance 1e-4 --set tolerance=1e-10
contains err "tolerance is given twice"
expect 0 solve "$good" --method lemke --set relaxation=1.5 --set restarts=2
contains err "lemke does not read the option relaxation"
one_line_of_error
expect 0 solve "$good" --set relaxation=1.5 --method auto
[ ! -s "$scratch/err" ] || complain "auto hands options on"
expect 0 solve "$good" --method lemke --threads 2
contains err "lemke does not read the option threads"
for threads in 1.5 0 257 two; do
  expect 3 solve "$good" --threads $threads
  contains err "'$threads' is not a whole number from 1 to 256"
done
expect 3 solve "$good" --method ""
contains err "'' is no method"
one_line_of_error
expect 3 solve "$good" --set tolerance
expect 3 solve "$good" --class no_such_class
expect 3 solve "$good" --tolerance -1
lcp 0 -1 "" >"$scratch/infeasible.json"
expect 2 solve "$scratch/infeasible.json"
contains out "infeasible"
expect 0 convert "$scratch/infeasible.json" "$scratch/infeasible.hdf5"
cp "$scratch/infeasible.hdf5" "$scratch/before.hdf5"
expect 2 solve "$scratch/infeasible.hdf5" -o "$scratch/infeasible.hdf5"
contains err "infeasible.hdf5.json"
cmp -s "$scratch/infeasible.hdf5" "$scratch/before.hdf5" || complain "the proof replaced the problem"
expect 2 check "$scratch/infeasible.hdf5" "$scratch/infeasible.hdf5.json"
# Rows that contradict each other by less than the tolerance: there a point that meets it is a solution. Below it the proof holds,
# and check asks for no more than solve does.
printf '{"format": "nonsmooth-problem", "version": 1, "class": "lcp", "q": [1, -1.000000005],
 "M": {"storage": "dense", "rows": 2, "cols": 2, "values": [1, -1, -1, 1]}}' >"$scratch/hardly.json"
expect 0 solve "$scratch/hardly.json"
expect 2 solve "$scratch/hardly.json" --tolerance 1e-10 -o "$scratch/hardly_proof.json"
expect 2 check "$scratch/hardly.json" "$scratch/hardly_proof.json"
expect 1 check "$scratch/hardly.json" "$scratch/hardly_proof.json" --tolerance 1e-8
# A solution in HDF5 and a proof beside it: the one that this solve has not written is named, and kept.
expect 0 solve "$scratch/hardly.json" -o "$scratch/hardly.hdf5"
[ ! -s "$scratch/err" ] || complain "there is no proof yet"
cp "$scratch/hardly.hdf5" "$scratch/before.hdf5"
expect 2 solve "$scratch/hardly.json" --tolerance 1e-10 -o "$scratch/hardly.hdf5"
contains err "hardly.hdf5' stays as it was"
cmp -s "$scratch/hardly.hdf5" "$scratch/before.hdf5" || complain "the solution of an earlier solve was lost"
expect 0 solve "$scratch/hardly.json" -o "$scratch/hardly.hdf5"
contains err "hardly.hdf5.json' holds the proof of an earlier solve"
one_line_of_error
expect 2 check "$scratch/hardly.json" "$scratch/hardly.hdf5.json"
cp "$scratch/infeasible.json" "$scratch/problem.hdf5.json"
expect 4 solve "$scratch/problem.hdf5.json" -o "$scratch/problem.hdf5"  # its proof would be problem.hdf5.json
cmp -s "$scratch/infeasible.json" "$scratch/problem.hdf5.json" || complain "the proof replaced the problem"

# --- all solutions, where a method lists them
printf '{"format": "nonsmooth-problem", "version": 1, "class": "lcp", "q": [-1, -1],
 "M": {"storage": "dense", "rows": 2, "cols": 2, "values": [1, 2, 2, 1]}}' >"$scratch/three.json"
expect 0 solve "$scratch/three.json" --method enumeration --set all_solutions=true
contains out "3 isolated solutions"
expect 0 solve "$scratch/three.json" --method enumeration --set all_solutions=true --json
python3 -c 'import json, sys; assert len(json.load(open(sys.argv[1]))["all_solutions"]) == 3' "$scratch/out" || complain "not all solutions"
expect 0 solve "$scratch/three.json" --set all_solutions=true
contains err "auto found one solution and looked for no other"
expect 0 solve "$good" --method enumeration --set all_solutions=true --json
python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["all_solutions"] == [{"z": [0.5], "w": [0]}]' "$scratch/out" ||
  complain "the only solution is not listed"
expect 3 solve "$good" -o ""
one_line_of_error

# --- what is tried, on request
expect 0 solve "$good" --verbose
contains err "auto: "
expect 0 solve "$good"
[ -s "$scratch/err" ] && complain "stderr is not empty without --verbose"

# --- a limit, and the best iterate all the same
stack=$data/friction_3d_box_stack.json
expect 0 info "$stack"
expect 5 solve "$stack" --method block_gauss_seidel --set max_iterations=1 -o "$scratch/limited.json"
contains out "iteration_limit"
expect 1 check "$stack" "$scratch/limited.json"
contains out "not certified"

# --- check: the residual of another process, to the bit
expect 0 check "$good" "$scratch/solution.json"
contains out "certified: residual "
first=$(cat "$scratch/out")
expect 0 check "$good" "$scratch/solution.json"
[ "$first" = "$(cat "$scratch/out")" ] || complain "two checks differ"
expect 0 check "$good" "$scratch/solution.json" --json
contains out '"verdict":"certified"'
expect 1 check "$good" "$good"
contains out "not certified"
expect 3 check "$good" "$good" --tolerance -1
for tolerance in nan inf 1.5; do
  expect 3 check "$good" "$good" --tolerance $tolerance
  contains err "$tolerance is outside 0 .. 1"
done
expect 4 check "$good" "$scratch/missing.json"
contains err "missing.json"
: >"$scratch/no_solution.json"
expect 4 check "$good" "$scratch/no_solution.json"
contains err "the file is empty"
printf '{"format": "nonsmooth-solution", "version": 1, "z": [1, 2]}' >"$scratch/long.json"
expect 4 check "$good" "$scratch/long.json"
contains err "long.json"

# --- a residual below the tolerance that rounding makes meaningless: the reason is told
printf '{"format": "nonsmooth-solution", "version": 1, "z": [1e12]}' >"$scratch/huge_z.json"
lcp 1 -1e12 "" >"$scratch/huge.json"  # relative to q: fine
expect 0 check "$scratch/huge.json" "$scratch/huge_z.json"
printf '{"format": "nonsmooth-problem", "version": 1, "class": "global_friction", "dimension": 2, "f": [1e12, 0], "w": [0, 0], "mu": [0],
 "M": {"storage": "dense", "rows": 2, "cols": 2, "values": [1, 0, 0, 1]},
 "H": {"storage": "dense", "rows": 2, "cols": 2, "values": [1, 0, 0, 1]}}' >"$scratch/huge_global.json"
printf '{"format": "nonsmooth-solution", "version": 1, "z": [1e12, 0, 0, 0]}' >"$scratch/huge_z.json"
expect 1 check "$scratch/huge_global.json" "$scratch/huge_z.json"
contains out "not certified: residual 0,"
contains out "too high for a residual to say anything"

# --- info, methods, options
expect 0 info "$good"
contains out "lcp"
contains out "positive definite"
expect 0 info "$good" --json
contains out '"class":"lcp"'
contains out '"eigenvalue_min_estimated":false'
expect 0 info "$data/friction_2d_discs_210.json"  # 420 unknowns, more forces than motions
contains out "positive semidefinite"
expect 0 info "$data/global_friction_3d_falling_box.json"
contains out "|f|           4.6791"
expect 0 methods
contains out "lemke"
expect 0 methods --json
contains out '"name":"lemke"'
expect 0 options
contains out "tolerance"
expect 0 options lemke --json
contains out '"name":"tolerance"'
expect 3 options no_such_method
one_line_of_error

# --- convert: there and back
for ending in json hdf5 dat mtx; do
  expect 0 convert "$good" "$scratch/copy.$ending"
  expect 0 convert "$scratch/copy.$ending" "$scratch/back_$ending.json" --class lcp
  expect 0 solve "$scratch/back_$ending.json"
  expect 0 check "$scratch/back_$ending.json" "$scratch/solution.json"
done
expect 0 convert "$good" "$scratch/named" --format fclib
expect 0 info "$scratch/named"
expect 4 convert "$good" "$scratch/copy.unknown"
one_line_of_error
expect 3 convert "$good" "$scratch/copy.json" --format no_such_format
expect 4 convert "$good" "$scratch/no_such_folder/copy.json"
contains err "'$scratch/no_such_folder/copy.json'"

# --- M and q of Matrix Market are two files: neither is written over the other
cp "$scratch/copy_q.mtx" "$scratch/kept"
ln -s copy_q.mtx "$scratch/link.json"
printf '\357\273\277' | cat - "$scratch/copy.mtx" >"$scratch/marked.mtx" # with a byte order mark
ln -s copy_q.mtx "$scratch/marked_q.mtx"
for to in copy_q.mtx ./copy_q.mtx link.json "copy_q.mtx --format json"; do
  for from in copy marked; do
    # shellcheck disable=SC2086  # a list of words
    expect 4 convert "$scratch/$from.mtx" "$scratch/"$to
    one_line_of_error
    contains err "' holds the q of '$scratch/$from.mtx'"
  done
done
cmp -s "$scratch/copy_q.mtx" "$scratch/kept" || complain "the q of a problem was lost"
expect 0 convert "$scratch/copy.mtx" "$scratch/copy.mtx"
expect 0 info "$scratch/copy.mtx"
cp "$good" "$scratch/json_q.mtx"
cp "$good" "$scratch/json_q.MTX"
cp "$good" "$scratch/json_q"
for to in json.mtx json.MTX "json --format mtx"; do
  # shellcheck disable=SC2086  # a list of words
  expect 4 convert "$scratch/$(echo "$to" | sed 's/json/json_q/; s/ .*//')" "$scratch/"$to
  one_line_of_error
  contains err "' is the problem file: the q of '$scratch/json"
done
expect 0 info "$scratch/json_q.mtx"
expect 0 convert "$scratch/json_q.mtx" "$scratch/json.mtx" --format json

# --- a file that holds two forms of a problem
two_forms=$data/../tests/fuzz/corpus/fclib/two_forms
cp "$two_forms" "$scratch/both.hdf5"
expect 0 info "$scratch/both.hdf5"
contains out "also holds    global_friction"
expect 0 info "$scratch/both.hdf5" --json --class global_friction
contains out '"also_holds":["friction"]'
for class in friction global_friction; do
  expect 4 convert "$scratch/both.hdf5" "$scratch/both.hdf5" --class $class
  one_line_of_error
  expect 4 solve "$scratch/both.hdf5" -o "$scratch/both.hdf5" --class $class
  one_line_of_error
done
cmp -s "$two_forms" "$scratch/both.hdf5" || complain "one of two forms was lost"
expect 0 convert "$scratch/both.hdf5" "$scratch/one.hdf5" --class global_friction
expect 0 convert "$scratch/one.hdf5" "$scratch/one.hdf5"
expect 0 info "$scratch/one.hdf5" --json
contains out '"also_holds":[]'

# --- a local problem with a bilateral part
printf '{"format": "nonsmooth-problem", "version": 1, "class": "generic", "q": [0.5, -1, 0.25], "mu": [0, 0.5],
 "block_kind": ["equality", "friction_2d"], "block_size": [1, 2], "guess": [0.1, 1, 0],
 "M": {"storage": "dense", "rows": 3, "cols": 3, "values": [1, 0.5, 0.25, 0.5, 2, 0, 0.25, 0, 2]}}' >"$scratch/bilateral.json"
expect 0 convert "$scratch/bilateral.json" "$scratch/bilateral.hdf5"
grep -qF fclib_local "$scratch/bilateral.hdf5" || complain "not in the layout of FCLIB"
expect 0 info "$scratch/bilateral.hdf5"
contains out ": generic"
contains out "3, 1 of them in equalities"
expect 0 solve "$scratch/bilateral.hdf5" --guess "$scratch/bilateral.hdf5" -o "$scratch/bilateral_solved.hdf5"
expect 0 check "$scratch/bilateral.json" "$scratch/bilateral_solved.hdf5"
expect 0 convert "$scratch/bilateral_solved.hdf5" "$scratch/bilateral_back.json"
expect 0 check "$scratch/bilateral.hdf5" "$scratch/bilateral_back.json"

# --- info reads a pipe once
mkfifo "$scratch/pipe.hdf5"
timeout 20 cat "$two_forms" >"$scratch/pipe.hdf5" &
timeout 20 "$nonsmooth" info "$scratch/pipe.hdf5" >"$scratch/out" 2>"$scratch/err" || complain "info of a pipe"
wait $!
contains out "also holds    global_friction"
timeout 20 cat "$good" >"$scratch/pipe.hdf5" &
timeout 20 "$nonsmooth" info "$scratch/pipe.hdf5" --class lcp >"$scratch/out" 2>"$scratch/err" || complain "info of a pipe with JSON"
wait $!
contains out "positive definite"

# --- bodies that part: without reactions, but a solution all the same
printf '{"format": "nonsmooth-problem", "version": 1, "class": "friction", "dimension": 2, "q": [1, 2], "mu": [0.5], "guess": [3, 0],
 "W": {"storage": "dense", "rows": 2, "cols": 2, "values": [1, 0, 0, 1]}}' >"$scratch/parting.json"
expect 0 solve "$scratch/parting.json" -o "$scratch/parting.hdf5"
expect 0 check "$scratch/parting.json" "$scratch/parting.hdf5"
expect 0 convert "$scratch/parting.hdf5" "$scratch/parted.json"
grep -qF '"solution"' "$scratch/parted.json" || complain "the solution was lost"

# --- bad input
expect 4 info "$scratch/missing.json"
contains err "missing.json"
one_line_of_error
expect 4 info "$data/INDEX.json"
contains err 'format is "nonsmooth-collection", not "nonsmooth-problem"'
one_line_of_error
printf 'nonsense' >"$scratch/nonsense"
expect 4 solve "$scratch/nonsense"
one_line_of_error
: >"$scratch/empty"
expect 4 solve "$scratch/empty"
one_line_of_error
expect 4 solve "$scratch"
one_line_of_error
lcp 2 '"nan"' "" >"$scratch/nan.json"
expect 4 solve "$scratch/nan.json"
contains err "q[0] is nan"
contains err "nan.json"
expect 4 solve "$good" --class relay
contains err "relay"

# --- output that cannot be written
if [ -w /dev/full ]; then
  expect 4 solve "$good" -o /dev/full
  one_line_of_error
  "$nonsmooth" methods >/dev/full 2>"$scratch/err"
  [ $? -eq 4 ] || complain "a full stdout goes unnoticed"
  [ -c /dev/full ] || complain "/dev/full was replaced"
fi
expect 4 solve "$good" -o "$scratch/no/such/folder.json"
contains err "folder.json"
one_line_of_error

# --- output that cannot be written is refused before the solve, not after it
mkdir "$scratch/folder.json"
for output in "$scratch/no/such/folder.json" "$scratch/solution.txt" "$scratch/solution.dat" "$scratch" "$scratch/folder.json"; do
  expect 4 solve "$good" -o "$output" --verbose
  one_line_of_error
  contains err "$output"
  [ -s "$scratch/out" ] && complain "solved before $output was found to be no place for the answer"
done
cp "$good" "$scratch/precious.json"
expect 4 solve "$scratch/precious.json" -o "$scratch/../$(basename "$scratch")/precious.json"
contains err "problem file"
cmp -s "$good" "$scratch/precious.json" || complain "the problem file was replaced by its solution"
expect 0 convert "$good" "$scratch/precious.hdf5"
expect 0 solve "$scratch/precious.hdf5" -o "$scratch/precious.hdf5"  # holds both
expect 0 check "$scratch/precious.hdf5" "$scratch/precious.hdf5"

# --- a device is no problem: this one would never end
if [ -r /dev/zero ]; then
  for arguments in "solve /dev/zero" "info /dev/zero" "solve $good --guess /dev/zero" "check $good /dev/zero"; do
    # shellcheck disable=SC2086  # a list of words
    timeout 20 "$nonsmooth" $arguments >"$scratch/out" 2>"$scratch/err"
    [ $? -eq 4 ] || complain "$arguments"
    contains err "cannot read '/dev/zero': it is a device"
    one_line_of_error
  done
fi

# --- a device or a pipe is not asked what it holds: it would never say
mkfifo "$scratch/pipe.json"
timeout 20 cat "$scratch/pipe.json" >"$scratch/piped" &
timeout 20 "$nonsmooth" solve "$good" -o "$scratch/pipe.json" >"$scratch/out" 2>"$scratch/err" || complain "a pipe as output"
wait $!
grep -qF '"nonsmooth-solution"' "$scratch/piped" || complain "the solution did not go through the pipe"
if [ -w /dev/full ]; then
  ln -s /dev/full "$scratch/full.json"
  timeout 20 "$nonsmooth" solve "$good" -o "$scratch/full.json" >"$scratch/out" 2>"$scratch/err"
  [ $? -eq 4 ] || complain "a full device as output"
  contains err "full.json"
fi

# --- an answer replaces an older one, but no other problem
lcp 3 -1 "" >"$scratch/other.json"
expect 0 convert "$scratch/other.json" "$scratch/other.hdf5"
for other in "$scratch/other.json" "$scratch/other.hdf5" "$scratch/both.hdf5" "$scratch/infeasible.hdf5"; do
  cp "$other" "$scratch/kept"
  expect 4 solve "$good" -o "$other"
  contains err "holds a problem of class"
  one_line_of_error
  cmp -s "$other" "$scratch/kept" || complain "$other was replaced"
done
# The same figures in another order.
for q in "-1, -2" "-2, -1"; do
  printf '{"format": "nonsmooth-problem", "version": 1, "class": "lcp", "q": [%s],
 "M": {"storage": "dense", "rows": 2, "cols": 2, "values": [1, 0, 0, 1]}}' "$q" >"$scratch/order$q.json"
done
expect 0 convert "$scratch/order-1, -2.json" "$scratch/order.hdf5"
expect 4 solve "$scratch/order-2, -1.json" -o "$scratch/order.hdf5"
contains err "holds a problem of class"
expect 0 solve "$scratch/order-1, -2.json" -o "$scratch/order.hdf5"
for answer in answer.json answer.hdf5; do
  expect 0 solve "$good" -o "$scratch/$answer"
  expect 0 solve "$good" --method lemke -o "$scratch/$answer"
done

# --- data that are found to be wrong by the setup are a bad file, not wrong usage
printf '{"format": "nonsmooth-problem", "version": 1, "class": "global_friction", "dimension": 2, "f": [1, 1], "w": [0, 0], "mu": [0.5],
 "M": {"storage": "dense", "rows": 2, "cols": 2, "values": [1, 1, 1, 1]},
 "H": {"storage": "dense", "rows": 2, "cols": 2, "values": [1, 0, 0, 1]}}' >"$scratch/singular.json"
expect 4 solve "$scratch/singular.json"
contains err "singular.json: M is singular"

# --- programs of other layers
mkdir "$scratch/programs"
printf '#!/bin/sh\necho "hello $*"\nexit 42\n' >"$scratch/programs/nonsmooth-hello"
chmod +x "$scratch/programs/nonsmooth-hello"
expect 3 hello
contains err "hello"
one_line_of_error
old_path=$PATH
PATH=$scratch/programs:$PATH
export PATH
expect 42 hello big --world
contains out "hello big --world"
PATH=$old_path
expect 3 ../programs/hello

# --- OpenBLAS: processors that it does not know get kernels of their own, unless the environment names some.
if [ -r /proc/cpuinfo ] && grep -qw avx2 /proc/cpuinfo && grep -qw fma /proc/cpuinfo && [ -z "${OPENBLAS_CORETYPE:-}" ]; then
  OPENBLAS_VERBOSE=2 expect 0 solve "$good"
  case $(grep '^Core: ' "$scratch/err" | tail -n 1) in *Prescott) complain "OpenBLAS keeps its oldest kernels" ;; esac
  OPENBLAS_VERBOSE=2 OPENBLAS_CORETYPE=Prescott expect 0 solve "$good"
  case $(grep '^Core: ' "$scratch/err" | tail -n 1) in "" | *Prescott) ;; *) complain "the kernels asked for are not taken" ;; esac
fi

# --- Ctrl-C: the best iterate is written.
python3 - "$scratch/long.json" <<'PYTHON' || complain "python3 is needed"
import json, sys
n = 600  # second differences: Gauss-Seidel contracts by 1 - O(1/n^2)
start, index, values = [0], [], []
for j in range(n):
    for i in range(max(0, j - 1), min(n, j + 2)):
        index.append(i)
        values.append(2 if i == j else -1)
    start.append(len(index))
json.dump({"format": "nonsmooth-problem", "version": 1, "class": "lcp",
           "M": {"storage": "csc", "rows": n, "cols": n, "start": start, "index": index, "values": values},
           "q": [-1.0 for _ in range(n)]}, open(sys.argv[1], "w"))
PYTHON
for signal in INT TERM HUP; do
  rm -f "$scratch/interrupted.json"
  # A shell without job control starts background commands with SIGINT ignored, nohup with SIGHUP; env --default-signal undoes that.
  env --default-signal=INT,HUP "$nonsmooth" solve "$scratch/long.json" --method block_gauss_seidel --tolerance 0 \
    --set max_iterations=1000000000 -o "$scratch/interrupted.json" >"$scratch/out" 2>"$scratch/err" &
  sleep 1
  end_by $signal 5
  contains out "cancelled"
  [ -s "$scratch/interrupted.json" ] || complain "no best iterate after SIG$signal"
done
# What was ignored at the start stays so.
env --ignore-signal=HUP "$nonsmooth" solve "$scratch/long.json" --method block_gauss_seidel --tolerance 0 --time-limit 1 \
  --set max_iterations=1000000000 >"$scratch/out" 2>"$scratch/err" &
sleep 0.5
end_by HUP 5
contains out "time_limit"

finish
