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

PICTURE = Path(__file__).parent / "images" / "bake.png"
WIDTH, HEIGHT = 1600, 720
STRIP = 50, 60, 1500, 160  # the texture's left, bottom, width and height
FLOOR = 304  # where the towers stand
UNIT = 58  # pixels
TILT = math.radians(14)  # the camera looks down so much
SAMPLES = 8
TURN = math.radians(24)  # of the towers

FRAMES = 31  # and a header: 32 rows
SHOWN = 1, 7, 13, 19, 25
BONES, BONE = 5, 0.8
COLORS = {
    "Stone": (0.70, 0.53, 0.36),
    "Trim": (0.80, 0.73, 0.62),
    "Slate": (0.04, 0.20, 0.32),
    "Glass": (0.05, 0.07, 0.12),
    "Grass": (0.22, 0.38, 0.10),
    "Cloth": (0.70, 0.03, 0.03),
    "Gold": (0.95, 0.50, 0.05),
}


def build() -> list[str]:
    """The scene that is baked; returns the names of its objects."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, FRAMES
    for name, color in COLORS.items():
        shader = bpy.data.materials.new(name).node_tree.nodes["Principled BSDF"]
        shader.inputs["Base Color"].default_value = *color, 1.0
    rig = skeleton()
    for rigged in tower(), flag():
        rigged.modifiers.new("Rig", "ARMATURE").object = rig
        for bone in range(BONES):
            group = rigged.vertex_groups.new(name=f"Spine{bone}")
            for vertex in rigged.data.vertices:
                height = min(max(vertex.co.z / BONE, 0.5), BONES - 0.5)
                group.add([vertex.index], max(0.0, 1.0 - abs(height - bone - 0.5)), "REPLACE")
    return ["Tower", "Flag", crown().name]


def skeleton() -> bpy.types.Object:
    """A chain of bones that twists, leans and bounces; the lowest stands still."""
    rig = link("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for index in range(BONES):
        bone = rig.data.edit_bones.new(f"Spine{index}")
        bone.head.z, bone.tail.z = BONE * index, BONE * (index + 1)
        bone.parent = rig.data.edit_bones[index - 1] if index else None
    bpy.ops.object.mode_set(mode="OBJECT")
    for index, bone in enumerate(rig.pose.bones[1:], 1):
        bone.rotation_mode = "XYZ"
        for frame in range(1, FRAMES + 1):
            turn = math.tau * (0.2 + (frame - 1) / (FRAMES - 1)) - 0.7 * index
            twist, lean = 0.3 * math.sin(turn), 0.16 * math.sin(turn + 1.0)
            bone.rotation_euler = 0.05 * math.cos(turn), twist, lean
            bone.scale.y = 1.0 + 0.08 * math.sin(2.0 * turn)
            bone.keyframe_insert("rotation_euler", frame=frame)
            bone.keyframe_insert("scale", frame=frame)
    return rig


def tower() -> bpy.types.Object:
    """Hard edges: three storeys with windows and ledges, battlements, a roof, a pole."""
    solid = Solid()
    solid.pipe("Grass", (1.25, 0.0), (1.25, 0.2), (1.15, 0.3), (0.8, 0.3))
    for storey in range(3):
        low, side = 0.3 + 0.93 * storey, 0.86 - 0.06 * storey
        solid.pipe("Stone", *((side, low + step / 5) for step in range(5)))
        ledge = (side, 0.8), (side + 0.1, 0.83), (side + 0.1, 0.93), (side - 0.06, 0.93)
        solid.pipe("Trim", *((reach, low + z) for reach, z in ledge))
        for turns in range(4):
            solid.box("Glass", (0.0, -side, low + 0.42), (0.13, 0.05, 0.22), turns)
    solid.pipe("Stone", (0.68, 3.09), (0.68, 3.3), (1.0, 3.55), (1.0, 3.8), (0.6, 3.8), (0.6, 4.1))
    for turns in range(4):
        for x in (-0.86, -0.29, 0.29):
            solid.box("Trim", (x, -0.88, 3.92), (0.14, 0.12, 0.14), turns)
    solid.pipe("Slate", (0.6, 4.1), (0.8, 4.05), (0.03, 5.3))
    solid.box("Trim", (0.0, 0.0, 5.8), (0.035, 0.035, 0.7))
    return solid.object("Tower", sharp=math.radians(30))


def flag() -> bpy.types.Object:
    """A soft cloth with waves in it."""
    columns, rows = 27, 14
    solid = Solid()
    points = [(1.9 * i / columns, 0.0, 5.45 + j / rows) for j in range(rows) for i in range(columns)]
    corners = [i + j * columns for j in range(rows - 1) for i in range(columns - 1)]
    faces = [(i, i + 1, i + columns + 1, i + columns) for i in corners]
    solid.add("Cloth", points, faces)
    cloth = solid.object("Flag", sharp=math.pi)
    free = cloth.vertex_groups.new(name="Free")
    for vertex in cloth.data.vertices:
        free.add([vertex.index], min(vertex.co.x, 1.0), "REPLACE")
    wave = cloth.modifiers.new("Wave", "WAVE")
    wave.use_normal, wave.use_y, wave.vertex_group = True, False, free.name
    wave.height, wave.width, wave.narrowness, wave.speed = 0.55, 0.8, 2.0, 0.11
    wave.time_offset = -100.0  # waves everywhere at the first frame
    return cloth


class Solid:
    """Collects the parts of one mesh."""

    def __init__(self) -> None:
        self.points: list[tuple[float, ...]] = []
        self.faces: list[tuple[int, ...]] = []
        self.materials: list[int] = []

    def add(self, material: str, points: list, faces: list) -> None:
        self.faces += [tuple(len(self.points) + corner for corner in face) for face in faces]
        self.points += points
        self.materials += [list(COLORS).index(material)] * len(faces)

    def pipe(self, material: str, *profile: tuple[float, float]) -> None:
        """A square pipe through (half a side, height), two faces wide at each side."""
        square = [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)]
        points = [(side * x, side * y, z) for side, z in profile for x, y in square]
        faces = [
            (low + i, low + (i + 1) % 8, low + 8 + (i + 1) % 8, low + 8 + i)
            for low in range(0, len(points) - 8, 8)
            for i in range(8)
        ]
        self.add(material, points, faces)

    def box(self, material: str, center: tuple, half: tuple, turns: int = 0) -> None:
        """Turned by so many quarters about the tower's axis."""
        points = []
        for corner in range(8):
            x, y, z = (center[i] + half[i] * (corner >> i & 1 or -1) for i in range(3))
            for _ in range(turns):
                x, y = -y, x
            points.append((x, y, z))
        faces = [(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (4, 5, 7, 6), (0, 2, 3, 1)]
        self.add(material, points, faces)

    def object(self, name: str, sharp: float) -> bpy.types.Object:
        """Edges beyond that angle are sharp."""
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(self.points, [], self.faces)
        for material in COLORS:
            mesh.materials.append(bpy.data.materials[material])
        mesh.polygons.foreach_set("material_index", self.materials)
        mesh.shade_smooth()
        mesh.set_sharp_from_angle(angle=sharp)
        return link(name, mesh)


def crown() -> bpy.types.Object:
    """Cubes on a circle that turns and tilts, instances made by geometry nodes."""
    tree = bpy.data.node_groups.new("Crown", "GeometryNodeTree")
    tree.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")

    def node(kind: str, **inputs: object) -> bpy.types.NodeSocket:
        new = tree.nodes.new(kind)
        for name, value in inputs.items():
            if isinstance(value, bpy.types.NodeSocket):
                tree.links.new(value, new.inputs[name])
            else:
                new.inputs[name].default_value = value
        return new.outputs[0]

    circle = node("GeometryNodeMeshCircle", Vertices=21, Radius=1.9)
    cube = node("GeometryNodeMeshCube", Size=(0.26, 0.26, 0.26))
    gold = node("GeometryNodeSetMaterial", Geometry=cube, Material=bpy.data.materials["Gold"])
    index = node("GeometryNodeInputIndex")
    tumbled = node("ShaderNodeCombineXYZ", X=index, Y=index)
    ring = node("GeometryNodeInstanceOnPoints", Points=circle, Instance=gold, Rotation=tumbled)
    tree.links.new(ring, tree.nodes.new("NodeGroupOutput").inputs[0])
    cubes = link("Crown", bpy.data.meshes.new("Crown"))
    cubes.modifiers.new("Crown", "NODES").node_group = tree
    cubes.location.z = 2.1
    for frame in range(1, FRAMES + 1):
        cubes.rotation_euler = 0.3, 0.0, math.tau * (0.4 + (frame - 1) / (FRAMES - 1))
        cubes.keyframe_insert("rotation_euler", frame=frame)
    return cubes


def link(name: str, data: bpy.types.ID) -> bpy.types.Object:
    new = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(new)
    return new


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
    shader.inputs["Base Color"].default_value = 0.0, 0.0, 0.0, 1.0
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
            copy.location.x += middle(place) / UNIT
    height, width, _ = texels.shape
    text = f"the baked texture, {width:,} × {height} texels: each row is a frame, each colour a position"
    label(text, WIDTH / 2, 18, 21)

    floor = bpy.data.meshes.new("Floor")
    floor.from_pydata([(-99, -99, 0), (99, -99, 0), (99, 99, 0), (-99, 99, 0)], [], [range(4)])
    link("Floor", floor).is_shadow_catcher = True
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.energy, sun.angle, sun.color = 3.0, math.radians(6), (1.0, 0.93, 0.82)
    link("Sun", sun).rotation_euler = math.radians(42), math.radians(-14), math.radians(-28)
    stage.world = bpy.data.worlds.new("Sky")
    sky = stage.world.node_tree.nodes["Background"].inputs
    sky["Color"].default_value, sky["Strength"].default_value = (0.75, 0.87, 1.0, 1.0), 0.5
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
    round_ = 24.0
    beyond_x = np.maximum(abs(x - WIDTH / 2) - WIDTH / 2 + round_, 0.0)
    beyond_y = np.maximum(abs(y - HEIGHT / 2) - HEIGHT / 2 + round_, 0.0)
    picture[..., 3] = np.clip(round_ - np.hypot(beyond_x, beyond_y) + 0.5, 0.0, 1.0)

    def paint(distance: np.ndarray, reach: float, gray: float) -> None:
        cover = np.clip(reach + 0.5 - distance, 0.0, 1.0)[..., None]
        picture[..., :3] += cover * (gray - picture[..., :3])

    left, bottom, width, height = STRIP
    used = texels[..., 3:] != 0.0
    positions = texels[..., :3]
    low, high = (pick(positions, (0, 1), where=used, initial=0.0) for pick in (np.min, np.max))
    colors = np.where(used, (positions - low) / (high - low), 0.12)
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
        report = truevat.bake(folder, objects=names, name="tower", mesh="none")
        texels = read(report.files["texture"])
        rendered = render(names, texels, Path(folder) / "render.png")
    levels = np.round(compose(rendered, texels) * 255.0)
    for above, row in zip(levels, levels[1:], strict=False):
        row += np.round((row - above) / 4.0) * 4.0 - (row - above)  # noise would fill the file
    image = bpy.data.images.new("Picture", WIDTH, HEIGHT, alpha=True)
    image.pixels.foreach_set(np.clip(levels / 255.0, 0.0, 1.0).ravel())
    file = bpy.context.scene.render.image_settings
    file.color_depth, file.compression = "8", 100
    image.save_render(str(PICTURE))
    print(f"{report.summary}\n{PICTURE}, {PICTURE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
