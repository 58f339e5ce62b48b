#!/bin/sh
# `nonsmooth simulate`: outputs and exit codes. Usage: simulate_test.sh NONSMOOTH MODELS_FOLDER SCRATCH_FOLDER
set -u
nonsmooth=$1
models=$2
scratch=$(mktemp -d "$3/simulate.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
. "$(dirname -- "$0")/../support/command_test.sh"

run() (cd "$scratch" && exec "$nonsmooth" simulate "$@")

# lines FILE NUMBER
lines() {
  [ "$(wc -l <"$scratch/$1")" -eq "$2" ] || complain "$1 has not $2 lines"
}

# change FROM TO: the ball with FROM replaced, as changed.xml.
change() {
  sed "s|$1|$2|" "$models/bouncing_ball.xml" >"$scratch/changed.xml"
}

ball=$models/bouncing_ball.xml

# --- help and usage
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
lines early.csv 0
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
expect 4 "$ball" -o no/such/folder/ball.csv
contains err "no/such/folder/ball.csv"

expect 0 "$ball" -o ball.h5 --quantities ""
contains out "ball.h5, 2001 rows"
expect 0 "$ball" -o columns.hdf5 --steps 3
contains out "columns.hdf5, 4 rows"

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
expect 0 "$ball" --quiet
lines out 0
lines err 0
expect 0 "$ball" --check
contains out "the model can be run"

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
sed -i 's|"TimeStepping": {|"TimeStepping": {"failurePolicy": "Record", |' "$scratch/changed.json"
expect 1 changed.json --summary json
contains err "not certified: step 1 (t = 0.001 s): iteration_limit, residual "
lines err 1
contains out '"steps":500'
contains out '"first_not_certified":{"step":1,'

finish
