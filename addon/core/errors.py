# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The one exception that a bake ends with when it cannot be done."""


class BakeError(Exception):
    """Names the object, modifier, frame or file that is at fault, and says what to do."""


class Cancelled(BakeError):
    """The user, or a signal, ended the bake. Nothing was written."""
