# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes images/bake.png: bakes a dancing tower, and shows some frames as the files play them.

.venv/bin/python docs/pictures.py
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import bpy
import numpy as np
import truevat
from picture_scene import build, link

PICTURE = Path(__file__).parent / "images" / "bake.png"
WIDTH, HEIGHT = 1600, 720
STRIP = 50, 60, 1500, 160  # the texture's left, bottom, width and height
FLOOR = 304  # where the towers stand
UNIT = 58  # pixels
TILT = math.radians(14)  # the camera looks down so much
SAMPLES = 64
TURN = math.radians(24)  # of the towers
SHOWN = 1, 7, 13, 19, 25  # frames


def read(path: Path) -> np.ndarray:
    """The numbers in an image file as they are: (height, width, 4), from the bottom."""
    image = bpy.data.images.load(str(path))
    image.colorspace_settings.name, image.alpha_mode = "Non-Color", "CHANNEL_PACKED"
    pixels = np.empty((image.size[1], image.size[0], 4), np.float32)
    image.pixels.foreach_get(pixels.ravel())
    return pixels


def pose(mesh: bpy.types.Mesh, texels: np.ndarray, frame: int) -> bpy.types.Mesh:
    """A copy of a playback mesh as a shader shows it at this stored frame."""
    uv = np.empty((len(mesh.loops), 2), np.float32)
    mesh.uv_layers[1].uv.foreach_get("vector", uv.ravel())
    height, width, _ = texels.shape
    column, row = (uv * (width, height)).astype(int).T
    rows_per_frame = int(texels[0, 0, :1].view(np.uint32)[0]) >> 16
    corners = texels[row + frame * rows_per_frame, column]
    corner_vert = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corner_vert)
    points = np.empty((len(mesh.vertices), 3), np.float32)
    points[corner_vert] = corners[:, :3]
    words = corners[:, 3].copy().view(np.uint32)
    normals = np.float32([words >> shift & 255 for shift in (16, 8, 0)]).T / 127.5 - 1.0
    posed = mesh.copy()
    posed.vertices.foreach_set("co", points.ravel())
    posed.attributes["custom_normal"].data.foreach_set("vector", normals.ravel())
    posed.update()
    return posed


def middle(place: int) -> float:
    """The column, in pixels, of a tower."""
    return WIDTH * (place + 0.5) / len(SHOWN)


def at_pixel(x: float, y: float, near: float) -> tuple[float, float, float]:
    """The point that the camera sees there, so far in front of the towers' feet."""
    up = (y - FLOOR) / UNIT
    back, high = math.cos(TILT), math.sin(TILT)
    return x / UNIT, up * high - near * back, up * back + near * high


def label(text: str, x: float, y: float, size: float) -> None:
    """Text that only the camera sees."""
    ink = bpy.data.materials.new(text)
    shader = ink.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = 0.03, 0.04, 0.06, 1.0
    shader.inputs["Specular IOR Level"].default_value = 0.0
    letters = bpy.data.curves.new(text, "FONT")
    letters.body, letters.align_x, letters.size = text, "CENTER", size / UNIT
    letters.materials.append(ink)
    written = link(text, letters)
    written.location, written.rotation_euler.x = at_pixel(x, y, 50.0), math.pi / 2 - TILT
    written.visible_diffuse = written.visible_glossy = written.visible_shadow = False


