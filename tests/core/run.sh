#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The C core's tests: under AddressSanitizer (with leaks) and UndefinedBehaviorSanitizer, then under
# ThreadSanitizer, which leave out the kernels' versions for wider vector units; with these versions;
# and with nothing that only some processors or compilers have, as arm64 and MSVC get it. What the
# kernels make is compared with fixed numbers, so all four must agree. Every test is a process of its
# own. Writes build/results/core.xml.
set -euo pipefail
cd "$(dirname "$0")/../.."

results=build/results/core.xml
build=build/core
mkdir -p "$build" build/results

if command -v clang++ >/dev/null; then
    cc=(clang) cxx=(clang++)
else
    cc=(gcc) cxx=(g++)
fi
common=(-O1 -g -fno-omit-frame-pointer -ffp-contract=off -pthread -Icsrc -Itests/core)
if [ -n "${TRUEVAT_TINYEXR_INCLUDE:-}" ]; then
    common+=(-isystem "$TRUEVAT_TINYEXR_INCLUDE")
fi

# compile NAME FLAG...: builds $build/NAME/tests
compile() {
    local folder=$build/$1 objects=() source object
    shift
    mkdir -p "$folder"
    for source in csrc/*.c csrc/*.cc tests/core/*.c; do
        case $source in csrc/module.c | csrc/binding*) continue ;; esac
        object=$folder/$(basename "$source").o
        objects+=("$object")
        if [[ $source == *.cc ]]; then
            "${cxx[@]}" -std=c++17 "${common[@]}" "$@" -c "$source" -o "$object"
        else
            "${cc[@]}" -std=c11 -Wall -Wextra -Werror "${common[@]}" "$@" -c "$source" -o "$object"
        fi
    done
    "${cxx[@]}" -pthread "$@" "${objects[@]}" -lz -o "$folder/tests"
}

escape() {
    sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/"/\&quot;/g' |
        tr -cd '\11\12\15\40-\176'
}

failures=0
# run NAME: one <testcase> for each test, on stdout
run() {
    local name began seconds log=$build/$1/log
    for name in $("$build/$1/tests"); do
        began=$(date +%s%N)
        if timeout 300 "$build/$1/tests" "$name" >"$log" 2>&1; then
            failed=
        else
            failed=1
            failures=$((failures + 1))
            { echo "*** core $1: $name" && cat "$log"; } >&2
        fi
        seconds=$(awk "BEGIN { print ($(date +%s%N) - $began) / 1e9 }")
        echo "<testcase classname=\"core.$1\" name=\"$name\" time=\"$seconds\">"
        [ -z "$failed" ] || echo "<failure message=\"failed\">$(escape <"$log")</failure>"
        echo "</testcase>"
    done
}

export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1

compile address -fsanitize=address,undefined -fno-sanitize-recover=undefined &
compile thread -fsanitize=thread
wait $!
if command -v g++ >/dev/null; then
    cc=(gcc) cxx=(g++) # clang's versions for other units do not link before clang 18
fi
compile vector -O2 &
compile portable -O2 -fsanitize=undefined -fno-sanitize-recover=undefined \
    -DTRUEVAT_PORTABLE -U__SIZEOF_INT128__
wait $!
{
    echo '<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite name="core">'
    run address
    run thread
    run vector
    run portable
    echo '</testsuite></testsuites>'
} >"$results"

tests=$(grep -c '<testcase' "$results")
echo "core: $tests tests, $failures failed"
[ "$failures" -eq 0 ] && [ "$tests" -gt 0 ]
