using System.Buffers;
using System.Buffers.Binary;
using System.Text;

namespace PubSubOverWs.LocalSqs;

/// <summary>The attributes of a message, or those of them that a receive asked for.</summary>
public sealed class MessageAttributes
{
    // "Transport type" in the words of the developer guide ("Calculating the MD5 message digest for message attributes").
    private const byte TextTransport = 1;
    private const byte BinaryTransport = 2;

    private readonly AttributeEntry[] _byName;

    public MessageAttributes(IEnumerable<AttributeEntry> attributes)
    {
        _byName = [.. attributes.OrderBy(attribute => attribute.Name, StringComparer.Ordinal)];
        Length = _byName.Sum(attribute => attribute.Length);
        Md5 = Md5Of(_byName);
    }

    /// <summary>In the order of their names.</summary>
    public IReadOnlyList<AttributeEntry> ByName => _byName;

    /// <summary>Bytes that count towards the size of the message.</summary>
    public int Length { get; }

    /// <summary>Over names, types and values, as SQS documents it.</summary>
    public Md5Sum Md5 { get; }

    /// <summary>Those with a name that <paramref name="isWanted"/>; null: there is none.</summary>
    public MessageAttributes? Where(Func<string, bool> isWanted)
    {
        var wanted = Array.FindAll(_byName, attribute => isWanted(attribute.Name));
        return wanted.Length == 0 ? null : wanted.Length == _byName.Length ? this : new MessageAttributes(wanted);
    }

    private static Md5Sum Md5Of(AttributeEntry[] byName)
    {
        var digested = new ArrayBufferWriter<byte>();
        foreach (var attribute in byName)
        {
            WriteWithLength(digested, Encoding.UTF8.GetBytes(attribute.Name));
            WriteWithLength(digested, Encoding.UTF8.GetBytes(attribute.DataType));
            digested.Write([attribute.IsBinary ? BinaryTransport : TextTransport]);
            WriteWithLength(digested, attribute.Value);
        }
        return Md5Sum.Compute(digested.WrittenSpan);
    }

    private static void WriteWithLength(ArrayBufferWriter<byte> digested, ReadOnlySpan<byte> part)
    {
        BinaryPrimitives.WriteInt32BigEndian(digested.GetSpan(sizeof(int)), part.Length);
        digested.Advance(sizeof(int));
        digested.Write(part);
    }
}

/// <summary>An attribute that a sender gave its message.</summary>
/// <param name="Name">Unique in the message; case matters.</param>
/// <param name="DataType"><c>String</c>, <c>Number</c> or <c>Binary</c>, perhaps with a suffix of the sender's own:
/// <c>Number.float</c>.</param>
/// <param name="Value">The text in UTF-8; for Binary the bytes themselves.</param>
public sealed record AttributeEntry(string Name, string DataType, byte[] Value)
{
    public bool IsBinary => DataType.StartsWith("Binary", StringComparison.Ordinal);

    /// <summary>Bytes that count towards the size of the message.</summary>
    public int Length => Encoding.UTF8.GetByteCount(Name) + Encoding.UTF8.GetByteCount(DataType) + Value.Length;
}
