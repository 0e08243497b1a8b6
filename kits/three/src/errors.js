// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later

/** Names the file that is at fault, and says what to do. */
export class BakeError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "BakeError";
  }
}
