# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Texture formats, one file each. A new one is added here and nowhere else."""

from __future__ import annotations

from .base import Layout, Profile
from .nekovat import NEKOVAT

PROFILES: dict[str, Profile] = {profile.name: profile for profile in (NEKOVAT,)}

__all__ = ["PROFILES", "Layout", "Profile"]
