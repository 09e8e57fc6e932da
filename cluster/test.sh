#!/usr/bin/env bash
# The tests of this folder. They need an engine that is built, Python, and what requirements.txt
# names; where that cannot be installed they are skipped. The packages go to a folder of their own
# outside the project, which the next run uses again.
set -euo pipefail
cd "$(dirname "$0")"

skip() {
    echo "cluster: skipped, $1"
    exit 0
}

venv="${CLUSTER_VENV:-${TMPDIR:-/tmp}/crescendo-cluster-$(id -u)}"
python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || skip "no Python 3.10"
if ! "$venv/bin/python" -c 'import distributed, mypy, pytest' 2>/dev/null; then
    python3 -m venv "$venv" 2>/dev/null || skip "no venv"
    "$venv/bin/pip" install -q --retries 1 --timeout 15 -r requirements.txt || skip "no packages"
fi
"$venv/bin/mypy" --strict --allow-untyped-calls --cache-dir="$venv/mypy" crescendo_cluster.py test_cluster.py
"$venv/bin/pytest" -q -p no:cacheprovider
