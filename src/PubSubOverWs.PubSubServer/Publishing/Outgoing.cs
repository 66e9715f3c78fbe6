using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>One publish on its way to the queue, encoded.</summary>
/// <param name="origin">Null unless it came from a raw relay connection.</param>
/// <param name="messages">The elements of the envelope's array (<see cref="EnvelopeWriter.WriteMessages"/>).</param>
internal sealed class Outgoing(EnvelopeOrigin? origin, ReadOnlyMemory<byte> messages)
{
    public EnvelopeOrigin? Origin { get; } = origin;

    public ReadOnlyMemory<byte> Messages { get; } = messages;

    public TaskCompletionSource<EntryResult> Outcome { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}
