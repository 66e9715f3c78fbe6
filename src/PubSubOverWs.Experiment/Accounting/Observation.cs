using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Accounting;

/// <summary>What the load saw of one attempt, before anything is concluded from it. Times are from the iteration's start.</summary>
/// <param name="MessageId">The application id.</param>
/// <param name="Publisher">The user who sends.</param>
/// <param name="Recipient">The user the scenario means it for.</param>
/// <param name="Due">When the schedule wanted it sent.</param>
/// <param name="Sent">When it was handed to the socket; null: it never was.</param>
/// <param name="Receipt">When an answer to the SEND came, whatever it said.</param>
/// <param name="Taken">The receipt said that the broker had taken it.</param>
/// <param name="Received">When the first intact copy came to <paramref name="Recipient"/>, in time or not.</param>
/// <param name="Failure">What went wrong on the way, as far as the client could see.</param>
public readonly record struct Observation(
    string MessageId,
    int Publisher,
    int Recipient,
    TimeSpan Due,
    TimeSpan? Sent,
    TimeSpan? Receipt,
    bool Taken,
    TimeSpan? Received,
    Cause Failure);
