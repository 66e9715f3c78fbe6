using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>One publish on its way to the queue, encoded.</summary>
/// <param name="origin">Null unless it came from a raw relay connection.</param>
/// <param name="messages">The elements of the envelope's array (<see cref="EnvelopeWriter.WriteMessages"/>).</param>
/// <param name="givenUp">Fires when nobody waits for it any more; then it is not sent, unless it is on its way.</param>
internal sealed class Outgoing(EnvelopeOrigin? origin, ReadOnlyMemory<byte> messages, CancellationToken givenUp = default)
{
    public CancellationToken GivenUp { get; } = givenUp;

    public EnvelopeOrigin? Origin { get; } = origin;

    public ReadOnlyMemory<byte> Messages { get; } = messages;

    public TaskCompletionSource<EntryResult> Outcome { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}
