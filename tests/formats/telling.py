# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What `truevat info` tells, as its tests read it."""

from truevat.core.inspect.describe import describe
from truevat.core.inspect.words import lines


def told(path):
    """What people read, in one line for each subject."""
    facts = describe(path)
    return facts, "\n".join(lines(facts))


def failed(facts):
    return [check["what"] for check in facts["checks"] if check["ok"] is False]
