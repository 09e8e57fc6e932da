#!/usr/bin/env bash
# Tests the Python client against the engine in target/ (or in CRESCENDO), with tools in a virtual
# environment below target/. Where that cannot be made, for want of Python or of the network, it says
# "skipped" and succeeds.
set -euo pipefail
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1
tools=../../target/python-client

if [ ! -e "$tools/complete" ]; then
    mkdir -p ../../target
    if ! { python3 -m venv "$tools" \
        && "$tools/bin/pip" install -q --retries 1 'pytest>=7' 'mypy>=1.8' 'chess>=1.9'; } >"$tools.log" 2>&1; then
        echo "clients/python/test.sh skipped: pytest cannot be installed (see target/python-client.log)"
        exit 0
    fi
    touch "$tools/complete"
fi
"$tools/bin/mypy" --cache-dir "$tools/mypy"
"$tools/bin/pytest" "$@"
