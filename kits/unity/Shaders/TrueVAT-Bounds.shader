// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Profile `bounds`: positions as 0..1 in a box, and normals.
Shader "TrueVAT/Bounds"
{
    Properties
    {
        [NoScaleOffset] _Positions ("Positions", 2D) = "black" {}
        [NoScaleOffset] _Normals ("Normals", 2D) = "bump" {}
        [ToggleUI] _HasNormals ("Has normals", Float) = 1
        _BoundsMin ("Bounds minimum", Vector) = (0, 0, 0, 0)
        _BoundsMax ("Bounds maximum", Vector) = (1, 1, 1, 0)
        _RowsPerFrame ("Rows per frame", Float) = 1
        _FirstFrame ("Clip: first frame", Float) = 0
        _FrameCount ("Clip: frames (0: all)", Float) = 0
        _Fps ("Clip: frames per second", Float) = 24
        [ToggleUI] _Loop ("Clip: loops", Float) = 1
        _Speed ("Speed", Float) = 1
        _Phase ("Phase in frames", Float) = 0
        [ToggleUI] _Blend ("Blend between frames", Float) = 1
        [MainTexture] _BaseMap ("Base map", 2D) = "white" {}
        [MainColor] _BaseColor ("Color", Color) = (1, 1, 1, 1)
        [Normal] _BumpMap ("Normal map", 2D) = "bump" {}
        _BumpScale ("Normal scale", Float) = 1
        _Metallic ("Metallic (URP)", Range(0, 1)) = 0
        _Smoothness ("Smoothness (URP)", Range(0, 1)) = 0.3
        [Enum(UnityEngine.Rendering.CullMode)] _Cull ("Cull", Float) = 2
        [HideInInspector] _Layer0 ("", Vector) = (-1, 0, 0, 0)
        [HideInInspector] _Layer1 ("", Vector) = (-1, 0, 0, 0)
        [HideInInspector] _Layer2 ("", Vector) = (-1, 0, 0, 0)
        [HideInInspector] _Phases ("", Vector) = (0, 0, 0, -1)
        [HideInInspector] _Fade1 ("", Vector) = (0, 0, 0, 0)
        [HideInInspector] _Fade2 ("", Vector) = (0, 0, 0, 0)
        [HideInInspector] _Counts ("", Vector) = (0, 0, 0, 0)
    }

    SubShader
    {
        PackageRequirements { "com.unity.render-pipelines.universal": "12.0.0" }
        Tags
        {
            "RenderPipeline" = "UniversalPipeline" "RenderType" = "Opaque" "Queue" = "Geometry"
            "DisableBatching" = "True" "AlwaysRenderMotionVectors" = "true"
        }
        Cull [_Cull]

        HLSLINCLUDE
        #pragma target 3.5
        #include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Core.hlsl"
        #include "TrueVATBounds.hlsl"
        ENDHLSL

        Pass
        {
            Name "Forward"
            Tags { "LightMode" = "UniversalForwardOnly" }
            HLSLPROGRAM
            #pragma vertex truevat_vertex
            #pragma fragment truevat_fragment
            #pragma multi_compile_instancing
            #pragma multi_compile_fog
            #pragma multi_compile _ _MAIN_LIGHT_SHADOWS _MAIN_LIGHT_SHADOWS_CASCADE _MAIN_LIGHT_SHADOWS_SCREEN
            #pragma multi_compile _ _ADDITIONAL_LIGHTS_VERTEX _ADDITIONAL_LIGHTS
            #pragma multi_compile _ _FORWARD_PLUS _CLUSTER_LIGHT_LOOP
            #pragma multi_compile_fragment _ _ADDITIONAL_LIGHT_SHADOWS
            #pragma multi_compile_fragment _ _SHADOWS_SOFT
            #pragma multi_compile_fragment _ _SCREEN_SPACE_OCCLUSION
            #include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Lighting.hlsl"
            #define TRUEVAT_FORWARD
            #include "TrueVATURP.hlsl"
            ENDHLSL
        }

        Pass
        {
            Name "Shadow"
            Tags { "LightMode" = "ShadowCaster" }
            ColorMask 0
            HLSLPROGRAM
            #pragma vertex truevat_vertex
            #pragma fragment truevat_fragment
            #pragma multi_compile_instancing
            #pragma multi_compile_vertex _ _CASTING_PUNCTUAL_LIGHT_SHADOW
            #include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Lighting.hlsl"
            #include "Packages/com.unity.render-pipelines.universal/ShaderLibrary/Shadows.hlsl"
            #define TRUEVAT_SHADOW
            #include "TrueVATURP.hlsl"
            ENDHLSL
        }

        Pass
        {
            Name "Depth"
            Tags { "LightMode" = "DepthOnly" }
            ColorMask R
            HLSLPROGRAM
            #pragma vertex truevat_vertex
            #pragma fragment truevat_fragment
            #pragma multi_compile_instancing
            #define TRUEVAT_DEPTH
            #include "TrueVATURP.hlsl"
            ENDHLSL
        }

        Pass
        {
            Name "DepthNormals"
            Tags { "LightMode" = "DepthNormalsOnly" }
            HLSLPROGRAM
            #pragma vertex truevat_vertex
            #pragma fragment truevat_fragment
            #pragma multi_compile_instancing
            #pragma multi_compile_fragment _ _GBUFFER_NORMALS_OCT
            #define TRUEVAT_NORMALS
            #include "TrueVATURP.hlsl"
            ENDHLSL
        }

        Pass
        {
            PackageRequirements { "com.unity.render-pipelines.universal": "17.0.0" }
            Name "MotionVectors"
            Tags { "LightMode" = "MotionVectors" }
            ColorMask RG
            HLSLPROGRAM
            #pragma vertex truevat_vertex
            #pragma fragment truevat_fragment
            #pragma multi_compile_instancing
            #define TRUEVAT_MOTION
            #include "TrueVATURP.hlsl"
            ENDHLSL
        }
    }

    SubShader
    {
        Tags
        {
            "RenderType" = "Opaque" "Queue" = "Geometry" "DisableBatching" = "True"
            "VRCFallback" = "Hidden"
        }
        Cull [_Cull]

        CGINCLUDE
        #pragma target 3.5
        #include "UnityCG.cginc"
        #include "TrueVATBounds.hlsl"
        ENDCG

        Pass
        {
            Name "ForwardBase"
            Tags { "LightMode" = "ForwardBase" }
            CGPROGRAM
            #pragma vertex truevat_forward_vertex
            #pragma fragment truevat_forward_fragment
            #pragma multi_compile_fwdbase nolightmap nodynlightmap nodirlightmap
            #pragma multi_compile_fog
            #pragma multi_compile_instancing
            #define TRUEVAT_FORWARD
            #include "Lighting.cginc"
            #include "AutoLight.cginc"
            #include "TrueVATBuiltIn.cginc"
            ENDCG
        }

        Pass
        {
            Name "ForwardAdd"
            Tags { "LightMode" = "ForwardAdd" }
            Blend One One
            ZWrite Off
            CGPROGRAM
            #pragma vertex truevat_forward_vertex
            #pragma fragment truevat_forward_fragment
            #pragma multi_compile_fwdadd_fullshadows
            #pragma multi_compile_fog
            #pragma multi_compile_instancing
            #define TRUEVAT_FORWARD
            #include "Lighting.cginc"
            #include "AutoLight.cginc"
            #include "TrueVATBuiltIn.cginc"
            ENDCG
        }

        Pass
        {
            Name "ShadowCaster"
            Tags { "LightMode" = "ShadowCaster" }
            CGPROGRAM
            #pragma vertex truevat_shadow_vertex
            #pragma fragment truevat_shadow_fragment
            #pragma multi_compile_shadowcaster
            #pragma multi_compile_instancing
            #define TRUEVAT_SHADOW
            #include "TrueVATBuiltIn.cginc"
            ENDCG
        }
    }

    FallBack Off
}
