# What tests of commands share; sourced once $scratch, a folder that the test may fill, is set. The test says
# what `run ARGUMENTS...` is.
failures=0

complain() {
  failures=$((failures + 1))
  echo "FAILED: $*"
  echo "  stdout: $(head -c 2000 "$scratch/out")"
  echo "  stderr: $(head -c 2000 "$scratch/err")"
}

# expect CODE ARGUMENTS...: runs the command; its output stays in $scratch/out and $scratch/err.
expect() {
  code=$1
  shift
  run "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
  got=$?
  [ "$got" -eq "$code" ] || complain "exit code $got, $code expected: nonsmooth $*"
}

# contains FILE TEXT: of the last run.
contains() {
  grep -qF -- "$2" "$scratch/$1" || complain "no '$2' in $1"
}

# The last run ended with one message of the command.
one_line_of_error() {
  lines=$(wc -l <"$scratch/err")
  [ "$lines" -eq 1 ] || complain "$lines lines on stderr, 1 expected"
  contains err "nonsmooth: "
}

# end_by SIGNAL CODE: what the command in the background, the last one started, makes of the signal.
end_by() {
  kill -s "$1" $!
  wait $!
  got=$?
  [ "$got" -eq "$2" ] || complain "exit code $got after SIG$1, $2 expected"
}

# The last line of a test.
finish() {
  [ "$failures" -eq 0 ] && echo "all passed"
  exit $((failures > 0))
}
