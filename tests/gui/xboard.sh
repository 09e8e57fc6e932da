#!/usr/bin/env bash
# Plays with the real XBoard against `crescendo ics`, on a screen that nobody sees: 1.e4 by mouse,
# series 2 of the engine move by move, series 3 by mouse; then looks at the game that XBoard saves.
#
#   tests/gui/xboard.sh BINARY [PICTURE]    PICTURE: where to put a screenshot of the game
#
# Needs xboard, Xvfb, xdotool and ImageMagick. Where they are missing it tries to install them, and
# if that is not possible says "skipped" and succeeds.
set -euo pipefail

binary=$(realpath "${1:?the binary}")
picture=$(realpath -m "${2:-/dev/null}")
PATH=$PATH:/usr/games

missing() {
    local tool
    for tool in xboard Xvfb xdotool import convert compare; do
        command -v "$tool" >/dev/null || { echo "$tool"; return; }
    done
}

if [ -n "$(missing)" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    {
        timeout 300 apt-get update || true
        timeout 600 apt-get install -y --no-install-recommends xboard xvfb xdotool imagemagick || true
    } >/dev/null 2>&1
fi
if [ -n "$(missing)" ]; then
    echo "tests/gui/xboard.sh skipped: $(missing) is missing and cannot be installed"
    exit 0
fi

room=$(mktemp -d)
started=() screen=
leave() {
    local status=$?
    [ "$status" = 0 ] || { echo "tests/gui/xboard.sh failed; XBoard has said:"; tail -n 40 talk; } >&2
    # By force: XBoard may have a question before it goes.
    kill -KILL "${started[@]}" 2>/dev/null || true
    [ -z "$screen" ] || kill "$screen" || true
    wait 2>/dev/null || true
    cd / && rm -rf "$room"
    exit "$status"
}
trap leave EXIT
cd "$room"
touch talk

fail() { echo "tests/gui/xboard.sh: $*" >&2; exit 1; }

# Waits until a command succeeds, at most half a minute.
await() {
    local tries
    for tries in $(seq 300); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    fail "waited in vain for: $*"
}

"$binary" ics --port 0 --tc 60+1 --pace 5000 >server 2>&1 &
started+=($!)
Xvfb -displayfd 3 -screen 0 1000x800x24 3>display >/dev/null 2>&1 &
screen=$!
await grep -q listening server
await grep -q . display
port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' server)
DISPLAY=:$(cat display)
export DISPLAY HOME=$room

printf 'me\n\nplay\n' >logon
mkfifo keys
# What is typed into XBoard's console; without an end of it XBoard stays.
exec 4<>keys
xboard -ics -icshost 127.0.0.1 -icsport "$port" -icslogon logon -testLegality false \
    -size middling -autosave -saveGameFile game.pgn -debug -nameOfDebugFile talk <&4 >console 2>&1 &
started+=($!)

# Moves and passes that XBoard has been shown, one on each line, in the words of the server.
shown() { grep -a '^Parsing board: ' talk | awk '{ print $29 }'; }
has_shown() { [ "$(shown | wc -l)" -ge "$1" ]; }
# The same as moves of the protocol, without passes.
moves() { shown | grep '/' | sed 's/^.\///; s/-//; s/=\(.\)/\L\1/' | tr '\n' ' '; }

await has_shown 1
window=$(xdotool search --onlyvisible --name Crescendo | head -n 1)
eval "$(xdotool getwindowgeometry --shell "$window")"
look() { import -window "$window" "$1"; }
differ() { [ "$(compare -metric AE "$1" "$2" null: 2>&1 || true)" != 0 ]; }

# The squares of "middling" boards are 50 pixels wide, and the board lies in the lower left corner.
file() { echo $(($(printf '%d' "'${1:0:1}") - 97)); }
point() { echo $((X + 28 + 50 * $(file "$1"))) $((Y + HEIGHT - 2 - 50 * ${1:1:1} + 25)); }
drag() {
    # shellcheck disable=SC2046
    xdotool mousemove $(point "${1:0:2}") mousedown 1 sleep 0.2 \
        mousemove $(point "${1:2:2}") sleep 0.2 mouseup 1
}

# The picture of one square.
square() { convert "$1" -crop "40x40+$((28 - 20 + 50 * $(file "$2")))+$((HEIGHT - 22 - 50 * ${2:1:1} + 25))" +repage "$3"; }

sleep 1
look start.png
drag e2e4
await has_shown 4 # Our move, the first move of series 2, and our pass.
sleep 1
look between.png
has_shown 5 && fail "too slow to see the first move of series 2 alone"
await has_shown 5
sleep 1
look after.png
read -r _ first _ <<<"$(moves)"
square start.png "${first:0:2}" home.png
square between.png "${first:0:2}" left.png
differ home.png left.png || fail "the first move of series 2 is not seen"
differ between.png after.png || fail "the second move of series 2 is not seen"

# Three moves that fit what the engine has played, whatever that is.
series=$(printf 'position startpos moves %s\ngo nodes 2000\n' "$(moves)" | "$binary" |
    sed -n 's/^bestmove \(.*\)/\1/p' | sed 's/ ponder.*//')
count=5
for move in $series; do
    drag "$move"
    count=$((count + 2))
    await has_shown $((count - 1))
done
sleep 0.5
look series.png
[ "$picture" = /dev/null ] || convert series.png -strip -colors 64 "$picture"

echo resign >&4
await grep -q '0-1$' game.pgn
score=$(tr '\n\r' '  ' <game.pgn | sed 's/\[[^]]*\]//g; s/{[^}]*}//g; s/  */ /g')
moves="[^ ]+"
pattern="^ ?1\. e4 $moves 2\. -- $moves 3\. $moves"
case $(wc -w <<<"$series") in
    1) ;;
    2) pattern="$pattern -- 4\. $moves" ;;
    *) pattern="$pattern -- 4\. $moves -- 5\. $moves" ;;
esac
grep -E -q "$pattern" <<<"$score" || fail "the game saved is not the one played: $score"
echo "tests/gui/xboard.sh passed:$score"
