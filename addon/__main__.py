# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""`python -m truevat`."""

from .cli import main

if __name__ == "__main__":
    main()
