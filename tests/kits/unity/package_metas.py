# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The .meta files of the Unity package's own files, without which Unity ignores them.

A GUID is the first 32 digits of the SHA-256 of "com.truevat.player/<path>": projects refer to it.

python tests/kits/unity/package_metas.py      writes them
"""

from __future__ import annotations

import hashlib
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[3] / "kits" / "unity"
IMPORTERS = {
    ".cs": "MonoImporter",
    ".shader": "ShaderImporter",
    ".hlsl": "ShaderIncludeImporter",
    ".cginc": "ShaderIncludeImporter",
    ".asmdef": "AssemblyDefinitionImporter",
    ".md": "TextScriptImporter",
    "": "DefaultImporter",
}
# What scripts and shaders have besides.
MORE = {
    "MonoImporter": [
        "serializedVersion: 2",
        "defaultReferences: []",
        "executionOrder: 0",
        "icon: {instanceID: 0}",
    ],
    "ShaderImporter": ["defaultTextures: []", "nonModifiableTextures: []"],
}
END = ["userData: ", "assetBundleName: ", "assetBundleVariant: "]


def guid(path: str) -> str:
    return hashlib.sha256(f"com.truevat.player/{path}".encode()).hexdigest()[:32]


def metas() -> dict[Path, str]:
    """File to content, for every file and folder of the package that Unity looks at."""
    found = {}
    for asset in sorted(PACKAGE.rglob("*")):
        path = asset.relative_to(PACKAGE).as_posix()
        hidden = any(part.endswith("~") or part.startswith(".") for part in path.split("/"))
        if asset.suffix != ".meta" and not hidden:
            found[asset.with_name(f"{asset.name}.meta")] = meta(path, asset.is_dir())
    return found


def meta(path: str, folder: bool) -> str:
    is_manifest = path == "package.json"
    importer = "PackageManifestImporter" if is_manifest else IMPORTERS[Path(path).suffix]
    lines = ["fileFormatVersion: 2", f"guid: {guid(path)}"]
    lines += ["folderAsset: yes"] if folder else []
    lines += [f"{importer}:", "  externalObjects: {}"]
    lines += [f"  {line}" for line in (*MORE.get(importer, []), *END)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for file, content in metas().items():
        file.write_text(content, "utf-8")
