// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;
using TrueVAT;

public static class ClipPlayerTests
{
    const double Fps = 30000.0 / 1001;

    static double Frame(ClipPlayer player, double now) { return player.GetLayer(player.LayerCount - 1).Frame(now); }

    public static void TestALoopWraps()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 5);
        Harness.Near(0, Frame(player, 5));
        Harness.Near(12.6, Frame(player, 5.525));
        Harness.Near(23.5, Frame(player, 5 + 23.5 / 24));
        Harness.Near(6, Frame(player, 7.25));
        Harness.True(!player.Ended(1000), "a loop has no end");
    }

    public static void TestAShotHoldsItsLastFrame()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Fall, 0);
        Harness.Near(11.5, Frame(player, 11.5 / Fps));
        Harness.True(!player.Ended(11.9 / Fps), "before its end");
        Harness.True(player.Ended(12.01 / Fps), "after its end");
        Harness.Near(12, Frame(player, 900));
        Harness.Near(12 / Fps, player.Time(900));
    }

    public static void TestItsEndMayBeChosen()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Fall, 0, 0, 1, AtEnd.Loop);
        Harness.Near(1.5, Frame(player, 14.5 / Fps));
        player.Play(Scene.Wave, 0, 0, 1, AtEnd.Hold);
        Harness.Near(23, Frame(player, 10));
    }

    public static void TestBackwardsBeginsAtTheEnd()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Fall, 0, 0, -1);
        Harness.Near(12, Frame(player, 0));
        Harness.Near(9.5, Frame(player, 2.5 / Fps));
        Harness.Near(0, Frame(player, 10));
        Harness.True(player.Ended(10), "at its first frame");
        player.Play(Scene.Wave, 0, 0, -2);
        Harness.Near(23, Frame(player, 0));
        Harness.Near(23.5, Frame(player, 23.5 / 48));
    }

    public static void TestSpeedChangesWhereItIs()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.SetSpeed(-0.5, 0.5);
        Harness.Near(12, Frame(player, 0.5));
        Harness.Near(9, Frame(player, 0.75));
        player.SetSpeed(0, 0.75);
        Harness.Near(9, Frame(player, 5000));
    }

    public static void TestSeek()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.Seek(0.25, 10);
        Harness.Near(6, Frame(player, 10));
        Harness.Near(0.25, player.Time(10));
        Harness.Near(9, Frame(player, 10.125));
        player.Pause(10.125);
        player.Seek(0.5, 12);
        Harness.Near(0.5, player.Time(20));
        player.Resume(20);
        Harness.Near(12, Frame(player, 20));
    }

    public static void TestAPauseStopsFadesAndQueues()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.Play(Scene.Fall, 1, 0.4);
        player.Queue(Scene.Wave, 1, 0.1);
        double before = Scene.Shown(player, 1.1);
        player.Pause(1.1);
        Harness.True(!player.Update(50), "nothing changes in a pause");
        player.Resume(51.1);
        Harness.Near(before, Scene.Shown(player, 51.1));
        player.Update(51.11);
        Harness.True(player.Current == Scene.Fall, "the queue waits, too");
        player.Update(51.1 + 12 / Fps);
        Harness.True(player.Current == Scene.Wave, "and goes on");
    }

    public static void TestACrossFade()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.Play(Scene.Fall, 1, 0.5);
        Harness.Near(0, player.GetLayer(1).Weight(1));
        Harness.Near(0.5, player.GetLayer(1).Weight(1.25));
        Harness.Near(0.5 * 6 + 0.5 * (100 + 0.25 * Fps), Scene.Shown(player, 1.25));
        Harness.True(player.Update(1.5), "its end is told");
        Harness.True(player.LayerCount == 1 && player.Current == Scene.Fall, "only the new clip is left");
        Harness.Near(100 + 12, Scene.Shown(player, 1.5));
    }

    public static void TestAFadeDuringAFade()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.Play(Scene.Fall, 1, 1);
        double before = Scene.Shown(player, 1.3);
        player.Play(Scene.Wave, 1.3, 1);
        Harness.True(player.LayerCount == 3, "three clips at once");
        Harness.Near(before, Scene.Shown(player, 1.3), "what is shown");
        player.Update(2);
        Harness.True(player.LayerCount == 2, "the first fade has ended");
        player.Update(2.31);
        Harness.True(player.LayerCount == 1 && player.Current == Scene.Wave, "the second, too");
    }

    public static void TestAFourthClipWaits()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.Play(Scene.Fall, 1, 1);
        player.Play(Scene.Wave, 1.1, 2);
        player.Play(Scene.Fall, 1.2, 1);
        Harness.True(player.LayerCount == 3 && player.Current == Scene.Wave, "it waits");
        double before = Scene.Shown(player, 2);
        player.Update(2);
        Harness.True(player.LayerCount == 3 && player.Current == Scene.Fall, "until a fade ends");
        Harness.Near(before, Scene.Shown(player, 2), "what is shown");
    }

    public static void TestWithoutAFadeAllElseEnds()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.Play(Scene.Fall, 1, 1);
        player.Play(Scene.Wave, 1.5);
        Harness.True(player.LayerCount == 1, "one clip");
        Harness.Near(0, Scene.Shown(player, 1.5));
    }

    public static void TestAQueueAfterAShot()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Fall, 0);
        player.Queue(Scene.Wave, 0.1);
        double end = 12 / Fps;
        player.Update(end - 0.001);
        Harness.True(player.Current == Scene.Fall, "not before its end");
        player.Update(end + 0.5); // a slow frame
        Harness.True(player.Current == Scene.Wave, "after it");
        Harness.Near(12, Frame(player, end + 0.5), "it began when the other ended", 1e-6);
    }

    public static void TestAQueueAfterALoopWaitsForItsTurn()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.Queue(Scene.Fall, 2.25);
        player.Update(2.99);
        Harness.True(player.Current == Scene.Wave, "not within a turn");
        player.Update(3.001);
        Harness.True(player.Current == Scene.Fall, "at its end");
        Harness.Near(0.001 * Fps, Frame(player, 3.001), "", 1e-6);
    }

    public static void TestAQueuedFadeEndsWithTheClip()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.Queue(Scene.Fall, 0.1, 0.25);
        player.Update(0.76);
        Harness.Near(0.04, player.GetLayer(1).Weight(0.76));
        Harness.Near(1, player.GetLayer(1).Weight(1));
    }

    public static void TestAQueueOfSeveral()
    {
        ClipPlayer player = Scene.Player();
        player.Queue(Scene.Fall, 0);
        player.Queue(Scene.Wave, 0, 0, 2);
        player.Queue(Scene.Fall, 0);
        double begin = 12 / Fps + 0.5;
        player.Update(begin + 3 / Fps); // over both at once
        Harness.Near(3, Frame(player, begin + 3 / Fps), "", 1e-6);
        player.Queue(Scene.Wave, 900);
        player.Update(900);
        Harness.Near(0, Frame(player, 900), "what has long ended is followed at once");
    }

    public static void TestPlayForgetsTheQueue()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Fall, 0);
        player.Queue(Scene.Wave, 0);
        player.Play(Scene.Fall, 0.1);
        player.Update(100);
        Harness.True(player.Current == Scene.Fall, "nothing follows");
    }

    public static void TestNothingIsToldFromFrameToFrame()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Wave, 0);
        player.Play(Scene.Fall, 1, 1, 1, AtEnd.Loop);
        float[] first = new float[28], later = new float[28];
        player.Pack(first, false);
        for (double now = 1; now < 2; now += 1 / 60.0)
            Harness.True(!player.Update(now), "nothing to tell");
        player.Pack(later, false);
        for (int i = 0; i < 28; i++)
            Harness.Near(first[i], later[i], "value " + i, 0);
    }

    public static void TestPlayersAreIndependent()
    {
        ClipPlayer one = Scene.Player(), other = Scene.Player();
        one.Play(Scene.Wave, 0);
        other.Play(Scene.Fall, 0.5, 0, 2);
        Harness.Near(18, Frame(one, 0.75));
        Harness.Near(12, Frame(other, 0.75));
        Harness.True(one.Current == Scene.Wave, "its own clip");
    }

    public static void TestTenHoursAreToldExactly()
    {
        ClipPlayer player = Scene.Player();
        double start = 36000.123456;
        player.Play(Scene.Wave, start);
        float[] state = new float[28];
        player.Pack(state, false);
        Harness.Near(start, (state[2] - 1) * 64.0 + state[3], "the start", 4e-6);
        Harness.True(state[3] >= 0 && state[3] < 64, "seconds of an epoch");
        float epochs, seconds;
        Clock.Split(0, out epochs, out seconds);
        Harness.True(epochs == 1 && seconds == 0, "a script's clock is above 0");
    }

    public static void TestStatesByFrames()
    {
        ClipPlayer player = Scene.Player();
        player.Play(Scene.Fall, 0, 0, 0.5);
        float[] state = new float[28];
        player.Pack(state, true);
        Harness.Near(24, state[0]);
        Harness.Near(0.5 * Fps, state[1], "", 1e-5);
        Harness.Near(13, state[24]);
        Harness.Near(-1, state[4]);
    }

    public static void TestMistakesAreNamed()
    {
        Harness.Throws<ArgumentException>(delegate { new ClipPlayer(new Clip[0]); });
        Harness.Throws<ArgumentException>(delegate { Scene.Player().Find("walk"); });
        Harness.Throws<ArgumentOutOfRangeException>(delegate { Scene.Player().Play(2, 0); });
        Harness.Throws<ArgumentOutOfRangeException>(delegate { Scene.Player().Queue(-1, 0); });
    }

    /// <summary>
    /// However fades, speeds, pauses and queues follow each other, nothing jumps. Clips are 100 apart:
    /// in a step of 10 ms a fade of half a second moves what is shown by 2, and what was due within
    /// the step begins late by less than that.
    /// </summary>
    public static void TestNothingJumps()
    {
        Random random = new Random(11);
        for (int run = 0; run < 200; run++)
        {
            ClipPlayer player = Scene.Player();
            player.Play(Scene.Fall, 0, 0, 1, AtEnd.Hold);
            double now = 0, shown = Scene.Shown(player, 0);
            for (int step = 0; step < 200; step++)
            {
                now += random.NextDouble() * 0.01;
                Harness.Near(shown, Scene.Shown(player, now), "what is shown before step " + step, 6);
                shown = Scene.Shown(player, now);
                double fade = 0.5 + random.NextDouble();
                double late = 1e-6;
                int what = random.Next(12);
                if (what == 0)
                    player.Play(random.Next(2), now, fade, random.NextDouble() * 4 - 2, AtEnd.Hold);
                else if (what == 1)
                    player.Queue(random.Next(2), now, fade, 1, AtEnd.Hold);
                else if (what == 2)
                    player.SetSpeed(random.NextDouble() * 4 - 2, now);
                else
                {
                    late = 3;
                    player.Update(now);
                }
                if (what == 3)
                {
                    player.Pause(now);
                    now += 5;
                    player.Resume(now);
                }
                Harness.Near(shown, Scene.Shown(player, now), "what is shown in step " + step, late);
                Harness.True(player.LayerCount >= 1 && player.LayerCount <= 3, "one to three clips");
            }
        }
    }
}
