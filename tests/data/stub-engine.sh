#!/bin/sh
# An engine that shakes hands as it should and then misbehaves in the way its argument says.
while read -r line; do
    case "$line" in
    uci)
        [ "$1" = mute ] || printf 'id name stub\noption name UCI_Variant type combo default scottish var scottish var italian\nuciok\n'
        ;;
    isready) [ "$1" = deaf ] || echo readyok ;;
    quit) exit 0 ;;
    go*)
        case "$1" in
        illegal) echo 'bestmove e2e5' ;;
        garbage) printf 'what?\n\377\376\001\nbestmove %%\033[2J \000\n' ;;
        liar) printf 'info string safe: proved\nbestmove g2g4\n' ;;
        none) echo 'bestmove (none)' ;;
        long) echo 'bestmove a2a3 b2b3 c2c3 d2d3 e2e3' ;;
        late) sleep 1; echo 'bestmove a2a3' ;;
        hang) while :; do sleep 1; done ;;
        flood) while :; do echo 'info string nothing to say'; done ;;
        crash) exit 3 ;;
        killed) kill -9 $$ ;;
        closed) exec >&-; sleep 1 ;;
        esac
        ;;
    esac
done
