using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>One publish on its way to the queue, encoded.</summary>
internal sealed class Outgoing
{
    private bool _isDecided;

    /// <param name="origin">Null unless it came from a raw relay connection.</param>
    /// <param name="messages">The elements of the envelope's array (<see cref="EnvelopeWriter.WriteMessages"/>).</param>
    /// <param name="givenUp">
    /// Fires when nobody waits for it any more. Unless it is on its way then it is not sent, its outcome is known at once, and it holds
    /// nothing: calls that hang would make given-up publishes pile up.
    /// </param>
    public Outgoing(EnvelopeOrigin? origin, ReadOnlyMemory<byte> messages, CancellationToken givenUp = default)
    {
        (Origin, Messages, GivenUp) = (origin, messages, givenUp);
        givenUp.UnsafeRegister(static publish => ((Outgoing)publish!).GiveUp(), this);
    }

    public CancellationToken GivenUp { get; }

    public EnvelopeOrigin? Origin { get; }

    /// <summary>How many messages it has.</summary>
    public int Count { get; init; } = 1;

    /// <summary>Empty once it was given up.</summary>
    public ReadOnlyMemory<byte> Messages { get; private set; }

    public TaskCompletionSource<EntryResult> Outcome { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>It is on its way from now on. False: it was given up.</summary>
    public bool TryTake() => TryDecide();

    // Sent or given up: whoever is first decides.
    private bool TryDecide() => !Interlocked.Exchange(ref _isDecided, true);

    private void GiveUp()
    {
        if (!TryDecide())
            return;
        Messages = default;
        Outcome.TrySetCanceled(GivenUp);
    }
}
