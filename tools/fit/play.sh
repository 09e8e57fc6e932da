#!/bin/sh
# Plays the games of one variant to which weights are fitted: play.sh ENGINE VARIANT FOLDER
#
# Two node limits, because an engine repeats its games against itself. First games from random turns,
# then games from ends of turns that the engine would not have chosen (spread.py). FOLDER receives
# files for features.py. About an hour for Scottish on a busy core; fewer PAIRS and SPREAD do for the
# other variants.
set -eu
engine=$1 variant=$2 folder=$3
here=$(dirname "$0")
python=${PYTHON:-python3}
mkdir -p "$folder"

play() { # NAME OPTION...
    name=$1
    shift
    nice -n 15 "$engine" match --engine "$engine;name=a;nodes=12000" --engine "$engine;name=b;nodes=18000" \
        --variant "$variant" --concurrency 1 --last-turn 60 --jsonl "$folder/$variant-$name.jsonl" "$@"
}

play 2 --random-turns 2 --seed 11 --pairs "${PAIRS:-750}"
play 3 --random-turns 3 --seed 11 --pairs "${PAIRS:-500}"
nice -n 15 "$python" "$here/spread.py" "$engine" "$folder/$variant-spread.txt" "${SPREAD:-5400}" \
    "$folder/$variant-2.jsonl" "$folder/$variant-3.jsonl"
play spread --openings "$folder/$variant-spread.txt" --pairs "$(wc -l < "$folder/$variant-spread.txt")"
