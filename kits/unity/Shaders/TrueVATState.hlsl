// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a script says of each instance, and the clock that it sets for all.
#ifndef TRUEVAT_STATE_INCLUDED
#define TRUEVAT_STATE_INCLUDED

// xy: now, zw: a frame ago. 0 without a script.
float4 _TrueVATClock;

#ifdef UNITY_INSTANCING_ENABLED
UNITY_INSTANCING_BUFFER_START(TrueVAT)
    UNITY_DEFINE_INSTANCED_PROP(float4, _Layer0)
    UNITY_DEFINE_INSTANCED_PROP(float4, _Layer1)
    UNITY_DEFINE_INSTANCED_PROP(float4, _Layer2)
    UNITY_DEFINE_INSTANCED_PROP(float4, _Phases)
    UNITY_DEFINE_INSTANCED_PROP(float4, _Fade1)
    UNITY_DEFINE_INSTANCED_PROP(float4, _Fade2)
#ifdef TRUEVAT_COUNTS
    UNITY_DEFINE_INSTANCED_PROP(float4, _Counts)
#endif
UNITY_INSTANCING_BUFFER_END(TrueVAT)
#define TRUEVAT_INSTANCED(name) UNITY_ACCESS_INSTANCED_PROP(TrueVAT, name)
#else
#define TRUEVAT_INSTANCED(name) name
#endif

// `alone` unless a script has spoken.
TrueVATState truevat_state(TrueVATState alone)
{
    TrueVATState state;
    state.layer0 = TRUEVAT_INSTANCED(_Layer0);
    if (state.layer0.x < 0.0)
        return alone;
    state.layer1 = TRUEVAT_INSTANCED(_Layer1);
    state.layer2 = TRUEVAT_INSTANCED(_Layer2);
    state.phases = TRUEVAT_INSTANCED(_Phases);
    state.fade1 = TRUEVAT_INSTANCED(_Fade1);
    state.fade2 = TRUEVAT_INSTANCED(_Fade2);
    return state;
}

float2 truevat_clock_now() { return truevat_now(_TrueVATClock.xy, _Time.y); }

float2 truevat_clock_before() { return truevat_now(_TrueVATClock.zw, _Time.y - unity_DeltaTime.x); }

#endif
