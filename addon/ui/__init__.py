# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person sees: the VAT tab, its settings, the Bake VAT button."""

from . import clip_list, clip_properties, operators, panel, preferences, properties, watch


def register() -> None:
    preferences.register()
    clip_properties.register()
    properties.register()
    operators.register()
    clip_list.register()
    panel.register()
    watch.register()


def unregister() -> None:
    watch.unregister()
    panel.unregister()
    clip_list.unregister()
    operators.unregister()
    properties.unregister()
    clip_properties.unregister()
    preferences.unregister()
