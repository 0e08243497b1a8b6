// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stands in for Unity's macros of instancing and single-pass stereo, in all their variants.
#define CBUFFER_START(name) cbuffer name {
#define CBUFFER_END };

float4 _Time;
float4 unity_DeltaTime;
float4x4 unity_MatrixVP;
float3 _WorldSpaceCameraPos;

#if defined(INSTANCING_ON) || defined(STEREO_INSTANCING_ON)
static uint unity_InstanceID;
#define UNITY_VERTEX_INPUT_INSTANCE_ID uint instanceID : SV_InstanceID;
#define UNITY_SETUP_INSTANCE_ID(v) unity_InstanceID = v.instanceID
#define UNITY_TRANSFER_INSTANCE_ID(v, o) o.instanceID = v.instanceID
#else
#define UNITY_VERTEX_INPUT_INSTANCE_ID
#define UNITY_SETUP_INSTANCE_ID(v)
#define UNITY_TRANSFER_INSTANCE_ID(v, o)
#endif

#if defined(INSTANCING_ON)
#define UNITY_INSTANCING_ENABLED
#define UNITY_INSTANCING_BUFFER_START(name) struct name##Members {
#define UNITY_DEFINE_INSTANCED_PROP(type, name) type name;
#define UNITY_INSTANCING_BUFFER_END(name) }; cbuffer UnityInstancing_##name { name##Members name##Array[8]; };
#define UNITY_ACCESS_INSTANCED_PROP(name, member) name##Array[unity_InstanceID].member
cbuffer UnityInstancing_PerDraw0 { float4x4 unity_ObjectToWorldArray[8]; float4x4 unity_WorldToObjectArray[8]; };
#define unity_ObjectToWorld unity_ObjectToWorldArray[unity_InstanceID]
#define unity_WorldToObject unity_WorldToObjectArray[unity_InstanceID]
#else
float4x4 unity_ObjectToWorld;
float4x4 unity_WorldToObject;
#endif
float4 unity_WorldTransformParams;

#if defined(STEREO_INSTANCING_ON)
static uint unity_StereoEyeIndex;
#define UNITY_VERTEX_OUTPUT_STEREO uint stereoTargetEyeIndex : EYE;
#define UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(o) o.stereoTargetEyeIndex = unity_InstanceID & 1u
#define UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i) unity_StereoEyeIndex = i.stereoTargetEyeIndex
#else
#define UNITY_VERTEX_OUTPUT_STEREO
#define UNITY_INITIALIZE_VERTEX_OUTPUT_STEREO(o)
#define UNITY_SETUP_STEREO_EYE_INDEX_POST_VERTEX(i)
#endif
