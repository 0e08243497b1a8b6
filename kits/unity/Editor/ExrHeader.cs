// SPDX-FileCopyrightText: 2026 TrueVAT Authors
// SPDX-License-Identifier: GPL-3.0-or-later
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace TrueVAT.Editor
{
    /// <summary>
    /// Size, pixel type and header words of a bake's texture, from the file itself: what Unity made of
    /// it cannot be read. Files may be damaged: whatever is not as a bake writes it is an error.
    /// </summary>
    public sealed class ExrHeader
    {
        const int MostAttributes = 256;

        public int Width { get; private set; }
        public int Height { get; private set; }
        public bool Half { get; private set; }

        readonly List<string> channels = new List<string>();
        long table;

        /// <exception cref="InvalidDataException">It is no texture of a bake.</exception>
        public static ExrHeader Read(string path)
        {
            return With(path, delegate(BinaryReader reader) { return new ExrHeader(reader); });
        }

        /// <summary>The first words, four digits of base 1024 to a texel.</summary>
        public static uint[] ReadWords(string path, int count)
        {
            return With(path, delegate(BinaryReader reader) { return new ExrHeader(reader).Words(reader, count); });
        }

        static T With<T>(string path, Func<BinaryReader, T> read)
        {
            try
            {
                using (BinaryReader reader = new BinaryReader(File.OpenRead(path)))
                    return read(reader);
            }
            catch (EndOfStreamException)
            {
                throw new InvalidDataException("the file is cut short");
            }
        }

        ExrHeader(BinaryReader reader)
        {
            Check(reader.BaseStream.Length > 8 && reader.ReadInt32() == 20000630, "it is no OpenEXR file");
            Check(reader.ReadInt32() == 2, "it is not made of plain scanlines");
            for (int i = 0; i < MostAttributes; i++)
            {
                string name = Text(reader);
                if (name.Length == 0)
                {
                    table = reader.BaseStream.Position;
                    Check(Width > 0 && channels.Count == 4, "it lacks a size, or channels");
                    return;
                }
                Text(reader); // its type
                int size = reader.ReadInt32();
                long end = reader.BaseStream.Position + size;
                Check(size >= 0 && end <= reader.BaseStream.Length, "the file is cut short");
                if (name == "channels")
                    ReadChannels(reader, end);
                else if (name == "compression")
                    Check(reader.ReadByte() == 0, "it is compressed");
                else if (name == "dataWindow")
                    ReadWindow(reader);
                reader.BaseStream.Position = end;
            }
            throw new InvalidDataException("its header has no end");
        }

        void ReadChannels(BinaryReader reader, long end)
        {
            while (reader.BaseStream.Position < end)
            {
                string name = Text(reader);
                if (name.Length == 0)
                    break;
                int type = reader.ReadInt32();
                reader.BaseStream.Position += 12;
                Check(type == 1 || type == 2, "its channels are no floats");
                Check(channels.Count == 0 || Half == (type == 1), "its channels are of different types");
                Half = type == 1;
                channels.Add(name);
            }
            Check(string.Join("", channels.ToArray()) == "ABGR", "its channels are not A, B, G, R");
        }

        void ReadWindow(BinaryReader reader)
        {
            int left = reader.ReadInt32(), top = reader.ReadInt32();
            int right = reader.ReadInt32(), bottom = reader.ReadInt32();
            Check(left == 0 && top == 0 && right >= 0 && bottom >= 0 && right < 65536 && bottom < 65536,
                "its window is not as a bake has it");
            Width = right + 1;
            Height = bottom + 1;
        }

        uint[] Words(BinaryReader reader, int count)
        {
            Check(count <= (long)Width * Height, "it is too small for a header");
            uint[] words = new uint[count];
            int bytes = Half ? 2 : 4;
            for (int first = 0; first < count; first += Width)
            {
                // Row 0 is the last scanline.
                reader.BaseStream.Position = table + 8L * (Height - 1 - first / Width);
                long line = reader.ReadInt64();
                Check(line >= table && line + 8 + 4L * Width * bytes <= reader.BaseStream.Length,
                    "the file is cut short");
                for (int channel = 0; channel < 4; channel++)
                {
                    int shift = 10 * (3 - channel); // A, B, G, R
                    reader.BaseStream.Position = line + 8 + (long)channel * Width * bytes;
                    for (int i = 0; i < Width && first + i < count; i++)
                        words[first + i] |= Digit(reader) << shift;
                }
            }
            return words;
        }

        uint Digit(BinaryReader reader)
        {
            float value = Half ? FromHalf(reader.ReadUInt16()) : reader.ReadSingle();
            Check(value >= 0 && value < 1024 && value == Math.Floor(value), "its first row is no header");
            return (uint)value;
        }

        static float FromHalf(ushort bits)
        {
            int exponent = bits >> 10 & 31;
            double mantissa = (bits & 1023) / 1024.0;
            if (exponent == 31)
                return float.NaN;
            double value = exponent == 0 ? mantissa * Math.Pow(2, -14) : (1 + mantissa) * Math.Pow(2, exponent - 15);
            return (float)((bits & 0x8000) != 0 ? -value : value);
        }

        static string Text(BinaryReader reader)
        {
            StringBuilder text = new StringBuilder();
            for (byte c = reader.ReadByte(); c != 0; c = reader.ReadByte())
            {
                Check(text.Length < 255, "a name in it has no end");
                text.Append((char)c);
            }
            return text.ToString();
        }

        static void Check(bool right, string wrong)
        {
            if (!right)
                throw new InvalidDataException(wrong);
        }
    }
}
