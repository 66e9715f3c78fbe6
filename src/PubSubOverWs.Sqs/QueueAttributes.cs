namespace PubSubOverWs.Sqs;

/// <summary>A queue's counts and settings at one moment.</summary>
/// <param name="Arn">Its name in a <see cref="RedrivePolicy"/>, in an access policy and for <see cref="ISns.SubscribeQueueAsync"/>.</param>
/// <param name="Visible">Messages that a receive would get.</param>
/// <param name="InFlight">Messages received, neither deleted nor visible again.</param>
/// <param name="Delayed">Messages whose first delay has not passed.</param>
/// <param name="Settings">The settings in force.</param>
public sealed record QueueAttributes(string Arn, long Visible, long InFlight, long Delayed, QueueSettings Settings)
{
    /// <summary>When the queue was created, to the second; null: the server did not say.</summary>
    public DateTimeOffset? CreatedAt { get; init; }

    /// <summary>All of them: visible, in flight and delayed.</summary>
    public long Total => Visible + InFlight + Delayed;

    /// <summary>Nothing visible, in flight or delayed. On AWS trust it only when several answers over minutes agree.</summary>
    public bool IsEmpty => Total == 0;
}
