// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;
using System.Reflection;

/// <summary>Runs every static method whose name begins with Test, and prints a line for each.</summary>
static class Harness
{
    static int Main(string[] arguments)
    {
        if (arguments.Length > 0)
            return Tool.Run(arguments);
        foreach (Type type in Assembly.GetExecutingAssembly().GetTypes())
            foreach (MethodInfo method in type.GetMethods(BindingFlags.Static | BindingFlags.Public))
                if (method.Name.StartsWith("Test"))
                    Run(method);
        return 0;
    }

    static void Run(MethodInfo method)
    {
        try
        {
            method.Invoke(null, null);
            Console.WriteLine("passed " + method.Name);
        }
        catch (TargetInvocationException error)
        {
            Console.WriteLine("failed " + method.Name + ": " + error.InnerException.ToString().Replace("\n", " | "));
        }
    }

    public static void Near(double expected, double found, string what = "", double error = 1e-9)
    {
        if (!(Math.Abs(expected - found) <= error))
            throw new Exception(what + " is " + found + ", not " + expected);
    }

    public static void True(bool condition, string what)
    {
        if (!condition)
            throw new Exception("not so: " + what);
    }

    public static void Throws<T>(Action action) where T : Exception
    {
        try
        {
            action();
        }
        catch (T)
        {
            return;
        }
        throw new Exception("no " + typeof(T).Name);
    }
}
