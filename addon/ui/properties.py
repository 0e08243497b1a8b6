# SPDX-FileCopyrightText: 2026 TrueVAT Authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of a bake as the scene keeps them: `scene.truevat`.

The identifiers of the choices are the words of the command line.
"""

from __future__ import annotations

import bpy
from bpy.props import (
    BoolProperty,
    EnumProperty,
    FloatProperty,
    PointerProperty,
    StringProperty,
)

from ..core.clip_text import HIGHEST_FPS
from ..core.engines import ENGINES
from ..core.profiles import PROFILES
from ..core.settings import LARGEST_TEXTURE
from .clip_properties import CLIP_ITEMS, SAMPLING_ITEMS, TrueVATClipList, changed

SOURCES = (
    ("selected", "Selected Objects", "Bake the selected objects"),
    ("collection", "Collection", "Bake the objects of a collection, and of the collections in it"),
)
FRAMES = (
    ("scene", "Scene Range", "Bake from the start to the end frame of the scene"),
    ("custom", "Custom", "Bake a range of its own, with sub-frames if wanted"),
)
ADDRESS_ITEMS = (
    (
        "uv",
        "UV Map",
        "The mesh's second UV map says where each corner finds its positions. "
        "The topology must stay the same over all frames",
    ),
    (
        "vertex-id",
        "Vertex ID",
        "Vertices are counted, and each frame has triangles of its own. "
        "For fluids and other meshes whose topology changes",
    ),
)
NORMAL_ITEMS = (
    ("corner", "Corner", "Normals as Blender shades them, with sharp edges and custom normals"),
    ("vertex", "Vertex", "One smooth normal per vertex"),
    ("face", "Face", "One flat normal per face"),
)
DEDUP_ITEMS = (
    (
        "trajectory",
        "Same Motion",
        "Corners that have the same position and normal in all frames share a texel per frame",
    ),
    (
        "rest",
        "Same Rest Position",
        "Vertices that meet in the first frame share a texel per frame, even if they part later",
    ),
    ("none", "Off", "Every corner has a texel per frame of its own"),
)
PIXEL_ITEMS = (
    (
        "auto",
        "Automatic",
        "Half floats where they move no point by more than the tolerance, otherwise floats",
    ),
    ("float", "Float", "32 bits a channel. Positions are exact"),
    ("half", "Half", "16 bits a channel. Half the memory; the report states the error"),
    ("png16", "PNG", "A PNG of 16 bits a channel, for readers that take nothing else"),
)
ROW_ITEMS = (
    ("wrap", "Several", "A frame takes as many rows as it needs"),
    ("single", "One", "Each frame is one row, as some shaders expect"),
)
NORMAL_TEXTURE_ITEMS = (
    ("layout", "As the Format", "In the same texture where the format can have them there"),
    ("packed", "Same Texture", "In the texture of the positions"),
    ("separate", "Own Texture", "In a second file"),
    ("none", "None", "Leave normals out"),
)
JOIN_ITEMS = (
    ("layout", "As the Format", "One mesh, but for nekoVAT, which has one for each object"),
    ("one", "One for All", "All objects become one mesh, which an engine draws at once"),
    ("each", "One per Object", "Every object has a playback object of its own"),
)
MESH_ITEMS = (
    ("auto", "As the Engines", "Write what the chosen engines play: FBX for Unity, GLB for others"),
    ("fbx", "FBX", "Write the playback objects to an FBX file, for Unity and most engines"),
    ("glb", "glTF Binary", "Write the playback objects to a GLB file"),
    ("none", "None", "Write no mesh file. The playback objects still appear in the scene"),
)
PROFILE_ITEMS = tuple(
    (name, profile.label, profile.description) for name, profile in PROFILES.items()
)
SIZE_ITEMS = tuple(
    (str(1 << power), f"{1 << power} px", f"Neither side is longer than {1 << power} pixels")
    for power in range(8, LARGEST_TEXTURE.bit_length())
)
# Since 4.5 a folder must say that it may be relative to the .blend.
FOLDER_OPTIONS = {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5, 0) else set()


class TrueVATSettings(bpy.types.PropertyGroup):
    source: EnumProperty(
        name="Source",
        description="What to bake",
        items=SOURCES,
        update=changed,
    )
    collection: PointerProperty(
        name="Collection",
        description="The collection to bake",
        type=bpy.types.Collection,
        update=changed,
    )
    frames: EnumProperty(
        name="Frames",
        description="Which frames to bake",
        items=FRAMES,
        update=changed,
    )
    frame_start: FloatProperty(
        name="Start",
        description="First frame. Fractions and negative frames work",
        default=1.0,
        precision=2,
        step=100,
        update=changed,
    )
    frame_end: FloatProperty(
        name="End",
        description="Last frame, which is baked too where the step meets it",
        default=250.0,
        precision=2,
        step=100,
        update=changed,
    )
    frame_step: FloatProperty(
        name="Step",
        description="Frames from one baked frame to the next. Below 1 there are sub-frames",
        default=1.0,
        min=0.001,
        precision=3,
        step=25,
        update=changed,
    )
    clips: EnumProperty(
        name="Clips from",
        description="What becomes a clip of its own",
        items=CLIP_ITEMS,
        update=changed,
    )
    clip_name: StringProperty(
        name="Clip Name",
        description="What the clip is called. Leave it empty to use the scene's name",
        update=changed,
    )
    clip_loop: BoolProperty(
        name="Loop",
        description="The clip begins anew where it ends. A last frame that repeats the first one "
        "is left out",
        update=changed,
    )
    actions: PointerProperty(
        name="Actions",
        description="Clips made of actions",
        type=TrueVATClipList,
    )
    nla: PointerProperty(
        name="NLA Strips",
        description="Clips made of NLA strips",
        type=TrueVATClipList,
    )
    markers: PointerProperty(
        name="Markers",
        description="Clips that begin at markers",
        type=TrueVATClipList,
    )
    ranges: PointerProperty(
        name="Ranges",
        description="Clips that are ranges of frames",
        type=TrueVATClipList,
    )
    texture_per_clip: BoolProperty(
        name="Texture per Clip",
        description="Write a texture and a sidecar for each clip instead of one for all",
        update=changed,
    )
    sampling: EnumProperty(
        name="Sampling",
        description="Which frames of the clips are baked",
        items=SAMPLING_ITEMS,
        update=changed,
    )
    fps: FloatProperty(
        name="Frame Rate",
        description="Frames per second that are baked",
        default=30.0,
        min=0.01,
        max=HIGHEST_FPS,
        precision=2,
        step=100,
        update=changed,
    )
    step: FloatProperty(
        name="Step",
        description="Frames from one baked frame to the next. Below 1 there are sub-frames",
        default=1.0,
        min=0.001,
        precision=3,
        step=25,
        update=changed,
    )
    profile: EnumProperty(
        name="Format",
        description="The texture format, which the shader in the engine must know",
        items=PROFILE_ITEMS,
        update=changed,
    )
    address: EnumProperty(
        name="Address",
        description="How the shader finds a corner's positions in the texture",
        items=ADDRESS_ITEMS,
        update=changed,
    )
    normals: EnumProperty(
        name="Normals",
        description="Which normals to bake",
        items=NORMAL_ITEMS,
        update=changed,
    )
    dedup: EnumProperty(
        name="Share Texels",
        description="Make the texture smaller by storing what is the same only once",
        items=DEDUP_ITEMS,
        update=changed,
    )
    pixel: EnumProperty(
        name="Precision",
        description="How texels are stored",
        items=PIXEL_ITEMS,
        update=changed,
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="How far half floats may move a point, in millimetres",
        default=0.1,
        min=0.0,
        precision=3,
        step=1,
    )
    openvat_rounding: BoolProperty(
        name="OpenVAT's Rounding",
        description="Map positions to bounds of whole decimetres, as OpenVAT does. Less precise",
        default=False,
    )
    rows: EnumProperty(
        name="Rows per Frame",
        description="How many rows of the texture a frame takes",
        items=ROW_ITEMS,
        update=changed,
    )
    normal_texture: EnumProperty(
        name="Normals in",
        description="Where normals are stored",
        items=NORMAL_TEXTURE_ITEMS,
        update=changed,
    )
    join: EnumProperty(
        name="Playback Mesh",
        description="How many meshes play the texture",
        items=JOIN_ITEMS,
    )
    max_size: EnumProperty(
        name="Max Size",
        description="Longest side that the texture may have",
        items=SIZE_ITEMS,
        default="4096",
        update=changed,
    )
    guard: BoolProperty(
        name="Guard Bit",
        description="Keep the normals' bits from graphics hardware that turns tiny numbers into 0. "
        "Switch it off only for the original script's exact bits",
        default=True,
    )
    bounds: BoolProperty(
        name="Widen Bounds",
        description="Add two invisible triangles to the mesh file at the ends of the animation's "
        "bounds, so that the engine does not cull the object while it is in view",
        default=True,
    )
    mesh: EnumProperty(
        name="Mesh File",
        description="File for the mesh that plays the texture",
        items=MESH_ITEMS,
    )
    file_name: StringProperty(
        name="Name",
        description="What the files are called. Leave it empty to use the first object's name",
    )
    output: StringProperty(
        name="Folder",
        description="Where the files go. A path that begins with // is relative to the .blend file",
        default="//vat/",
        subtype="DIR_PATH",
        options=FOLDER_OPTIONS,
    )
    render_settings: BoolProperty(
        name="Use Render Settings",
        description="Bake modifiers as they are rendered instead of as the viewport shows them",
        update=changed,
    )


# A switch for each engine, as `engine_unity`.
TrueVATSettings.__annotations__ |= {
    f"engine_{name}": BoolProperty(name=engine.label, description=engine.description, default=True)
    for name, engine in ENGINES.items()
}


def register() -> None:
    bpy.utils.register_class(TrueVATSettings)
    bpy.types.Scene.truevat = PointerProperty(type=TrueVATSettings)


def unregister() -> None:
    del bpy.types.Scene.truevat
    bpy.utils.unregister_class(TrueVATSettings)
