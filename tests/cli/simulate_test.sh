#!/bin/sh
# `nonsmooth simulate`: outputs and exit codes. Usage: simulate_test.sh NONSMOOTH MODELS_FOLDER SCRATCH_FOLDER
set -u
nonsmooth=$1
models=$2
scratch=$(mktemp -d "$3/simulate.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
. "$(dirname -- "$0")/../support/command_test.sh"

# With $blocks as on a disk on which a file has no room beyond so many.
blocks=
run() (
  cd "$scratch" || exit 1
  [ -z "$blocks" ] || { trap '' XFSZ && ulimit -f "$blocks"; }
  exec "$nonsmooth" simulate "$@"
)

# lines FILE NUMBER
lines() {
  [ "$(wc -l <"$scratch/$1")" -eq "$2" ] || complain "$1 has not $2 lines"
}

# absent FILE
absent() {
  [ ! -e "$scratch/$1" ] || complain "$1 is there"
}

# unchanged FILE OTHER
unchanged() {
  cmp -s "$scratch/$1" "$scratch/$2" || complain "$1 has changed"
}

# change FROM TO: the ball with FROM replaced, as changed.xml.
change() {
  sed "s|$1|$2|" "$models/bouncing_ball.xml" >"$scratch/changed.xml"
}

ball=$models/bouncing_ball.xml

# --- help and usage
expect 0 --version
contains out "nonsmooth simulate "
expect 0 --help
contains out "Examples:"
for option in --output --quantities --every --plot --plot-file --steps --final-time --progress --quiet --summary --check --schema --save-state --save-every --resume; do
  contains out "$option"
done
expect 3
lines err 1
expect 3 "$ball" --no-such-option
expect 3 "$ball" --steps -1
contains err "--steps: -1 is not a whole number from 0"
expect 3 "$ball" --final-time -1
expect 3 "$ball" --final-time nan
expect 3 "$ball" --final-time inf
contains err "--final-time: inf is not a finite number"
expect 3 "$ball" --final-time 0
contains err "--final-time: 0 s is not after the initial time of the model, 0 s"
expect 3 "$ball" --summary xml
expect 3 "$ball" --every 2
contains err "--output"
expect 3 "$ball" --plot-file ball.svg
contains err "--plot-file needs --plot"
expect 0 --schema
contains out '"class":"MoreauJeanOSI"'

# --- every shipped model is certified, and its plots and tables can be made
for model in "$models"/*; do
  expect 0 "$model" --output table.csv --plot --plot-file plot.svg
  contains out "certified    all steps"
  contains plot.svg "</svg>"
  lines err 0
done

# --- output
expect 0 "$ball" -o ball.csv --every 10
lines ball.csv 202
contains ball.csv "t,ball_q0,ball_v0,ball_p0,floor_lambda0"
expect 0 "$models/bouncing_ball.json" -o other.csv --every 10
cmp -s "$scratch/ball.csv" "$scratch/other.csv" || complain "XML and JSON give different tables"
expect 4 "$ball" -o early.csv --plot --plot-file no/such/folder.svg
contains err "there is no folder no/such"
absent early.csv
expect 0 "$ball" -o q.csv --quantities "q[0] of ball, kinetic_energy" --steps 5
lines q.csv 7
contains q.csv "t,ball_q0,kinetic_energy"
expect 0 "$ball" -o short.csv --final-time 0.05
lines short.csv 12
# The first table without a name is the one asked for, whatever it says and does not say.
sed 's|<Output|<Output every="100"/><Output|' "$ball" > "$scratch/two.xml"
expect 0 "$scratch/two.xml" -o two.csv
lines two.csv 22
expect 4 "$ball" -o ball.txt
contains err 'ball.txt: a trajectory ends in .csv, .h5 or .hdf5'
expect 3 "$ball" -o ball.csv --quantities "q of box"
contains err 'no system or interaction is named "box"'
expect 3 "$ball" -o ball.csv --quantities "lambda of ball"
contains err 'quantity "lambda of ball": "ball" has none; known are q, v, x, p of a system; '
expect 3 "$ball" -o ball.csv --quantities "x"
contains err 'quantity "x": nothing in the model has it; known are '
expect 4 "$ball" -o no/such/folder/ball.csv
contains err "no/such/folder/ball.csv"

expect 0 "$ball" -o ball.h5 --quantities ""
contains out "ball.h5, 2001 rows"
expect 0 "$ball" -o columns.hdf5 --steps 3
contains out "columns.hdf5, 4 rows"

# --- a run that does nothing, or ends before its final time, has not succeeded
change 'h="0.005"' 'h="50"'
expect 3 changed.xml
contains err "no step lies between 0 s, where the run starts, and its final time, 10 s"
expect 0 changed.xml --steps 0
change 'h="0.005"' 'instants="0 0.1 10"'
expect 0 changed.xml --final-time 0.1
contains out "from 0 to 0.1 s in 1 steps"
expect 3 changed.xml --final-time 20 -o early.csv
contains err "the final time, 20 s, is after the last instant, 10 s"
absent early.csv
expect 0 "$ball" --final-time 5 --save-state half.state
expect 3 "$ball" --resume half.state --final-time 1
expect 3 "$ball" --resume half.state --final-time 5
contains err "no step lies between 5 s"
for end in 1 100; do
  expect 0 "$models/event_bouncing_ball.xml" --final-time $end
  contains out "from 0 to $end s"
done

# --- nothing that is read or written besides is replaced, and what can be known before the run is
cp "$ball" "$scratch/own.xml"
ln -s own.xml "$scratch/link.csv"
expect 3 own.xml --plot --plot-file own.xml
contains err "own.xml: a plot would replace the model, own.xml"
expect 3 own.xml --save-state ./own.xml
expect 3 own.xml -o link.csv
unchanged own.xml link.csv
cmp -s "$ball" "$scratch/own.xml" || complain "the model has changed"
expect 3 own.xml -o z.csv --plot --plot-file ./z.csv
contains err "z.csv: a plot would replace a table, z.csv"
absent z.csv
change '<Output ' '<Output file="same.csv"/><Output file="./same.csv" '
expect 3 changed.xml
contains err "./same.csv: a table would replace a table, same.csv"
absent same.csv
expect 4 "$ball" --plot --plot-file ball.png
contains err "ball.png: a plot ends in .svg"
expect 4 "$ball" -o twice.csv --quantities "q of ball, q of ball"
contains err 'there are two columns named "ball_q0"'
absent twice.csv
expect 4 "$ball" -o folder.csv --save-state .
absent folder.csv
expect 0 "$ball" --final-time 5 --save-state kept.state
cp "$scratch/kept.state" "$scratch/copy.state"
expect 3 "$ball" --save-state kept.state -o x.csv --quantities "q of bal"
expect 4 "$ball" --save-state kept.state -o x.txt
unchanged kept.state copy.state
expect 3 "$ball" --resume kept.state --plot --plot-file kept.state
expect 0 "$ball" --resume kept.state --save-state ./kept.state --final-time 6
for option in --output --plot-file --save-state --resume; do
  expect 3 "$ball" --plot "$option" ""
  contains err "$option: the name of a file is needed"
done

# --- a full disk is told as such, at instants and at events; what lies elsewhere is finished
blocks=4
expect 4 "$models/event_bouncing_ball.xml" -o full.csv
contains err "full.csv: File too large"
sed 's|h="0.01"|h="5"|' "$models/event_bouncing_ball.xml" >"$scratch/changed.xml"
expect 4 changed.xml -o full.csv
contains err "full.csv: File too large"
blocks=32
expect 4 "$ball" -o full.csv --save-state end.state --plot "q[0] of ball" --plot-file end.svg
contains err "full.csv: File too large"
contains end.svg "</svg>"
blocks=
expect 0 "$ball" --resume end.state
contains out "certified"
! grep -q "from 0 to" "$scratch/out" || complain "the state is that of the start"

# --- event-driven: rows before and after events
expect 0 "$models/rocking_block_impacts.xml" -o block.csv --summary json
lines block.csv 216
contains out '"accumulation":'
expect 0 "$models/event_bouncing_ball.xml" -o ball.h5
contains out "1 accumulation"
contains out " events"
expect 4 "$models/event_bouncing_ball.xml" --save-state ball.state
contains err "EventDriven cannot be saved and resumed"

# --- saved states: two parts of a run give the rows of the whole
expect 0 "$ball" -o whole.csv
expect 0 "$ball" -o first.csv --final-time 4 --save-state ball.state --save-every 300
contains out "ball.state"
expect 0 "$ball" -o second.csv --resume ball.state
contains out "from 4 to 10 s"
(cat "$scratch/first.csv" && tail -n +3 "$scratch/second.csv") >"$scratch/both.csv"
cmp -s "$scratch/whole.csv" "$scratch/both.csv" || complain "a resumed run differs"
lines err 0
change 'e="0.9"' 'e="0.8"'
expect 0 changed.xml --resume ball.state
contains err "warning: ball.state was saved with another model, or changed.xml has been edited since"
expect 3 "$ball" --save-every 10
expect 4 "$ball" --resume whole.csv
contains err "whole.csv: no saved state of a simulation"
expect 4 "$models/rigid_ball.xml" --resume ball.state
contains err "ball.state"

# --- plots
expect 0 "$ball" --plot "q[0] of ball, lambda of floor" --plot-file two.svg
contains two.svg "lambda[0] of floor"
expect 0 "$ball" --plot
contains out "bouncing_ball.svg"
contains bouncing_ball.svg "Bouncing ball"
expect 3 "$ball" --plot "q[9] of ball"
expect 4 "$ball" --plot --plot-file no/such/folder/ball.svg

# --- files the model names itself
change '<Output ' '<Output file="own.csv" every="100" '
expect 0 changed.xml
lines own.csv 22
contains out "own.csv, 21 rows"

# --- summary and quiet
expect 0 "$ball" --summary json
lines out 1
contains out '"certified_steps":2000'
! grep -q '"solver":0\.0[,}]' "$scratch/out" || complain "phases are not timed where they are told"
expect 0 "$ball" --quiet
lines out 0
lines err 0
expect 0 "$ball" --check
contains out "1 system, 1 interaction: the model can be run"
# Outputs are part of it; none is touched.
echo old >"$scratch/checked.csv"
expect 0 "$ball" --check -o checked.csv
contains checked.csv old
change '<Output ' '<Output file="own.txt" '
expect 4 changed.xml --check
contains err "own.txt: a trajectory ends in .csv, .h5 or .hdf5"
expect 4 "$ball" --check --plot --plot-file ball.png
contains err "ball.png: a plot ends in .svg"

# --- bad files
expect 4 missing.xml
contains err "missing.xml"
change 'theta=' 'thetta='
expect 4 changed.xml
contains err 'changed.xml:19: Model/TimeStepping/MoreauJeanOSI/thetta: unknown field of MoreauJeanOSI; did you mean "theta"?'
lines err 1
head -c 500 "$ball" >"$scratch/changed.xml"
expect 4 changed.xml
contains err "not well-formed XML"
change ' T="10"' ''
expect 3 changed.xml
contains err "no final time"
expect 0 changed.xml --steps 10

# --- steps without a certificate: the run ends at the first, or goes on and says so
limited='"method": "block_gauss_seidel", "Option": {"name": "max_iterations", "value": 1}'
sed "s|\"tolerance\": 1e-10|$limited|" "$models/stacked_boxes.json" >"$scratch/changed.json"
expect 1 changed.json -o kept.csv
contains err "the run ended at step 1 (t = 0.001 s): "
contains kept.csv "box1_q0"
# At an event it is the time of the event that is told.
limited='<LCP name="impact" method="extragradient"><Option name="max_iterations" value="1"/></LCP>'
sed "s|<LCP name=\"impact\"/>|$limited|" "$models/event_bouncing_ball.xml" >"$scratch/impact.xml"
expect 1 impact.xml
contains err "(t = 0.46 s): no certified solution of the problem \"impact\" at t = 0.45152364098"
sed -i 's|"TimeStepping": {|"TimeStepping": {"failurePolicy": "Record", |' "$scratch/changed.json"
expect 1 changed.json --summary json
contains err "not certified: step 1 (t = 0.001 s): iteration_limit, residual "
lines err 1
contains out '"steps":500'
contains out '"first_not_certified":{"step":1,'

# --- Ctrl-C and its like end a run with a whole step; what it has done is kept, and can be gone on with
sed 's| T="10"| T="1e6"|' "$ball" >"$scratch/long.xml"
for signal in INT TERM HUP; do
  rm -f "$scratch"/long.csv "$scratch"/long.svg "$scratch"/long.state
  # A shell without job control starts background commands with SIGINT ignored, nohup with SIGHUP; env --default-signal undoes that.
  (cd "$scratch" && exec env --default-signal=INT,HUP "$nonsmooth" simulate long.xml -o long.csv --every 10 \
    --plot "q[0] of ball" --plot-file long.svg --save-state long.state >out 2>err) &
  for _ in $(seq 600); do [ -s "$scratch/long.state" ] || sleep 0.1; done
  sleep 0.2
  end_by $signal 5
  contains out ", interrupted"
  contains err "nonsmooth simulate: interrupted after step "
  lines err 1
  contains long.svg "</svg>"
  end=$(sed -n 's/.*interrupted after step.*(t = \(.*\) s)/\1/p' "$scratch/err")
  expect 0 long.xml --resume long.state --steps 1 --summary json
  contains out "\"start\":$end"
  contains out '"interrupted":false'
done
# What was ignored at the start stays so.
(cd "$scratch" && exec env --ignore-signal=HUP "$nonsmooth" simulate long.xml --steps 1000000 -o long.csv >out 2>err) &
sleep 0.3
end_by HUP 0

finish