def render(names: list[str], texels: np.ndarray, path: Path) -> np.ndarray:
    """The playback objects at the frames shown, side by side, on a transparent ground."""
    played = [bpy.data.objects[f"{name}_VAT"] for name in names]
    stage = bpy.context.window.scene = bpy.data.scenes.new("Stage")
    for place, frame in enumerate(SHOWN):
        label(f"frame {frame}", middle(place), STRIP[1] + STRIP[3] + 22, 24)
        for source in played:
            copy = link(source.name, pose(source.data, texels, frame - 1))
            copy.rotation_euler.z = TURN
            copy.location = source.location
            copy.location.x += (middle(place) - 8) / UNIT
    height, width, _ = texels.shape
    text = f"the baked texture, {width:,} × {height} texels: "
    label(text + "each row is a frame, each colour a position", WIDTH / 2, 18, 21)

    floor = bpy.data.meshes.new("Floor")
    floor.from_pydata([(-99, -99, 0), (99, -99, 0), (99, 99, 0), (-99, 99, 0)], [], [range(4)])
    link("Floor", floor).is_shadow_catcher = True
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle, sun.color = 3.3, math.radians(6), (1.0, 0.93, 0.82)
    link("Sun", sun).rotation_euler = math.radians(42), math.radians(-14), math.radians(-42)
    stage.world = bpy.data.worlds.new("Sky")
    sky = stage.world.node_tree.nodes["Background"].inputs
    sky["Color"].default_value, sky["Strength"].default_value = (0.75, 0.87, 1.0, 1.0), 0.42
    lens = bpy.data.cameras.new("Camera")
    lens.type, lens.ortho_scale, lens.clip_end = "ORTHO", WIDTH / UNIT, 200.0
    stage.camera = link("Camera", lens)
    stage.camera.location = at_pixel(WIDTH / 2, HEIGHT / 2, 60.0)
    stage.camera.rotation_euler.x = math.pi / 2 - TILT

    stage.render.engine, stage.cycles.device, stage.cycles.samples = "CYCLES", "CPU", SAMPLES
    stage.cycles.use_denoising, stage.view_settings.view_transform = True, "Standard"
    stage.render.film_transparent, stage.render.dither_intensity = True, 0.0
    stage.render.resolution_x, stage.render.resolution_y = WIDTH, HEIGHT
    file = stage.render.image_settings
    file.file_format, file.color_mode, file.color_depth = "PNG", "RGBA", "16"
    stage.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)
    return read(path)


def compose(rendered: np.ndarray, texels: np.ndarray) -> np.ndarray:
    """A card with the texture on it, a mark for each frame shown, and the render over them."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH] + 0.5
    picture = np.empty((HEIGHT, WIDTH, 4), np.float32)
    picture[..., :3] = 0.94, 0.955, 0.975
    radius = 24.0
    beyond_x = np.maximum(abs(x - WIDTH / 2) - WIDTH / 2 + radius, 0.0)
    beyond_y = np.maximum(abs(y - HEIGHT / 2) - HEIGHT / 2 + radius, 0.0)
    picture[..., 3] = np.clip(radius - np.hypot(beyond_x, beyond_y) + 0.5, 0.0, 1.0)

    def paint(distance: np.ndarray, reach: float, gray: float) -> None:
        cover = np.clip(reach + 0.5 - distance, 0.0, 1.0)[..., None]
        picture[..., :3] += cover * (gray - picture[..., :3])

    left, bottom, width, height = STRIP
    used = texels[..., 3:] != 0.0
    positions = texels[..., :3]
    low, high = (pick(positions, (0, 1), where=used, initial=0.0) for pick in (np.min, np.max))
    colors = np.where(used, ((positions - low) / (high - low)) ** 0.6, 0.12)
    row = np.arange(height) * len(texels) // height
    column = np.arange(width) * texels.shape[1] // width
    picture[bottom : bottom + height, left : left + width, :3] = colors[row][:, column]
    for place, frame in enumerate(SHOWN):
        aside, at = x - middle(place), bottom + (frame + 0.5) * height / len(texels)
        below, above = np.maximum(at - y, 0.0), np.maximum(y - bottom - height - 12.0, 0.0)
        paint(np.hypot(aside, below + above), 2.5, 0.1)
        paint(np.hypot(aside, y - at), 7.5, 0.1)
        paint(np.hypot(aside, y - at), 5.0, 1.0)
    alpha = np.maximum(rendered[..., 3:] - 0.02, 0.0) / 0.98  # no far traces of shadow
    picture[..., :3] += alpha * (rendered[..., :3] - picture[..., :3])
    return picture


def main() -> None:
    names = build()
    with tempfile.TemporaryDirectory() as folder:
        options = {"profile": "nekovat", "mesh": "none", "engines": []}
        report = truevat.bake(folder, objects=names, name="tower", **options)
        texels = read(report.files["texture"])
        rendered = render(names, texels, Path(folder) / "render.png")
    picture = compose(rendered, texels)
    picture[..., :3] = np.round(picture[..., :3] * 63.75) / 63.75  # noise would fill the file
    image = bpy.data.images.new("Picture", WIDTH, HEIGHT, alpha=True)
    image.pixels.foreach_set(picture.clip(0.0, 1.0).ravel())
    file = bpy.context.scene.render.image_settings
    file.color_depth, file.compression = "8", 100
    image.save_render(str(PICTURE))
    print(f"{report.summary}\n{PICTURE}, {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
