# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person sees: the VAT tab, its settings, the Bake VAT button."""

from . import operators, panel, preferences, properties, watch


def register() -> None:
    preferences.register()
    properties.register()
    operators.register()
    panel.register()
    watch.register()


def unregister() -> None:
    watch.unregister()
    panel.unregister()
    operators.unregister()
    properties.unregister()
    preferences.unregister()
