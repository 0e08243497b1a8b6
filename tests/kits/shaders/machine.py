# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs vertex shaders, of GLSL or HLSL, and reads back what they make of every vertex."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import moderngl
import numpy as np

from compilers import run, tool


class Machine:
    """An OpenGL context without a window."""

    def __init__(self) -> None:
        self.context = moderngl.create_standalone_context(backend="egl")
        # Without a complete framebuffer, transform feedback gives zeros.
        self.context.simple_framebuffer((1, 1)).use()

    def run(
        self,
        source: str,
        inputs: Mapping[str, np.ndarray],
        outputs: Mapping[str, str],
        *,
        textures: Mapping[str, np.ndarray] | None = None,
        uniforms: Mapping[str, object] | None = None,
        instances: int = 1,
    ) -> dict[str, np.ndarray]:
        """Arrays by output name, a row for each vertex.

        `inputs`: float32, int32 or uint32 (vertices, components), by attribute. `outputs`: NumPy
        types as in "3f4", by varying. `textures`: float16 or float32 (rows, columns, 4), row 0 at
        the bottom, by sampler. `uniforms` by name, or by the end of a member's. What a shader does
        not use may be given all the same. The rows of the first instance come first.
        """
        program = self.context.program(vertex_shader=source, varyings=tuple(outputs))
        made = []
        try:
            for unit, (name, pixels) in enumerate((textures or {}).items()):
                height, width, _ = pixels.shape
                kind = {"float32": "f4", "float16": "f2"}[pixels.dtype.name]
                texture = self.context.texture((width, height), 4, pixels.tobytes(), dtype=kind)
                texture.filter = moderngl.NEAREST, moderngl.NEAREST
                texture.use(unit)
                made.append(texture)
                if name in program:
                    program[name].value = unit
            for name, value in (uniforms or {}).items():
                for member in program:
                    if f".{member}".endswith(f".{name}"):
                        program[member].value = value
            buffers = []
            for name, values in inputs.items():
                if name in program:
                    values = np.ascontiguousarray(values)
                    buffer = self.context.buffer(values.tobytes())
                    made.append(buffer)
                    letter = {"float32": "f", "int32": "i", "uint32": "u"}[values.dtype.name]
                    buffers.append((buffer, f"{values.shape[1]}{letter}", name))
            count = len(next(iter(inputs.values())))
            row = np.dtype(list(outputs.items()))
            result = self.context.buffer(reserve=instances * count * row.itemsize)
            vertices = self.context.vertex_array(program, buffers)
            made += [result, vertices]
            vertices.transform(result, mode=moderngl.POINTS, vertices=count, instances=instances)
            read = np.frombuffer(result.read(), row)
            return {name: read[name].copy() for name in outputs}
        finally:
            for resource in (*reversed(made), program):
                resource.release()


def compile_hlsl(
    source: str,
    target: Path,
    *,
    folders: Sequence[Path] = (),
    defines: Sequence[str] = (),
    stage: str = "vert",
    entry: str = "main",
) -> None:
    """To SPIR-V; the source lies beside it."""
    shader = target.with_suffix(f".{stage}")
    shader.write_text(source, "utf-8")
    command = [tool("glslangValidator"), "-D", "-V", "--aml", "--amb", "-S", stage, "-e", entry]
    command += [f"-I{folder}" for folder in folders] + [f"-D{text}" for text in defines]
    run([*command, "-o", str(target), str(shader)])


def glsl_from_hlsl(
    source: str,
    *,
    folders: Sequence[Path] = (),
    defines: Sequence[str] = (),
    stage: str = "vert",
    entry: str = "main",
) -> str:
    """GLSL of the same stage.

    Field x of the entry's struct is attribute in_x, or varying out_x if the entry returns it; the
    varying of SV_Position is gl_Position. Samplers and uniforms keep their names.
    """
    with tempfile.TemporaryDirectory() as name:
        binary = Path(name, "shader.spv")
        compile_hlsl(source, binary, folders=folders, defines=defines, stage=stage, entry=entry)
        options = ["--version", "430", "--no-es", "--glsl-emit-ubo-as-plain-uniforms"]
        text = run([tool("spirv-cross"), *options, str(binary)])
    return _with_plain_names(text)


def _with_plain_names(text: str) -> str:
    text = re.sub(r"SPIRV_Cross_Combined(\w+?)SPIRV_Cross_DummySampler", r"\1", text)
    text = re.sub(r"\b_?entryPointOutput_(\w+)", r"out_\1", text)
    for parameter, field in re.findall(
        r"(?m)^layout\(location = \d+\) in \w+ ([^\W_]+)_(\w+);", text
    ):
        text = re.sub(rf"\b{parameter}_{field}\b", f"in_{field}", text)
    for block, instance in re.findall(r"(?m)^uniform (\w+) (_\d+);", text):
        text = re.sub(rf"\b{instance}\b", f"values_{block}", text)
    return text
