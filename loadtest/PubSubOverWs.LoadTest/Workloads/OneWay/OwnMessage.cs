using System.Text;
using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>What a user keeps of one message that it sends to itself. Stamps are of <see cref="System.Diagnostics.Stopwatch"/>.</summary>
/// <param name="id">The application id, ASCII.</param>
public sealed class OwnMessage(string id)
{
    private readonly byte[] _idBytes = Encoding.ASCII.GetBytes(id);

    public string Id { get; } = id;

    /// <summary>When it was handed to the socket; null: it never was.</summary>
    public long? SentAt { get; set; }

    /// <summary>When the answer to the SEND came, whatever it said.</summary>
    public long? ReceiptAt { get; set; }

    /// <summary>The receipt said that the broker had taken it.</summary>
    public bool Taken { get; set; }

    /// <summary>Why the receipt said that it was not taken; null: it did not say so.</summary>
    public ConnectFailure? Refusal { get; set; }

    /// <summary>Nobody waits for it any more.</summary>
    public bool IsSettled { get; set; }

    public bool HasId(ReadOnlySpan<byte> id) => id.SequenceEqual(_idBytes);
}
