using System.Buffers.Binary;
using System.Numerics;
using System.Text.Unicode;

namespace PubSubOverWs.LoadTest.Harness.Clients;

/// <summary>
/// The body of a message: readable text of an exact size that identifies the message and proves that it is intact:
/// <c>crc=XXXXXXXX;id=ID;user=N;seq=N;.....</c>, where the CRC-32C covers everything after its semicolon, including the padding.
/// </summary>
public static class Payload
{
    private const byte Padding = (byte)'.';
    private const int Covered = 13;

    /// <param name="messageId">The application id, ASCII.</param>
    /// <exception cref="ArgumentException">The size is too small for the fields.</exception>
    public static byte[] Write(int size, string messageId, int user, int sequence)
    {
        var fields = Encoding.ASCII.GetBytes(Invariant($"id={messageId};user={user};seq={sequence};"));
        if (size < Covered + fields.Length)
            throw new ArgumentException(
                $"A payload of {size} bytes is too small for its fields: use {Covered + fields.Length} or more.", nameof(size));
        var payload = new byte[size];
        payload.AsSpan().Fill(Padding);
        fields.CopyTo(payload, Covered);
        Encoding.ASCII.GetBytes($"crc={Checksum(payload.AsSpan(Covered)):x8};", payload);
        return payload;
    }

    /// <summary>True: an intact payload of <see cref="Write"/>; <paramref name="messageId"/> is a slice of it.</summary>
    public static bool TryRead(ReadOnlySpan<byte> payload, out ReadOnlySpan<byte> messageId)
    {
        messageId = default;
        if (payload.Length < Covered)
            return false;
        // Compared as text: upper case would be the same number, but not the same bytes.
        Span<byte> stated = stackalloc byte[Covered];
        Utf8.TryWrite(stated, CultureInfo.InvariantCulture, $"crc={Checksum(payload[Covered..]):x8};", out _);
        if (!payload.StartsWith(stated))
            return false;
        var fields = payload[Covered..];
        var end = fields.IndexOf((byte)';');
        if (end < 0 || !fields.StartsWith("id="u8))
            return false;
        messageId = fields["id="u8.Length..end];
        return true;
    }

    /// <summary>CRC-32C (Castagnoli), for which processors have an instruction.</summary>
    public static uint Checksum(ReadOnlySpan<byte> bytes)
    {
        var crc = uint.MaxValue;
        for (; bytes.Length >= sizeof(ulong); bytes = bytes[sizeof(ulong)..])
            crc = BitOperations.Crc32C(crc, BinaryPrimitives.ReadUInt64LittleEndian(bytes));
        foreach (var one in bytes)
            crc = BitOperations.Crc32C(crc, one);
        return ~crc;
    }
}
