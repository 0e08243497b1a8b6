# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes that the tests share, and how hypothesis looks for what breaks."""

from __future__ import annotations

import hypothesis
import pytest

import make
import moving

# Shared machines are slow now and then, and tests leave nothing in the checkout.
hypothesis.settings.register_profile("truevat", deadline=None, database=None, max_examples=60)
hypothesis.settings.load_profile("truevat")


@pytest.fixture(scope="session")
def bakes(tmp_path_factory):
    """The files of each variant, by its name, for tests that change none of them."""
    folder = tmp_path_factory.mktemp("bakes")
    return {
        name: moving.write(folder / name, name, what(), pixel, width)
        for name, (what, pixel, width) in make.VARIANTS.items()
    }
