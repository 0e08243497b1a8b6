# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file of a bake is: read with suspicion, since it may come from anybody.

openexr.py json_file.py  files of others, bounds-checked
picture.py headers.py    textures, and what their first texels say
sidecar.py peers.py      our JSON, and that of other tools
mesh_file.py checks.py   whether the files belong together
describe.py words.py     facts, and lines for people
command.py               `truevat info`
"""
