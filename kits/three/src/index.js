// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later

export { Bake } from "./bake.js";
export { BakeError } from "./errors.js";
export { TrueVATLoader, loadBake, openBake } from "./loader.js";
export { playOn, shadowMaterials } from "./material.js";
export { ClipMixer } from "./mixer.js";
export { VATInstances, VATObject } from "./playback.js";
