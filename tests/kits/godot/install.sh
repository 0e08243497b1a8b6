#!/bin/bash
# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Puts Godot 4 and two software renderers (OpenGL, Vulkan) into the folder that the window tests use:
#   install.sh ROOT
# What is complete is left as it is. Needs root, and a mount namespace of its own.
set -euo pipefail

root=$1
window=$(cd "$(dirname "$0")/../../window" && pwd)
packages=(godot xvfb xauth libgl1-mesa-dri mesa-vulkan-drivers libvulkan1)
stamp=$root/.truevat-godot
wanted="${packages[*]}"

exec 9>"$root.lock"
flock 9
unshare --mount --pid --fork --kill-child bash "$window/blender-root.sh" sid "$root"
[ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && exit 0

mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
chroot "$root" apt-get update
DEBIAN_FRONTEND=noninteractive chroot "$root" \
    apt-get install -y --no-install-recommends "${packages[@]}"
chroot "$root" apt-get clean
echo "$wanted" >"$stamp"
