#!/usr/bin/env bash
# Tests the cluster with the engine in target/ (or in CRESCENDO) and what requirements.txt names, in a
# virtual environment below target/. Where that cannot be made, for want of Python or of the network, it
# says "skipped" and succeeds.
set -euo pipefail
cd "$(dirname "$0")"
tools=../target/cluster

if [ ! -e "$tools/complete" ]; then
    mkdir -p ../target
    if ! { python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
        && python3 -m venv "$tools" \
        && "$tools/bin/pip" install -q --retries 1 --timeout 15 -r requirements.txt; } >"$tools.log" 2>&1; then
        echo "cluster/test.sh skipped: dask cannot be installed (see target/cluster.log)"
        exit 0
    fi
    touch "$tools/complete"
fi
"$tools/bin/mypy" --strict --allow-untyped-calls --cache-dir "$tools/mypy" crescendo_cluster.py test_cluster.py
"$tools/bin/pytest" -q -p no:cacheprovider
