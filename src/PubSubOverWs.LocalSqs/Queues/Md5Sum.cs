using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace PubSubOverWs.LocalSqs;

/// <summary>An MD5 as a value type, so that a million messages need no million arrays.</summary>
public readonly record struct Md5Sum(UInt128 Value)
{
    public static Md5Sum Of(ReadOnlySpan<byte> text)
    {
        UInt128 value = default;
#pragma warning disable CA5351 // The protocol names it: a checksum, not a protection.
        MD5.HashData(text, MemoryMarshal.AsBytes(new Span<UInt128>(ref value)));
#pragma warning restore CA5351
        return new Md5Sum(value);
    }

    /// <summary>Lower-case hexadecimal digits, 32 of them.</summary>
    public void WriteTo(Span<byte> utf8)
    {
        var value = Value;
        Convert.TryToHexStringLower(MemoryMarshal.AsBytes(new ReadOnlySpan<UInt128>(ref value)), utf8, out _);
    }
}
