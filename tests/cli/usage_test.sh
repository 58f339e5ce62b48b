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
expect 3 solve "$good" --metod lemke
contains err 'nonsmooth: The following arguments were not expected: --metod lemke (see `nonsmooth solve --help`)'
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

# --- texts of files begin no line and tell the terminal nothing
problem "$scratch/loud.json" ', "title": "a\u001b[31m title\n  class         relay"'
expect 0 info "$scratch/loud.json"
contains out "  title         a [31m title   class         relay"
[ "$(wc -l <"$scratch/out")" -eq 9 ] || complain "not 9 lines"
problem "$scratch/loud.json" ', "loud\n\u001b\u007f": 1'
expect 4 info "$scratch/loud.json"
contains err "unknown field loud   "
one_line_of_error
sed 's|title="Bouncing ball"|title="a\&#27;[31m\&#10;title"|' "$models/bouncing_ball.xml" >"$scratch/loud.xml"
expect 0 simulate "$scratch/loud.xml" --steps 1
contains out "model        a [31m title ("

# --- folders are no programs
mkdir -p "$scratch/folders/nonsmooth-greet" "$scratch/plain" "$scratch/programs"
printf '#!/bin/sh\necho "hello $*"\n' >"$scratch/programs/nonsmooth-greet"
cp "$scratch/programs/nonsmooth-greet" "$scratch/plain"
chmod +x "$scratch/programs/nonsmooth-greet"
PATH=$scratch/folders:$scratch/plain:$PATH expect 3 greet
contains err "no program nonsmooth-greet"
PATH=$scratch/folders:$scratch/plain:$PATH expect 0 --help
! grep -qw greet "$scratch/out" || complain "a folder, or a file that cannot be run, is listed"
PATH=$scratch/folders:$scratch/plain:$scratch/programs:$PATH expect 0 greet you
contains out "hello you"

# --- a reader that has gone away, of the answer or of the log, does not take the answer; nor does a signal that comes late
python3 - "$nonsmooth" "$good" "$scratch" <<'PYTHON' >"$scratch/out" 2>"$scratch/err" || complain "a pipe that nobody reads"
import json, os, select, signal, subprocess, sys, time

nonsmooth, problem, scratch = sys.argv[1:]
for n, streams in enumerate([("stdout",), ("stderr",), ("stdout", "stderr")]):
    answer = f"{scratch}/answer{n}.json"
    reader, writer = os.pipe()
    os.close(reader)
    arguments = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **{name: writer for name in streams}}
    done = subprocess.run([nonsmooth, "solve", problem, "--verbose", "--output", answer], **arguments)
    os.close(writer)
    assert done.returncode == (4 if "stdout" in streams else 0), (streams, done.returncode)
    assert json.load(open(answer))["z"] == [0.5], streams

# A reader that takes its time, with more than fits into the pipe: the solve is over by then.
n = 20000
large, pipe = f"{scratch}/large.json", f"{scratch}/late.json"
json.dump({"format": "nonsmooth-problem", "version": 1, "class": "lcp", "q": [-1.0] * n,
           "M": {"storage": "csc", "rows": n, "cols": n, "start": list(range(n + 1)), "index": list(range(n)), "values": [2.0] * n}},
          open(large, "w"))
os.mkfifo(pipe)
reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
running = subprocess.Popen([nonsmooth, "solve", large, "--output", pipe], stdout=subprocess.DEVNULL)
assert select.select([reader], [], [], 20)[0]
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    running.send_signal(number)
    time.sleep(0.05)
os.set_blocking(reader, True)
assert json.load(os.fdopen(reader))["z"] == [0.5] * n
assert running.wait(20) == 0, running.returncode

# While nobody reads, one signal is enough; who comes late gets all.
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, None):
    running = subprocess.Popen([nonsmooth, "solve", problem, "--verbose", "--output", pipe], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    running.stderr.readline()  # of the last stage
    time.sleep(0.5)
    if number is None:
        assert json.load(open(pipe))["z"] == [0.5]
    else:
        running.send_signal(number)
    message = running.communicate(timeout=20)[1].decode()
    assert running.returncode == (5 if number else 0), (number, running.returncode)
    assert not number or "interrupted before anything read it" in message, message
PYTHON

finish
