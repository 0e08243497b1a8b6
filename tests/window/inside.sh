#!/bin/bash
# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Called by run.sh, in namespaces of its own: the mounts that Blender needs, and the tests.
#   inside.sh SUITE ROOT [PYTEST ARGUMENTS]
set -euo pipefail

suite=$1 root=$2
shift 2

mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
# As on any machine; without it Blender complains on standard output as soon as it starts.
ln -sfn ../proc/self/mounts "$root/etc/mtab"

timeout --kill-after=10 1500 chroot "$root" env -i \
    HOME=/truevat/home PATH=/usr/bin:/bin LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 \
    LIBGL_ALWAYS_SOFTWARE=1 TRUEVAT_WINDOW="$suite" \
    python3 -m pytest -p no:cacheprovider -W error -ra --durations=5 /truevat/window \
    --junitxml=/truevat/window.xml -o junit_suite_name="window-$suite" "$@"
