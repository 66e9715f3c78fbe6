using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace PubSubOverWs.LocalSqs;

/// <summary>A message on its way into a queue.</summary>
/// <param name="Body">As it came.</param>
/// <param name="Delay">How long it is hidden at first; null: the queue's delay.</param>
/// <param name="Extras">Null: it has none of them.</param>
public readonly record struct NewMessage(MessageBody Body, TimeSpan? Delay = null, MessageExtras? Extras = null);

/// <summary>A message body as the queue keeps it.</summary>
/// <param name="Literal">
/// The JSON string literal as it came, with quotes and escapes: it is returned unchanged, never escaped again.
/// </param>
/// <param name="Length">Bytes of the text itself, in UTF-8.</param>
/// <param name="Md5">Of the text itself.</param>
public readonly record struct MessageBody(byte[] Literal, int Length, Md5Sum Md5);

/// <summary>The properties of only some messages, kept separately so that they cost the others one reference.</summary>
/// <param name="GroupId">It is kept and shown, and has no effect.</param>
/// <param name="Attributes">Null: none.</param>
public sealed record MessageExtras(string? GroupId, MessageAttributes? Attributes = null);

/// <summary>A message as one receive got it: a copy of the values that the next receive may change.</summary>
/// <param name="Number">The message's number in the process.</param>
/// <param name="Receipt">Which receive of the message this is.</param>
/// <param name="Body">As it came.</param>
/// <param name="SentAt">Milliseconds since 1970 (UTC).</param>
/// <param name="FirstReceivedAt">Milliseconds since 1970 (UTC).</param>
/// <param name="ReceiveCount">1 for the first receive.</param>
/// <param name="Extras">Null: it has none of them.</param>
public readonly record struct Handout(
    ulong Number, uint Receipt, MessageBody Body, long SentAt, long FirstReceivedAt, int ReceiveCount, MessageExtras? Extras);

/// <summary>An MD5 as a value type, so that a million messages need no million arrays.</summary>
public readonly record struct Md5Sum(UInt128 Value)
{
    public static Md5Sum Compute(ReadOnlySpan<byte> text)
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
