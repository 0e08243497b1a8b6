// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using TrueVAT.Editor;

public static class SlotMapTests
{
    static void Check(int slots, bool turned, bool right)
    {
        float[] u = new float[slots], v = new float[slots];
        for (int i = 0; i < slots; i++)
        {
            u[i] = i % 1024;
            v[i] = turned ? 1 - i / 1024 : i / 1024;
        }
        int known = right ? slots : slots / 2;
        Harness.True(SlotMap.Repair(u, v, known) == right, "it is known for what it is");
        for (int i = 0; right && i < slots; i++)
            Harness.Near(i, u[i] + 1024 * v[i], "slot");
    }

    /// <summary>Also where no v is negative: up to 2047 slots.</summary>
    public static void TestATurnedMapIsTurnedBack()
    {
        foreach (int slots in new[] { 1, 3, 1024, 1025, 1500, 2047, 2049, 5000 })
        {
            Check(slots, false, true);
            Check(slots, true, true);
        }
    }

    public static void TestAnotherBakesMapIsRefused()
    {
        Check(3000, false, false);
        Check(100, false, false);
        Harness.True(!SlotMap.Repair(new[] { 0.3f, float.NaN }, new[] { 0f, 0f }, 100), "no number");
        Harness.True(!SlotMap.Repair(new[] { 1030f }, new[] { 0f }, 5000), "no column");
    }
}
