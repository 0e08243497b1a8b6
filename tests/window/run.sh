#!/bin/bash
# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests the extension as a person meets it: a real Blender, its window, a mouse and a keyboard.
#   run.sh              all suites of TRUEVAT_WINDOW_SUITES (default: "trixie sid")
#   run.sh SUITE [...]  these; further words that begin with - go to pytest
#
# A suite is a Debian release: trixie has Blender 4.3, sid 5.2 (only there Mantaflow works). Its
# folder is made once, at TRUEVAT_BLENDER_ROOT-SUITE (default /var/tmp/truevat-blender-SUITE), and
# kept. Needs root.
# Results: build/results/window-SUITE.xml and build/screenshots/SUITE/.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
repo=$(cd "$here/../.." && pwd)
results=$repo/build/results

# Mounts and processes in namespaces of their own: however this ends, nothing of it stays.
isolated() { unshare --mount --pid --fork --kill-child "$@"; }

skip() {
    local suite=$1 reason=$2
    printf '\n*** SKIPPED: the window tests on %s: %s ***\n\n' "$suite" "$reason" >&2
    cat >"$results/window-$suite.xml" <<XML
<?xml version="1.0" encoding="utf-8"?>
<testsuites><testsuite name="window-$suite" tests="1" skipped="1" failures="0" errors="0">
<testcase classname="tests.window" name="$suite"><skipped message="$reason"/></testcase>
</testsuite></testsuites>
XML
}

run_suite() {
    local suite=$1 root=${TRUEVAT_BLENDER_ROOT:-/var/tmp/truevat-blender}-$1
    shift
    if [ "$(id -u)" != 0 ]; then
        skip "$suite" "needs root"
        return
    fi
    if ! isolated true 2>/dev/null; then
        skip "$suite" "this machine allows no mounts"
        return
    fi

    exec 9>"$root.lock"
    flock 9
    if ! isolated bash "$here/blender-root.sh" "$suite" "$root" >"$results/window-$suite.log" 2>&1
    then
        tail -5 "$results/window-$suite.log" >&2
        skip "$suite" "Blender could not be installed (see build/results/window-$suite.log)"
        return
    fi

    local code=0
    rm -rf "$root/truevat"
    mkdir -p "$root/truevat/home"
    cp -r "$here" "$root/truevat/window"
    cp "$zip" "$root/truevat/"
    isolated bash "$here/inside.sh" "$suite" "$root" "$@" || code=$?

    rm -rf "$repo/build/screenshots/$suite"
    mkdir -p "$repo/build/screenshots"
    cp -r "$root/truevat/screenshots" "$repo/build/screenshots/$suite" 2>/dev/null || true
    cp "$root/truevat/window.xml" "$results/window-$suite.xml"
    flock -u 9
    return $code
}

suites=()
while [ $# -gt 0 ] && [[ $1 != -* ]]; do
    suites+=("$1")
    shift
done
[ ${#suites[@]} -gt 0 ] || read -ra suites <<<"${TRUEVAT_WINDOW_SUITES:-trixie sid}"

mkdir -p "$results"
newest_zip() { find "$repo/build" -maxdepth 1 -name 'truevat-*.zip' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2-; }
zip=$(newest_zip)
sources=("$repo"/{addon,csrc,setup.py,blender_manifest.toml})
if [ -z "$zip" ] || [ -n "$(find "${sources[@]}" -name __pycache__ -prune -o -newer "$zip" -type f -print -quit)" ]; then
    make -C "$repo" extension
    zip=$(newest_zip)
fi

failed=0
for suite in "${suites[@]}"; do
    run_suite "$suite" "$@" || failed=1
done
exit $failed
