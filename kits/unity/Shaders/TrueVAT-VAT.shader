// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Profile `nekovat` by VertexUV: nekoya/VAT's properties, without its faults. Driven by _Motion, as by an
// Animator, or by time.
Shader "TrueVAT/VAT"
{
    Properties
    {
        [NoScaleOffset] _Texture ("Bake", 2D) = "black" {}
        [MainTexture] _MainTex ("Texture", 2D) = "white" {}
        [MainColor] _Color ("Color", Color) = (1, 1, 1, 1)
        _Motion ("Motion in frames", Float) = 0
        [ToggleUI] _IsLerp ("Blend between frames", Float) = 0
        [ToggleUI] _TimeMotion ("Plays by time", Float) = 0
        _FPS ("Frames per second by time", Float) = 24
        _RowsPerFrame ("Rows per frame (0: the texture's)", Float) = 0
        _Samples ("Stored frames (0: the texture's)", Float) = 0
    }

    SubShader
    {
        Tags
        {
            "RenderType" = "Opaque" "Queue" = "Geometry" "DisableBatching" = "True"
            "VRCFallback" = "Hidden"
        }
        Cull Back

        CGINCLUDE
        #pragma target 3.5
        #include "UnityCG.cginc"
        #include "TrueVATNeko.hlsl"
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
