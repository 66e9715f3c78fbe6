using System.Text;

namespace PubSubOverWs.LocalSqs;

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
