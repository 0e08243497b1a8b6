#!/bin/bash
# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes a folder with a real Blender, its window system and the tools that drive it:
#   blender-root.sh trixie DIR   Blender 4.3
#   blender-root.sh sid DIR      Blender 5.2
# About two minutes and 3 GB; a folder that is complete is left as it is. Called by run.sh, as root and
# in a mount namespace of its own, so that no mount stays.
set -euo pipefail

suite=$1 root=$2
packages=(blender python3-numpy python3-pytest python3-requests python3-cattr
    libgl1-mesa-dri xvfb xauth xdotool imagemagick fonts-dejavu-core)
stamp=$root/.truevat-complete
wanted="$suite ${packages[*]}"

[ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && exit 0

if ! command -v debootstrap >/dev/null; then
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y debootstrap
fi
if [ ! -e "$root/.truevat-base" ]; then
    rm -rf "$root"
    debootstrap --variant=minbase "$suite" "$root"
    touch "$root/.truevat-base"
fi

# The machine's way to its package mirrors is the folder's way, too.
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true

mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
chroot "$root" apt-get update
DEBIAN_FRONTEND=noninteractive chroot "$root" \
    apt-get install -y --no-install-recommends "${packages[@]}"
chroot "$root" apt-get clean
echo "$wanted" >"$stamp"
