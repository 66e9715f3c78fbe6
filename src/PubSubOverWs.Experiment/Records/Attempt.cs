using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// One message meant for one recipient, and what became of it: one row of samples/. All times are from the iteration's start on one
/// monotonic clock; null when it did not happen.
/// </summary>
/// <param name="MessageId">The application id, the same for every copy of the message.</param>
/// <param name="Publisher">The user who sends.</param>
/// <param name="Recipient">The user the scenario means it for, connected or not.</param>
/// <param name="Due">When the schedule wanted it sent.</param>
/// <param name="Sent">When it was handed to the socket.</param>
/// <param name="Receipt">When the broker's answer to the SEND came.</param>
/// <param name="Received">When the first intact copy came.</param>
/// <param name="Outcome">The bucket.</param>
/// <param name="Cause">Why it was not delivered.</param>
public readonly record struct Attempt(
    string MessageId,
    int Publisher,
    int Recipient,
    TimeSpan Due,
    TimeSpan? Sent,
    TimeSpan? Receipt,
    TimeSpan? Received,
    Outcome Outcome,
    Cause Cause)
{
    /// <summary>The latency of open-loop work: a stall of the sender is inside. Never filtered, negative readings are kept.</summary>
    public TimeSpan? LatencyFromDue => Received - Due;

    /// <summary>The latency of a burst, where everything is due at once and the sender needs a while to get it out.</summary>
    public TimeSpan? LatencyFromSent => Received - Sent;

    /// <summary>What is judged: received - sent in a burst, received - due in open-loop work.</summary>
    public TimeSpan? LatencyOf(Arrival arrival) => arrival.IsBurst ? LatencyFromSent : LatencyFromDue;
}
