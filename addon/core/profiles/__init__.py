# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texture formats, one file each. A new one is added here and nowhere else."""

from __future__ import annotations

from .base import Contents, Layout, Need, Profile
from .bounds import BOUNDS
from .nekovat import NEKOVAT
from .openvat import OPENVAT
from .truevat import TRUEVAT

# The first one is what a user gets who chooses none.
PROFILES: dict[str, Profile] = {
    profile.name: profile for profile in (TRUEVAT, NEKOVAT, BOUNDS, OPENVAT)
}
DEFAULT_PROFILE = TRUEVAT.name

__all__ = ["DEFAULT_PROFILE", "PROFILES", "Contents", "Layout", "Need", "Profile"]
