# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake is: NumPy and truevat_native. Nothing here imports bpy."""
