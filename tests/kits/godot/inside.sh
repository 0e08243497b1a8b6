#!/bin/bash
# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs a command in the folder that install.sh made, with a project at /project:
#   inside.sh ROOT PROJECT COMMAND...
# Called in namespaces of its own, so that no mount and no process stays.
set -euo pipefail

root=$1 project=$2
shift 2

mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mkdir -p "$root/project"
mount --bind "$project" "$root/project"

# Not by exec: Xvfb tells no process 1 that it is ready.
chroot "$root" env -i \
    HOME=/tmp/home PATH=/usr/bin:/bin LANG=C.UTF-8 XDG_RUNTIME_DIR=/tmp \
    LIBGL_ALWAYS_SOFTWARE=1 "$@"
