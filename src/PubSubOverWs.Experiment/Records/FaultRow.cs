using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Experiments.Relay;

namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// What happened to the clients of one arm in one iteration of the workload <c>pairs</c>: one row of faults.csv. Duplicates that
/// receivers dropped stand in iterations.csv.
/// </summary>
public sealed record FaultRow
{
    /// <summary>One of <see cref="Arms"/>; with the three below the key of its row in iterations.csv.</summary>
    public required string Arm { get; init; }

    public required int Users { get; init; }

    public required int Block { get; init; }

    public required int Iteration { get; init; }

    /// <summary>Moments of the time line that were carried out; each is an event of its own.</summary>
    public required int Deeds { get; init; }

    /// <summary>Times that a subscriber was away.</summary>
    public required int SubscriberWindows { get; init; }

    /// <summary>
    /// Of the windows that ended: from the loss of the connection until it was subscribed again. Null: there was none; so for the two
    /// below.
    /// </summary>
    public TimeSpan? SubscriberAwayMean { get; init; }

    public TimeSpan? SubscriberAwayMax { get; init; }

    /// <summary>Times that a publisher was away.</summary>
    public required int PublisherWindows { get; init; }

    public TimeSpan? PublisherAwayMean { get; init; }

    /// <summary>Windows of either that had not ended when the iteration did.</summary>
    public required int NeverBack { get; init; }

    /// <summary>What an arm that stores nothing should have lost with these windows.</summary>
    public required long PredictedLost { get; init; }

    /// <summary>Messages that were published again, with the same id, because they had no receipt.</summary>
    public required long Republished { get; init; }

    /// <summary>
    /// Of the late sends of iterations.csv those that were due while their publisher was away, and sent as soon as it was back: the
    /// fault's, not the load's.
    /// </summary>
    public required int LateWhileAway { get; init; }

    /// <summary>The row of an iteration, from when its clients were away.</summary>
    /// <param name="row">Its row in iterations.csv.</param>
    /// <param name="actions">Moments that were carried out.</param>
    /// <param name="attempts">All messages of the iteration; due from the iteration's start, as the windows are.</param>
    /// <param name="windows">Of all its clients.</param>
    /// <param name="republished">Messages that were published again.</param>
    public static FaultRow Of(
        IterationRow row, int actions, IReadOnlyList<Attempt> attempts, IReadOnlyList<OfflineWindow> windows, long republished)
    {
        var subscribers = Lengths(windows, isSubscriber: true);
        var publishers = Lengths(windows, isSubscriber: false);
        var forecast = new LossForecast(windows);
        return new FaultRow
        {
            Arm = row.Arm,
            Users = row.Users,
            Block = row.Block,
            Iteration = row.Iteration,
            Deeds = actions,
            SubscriberWindows = windows.Count(window => window.IsSubscriber),
            SubscriberAwayMean = Mean(subscribers),
            SubscriberAwayMax = subscribers.Length == 0 ? null : subscribers.Max(),
            PublisherWindows = windows.Count(window => !window.IsSubscriber),
            PublisherAwayMean = Mean(publishers),
            NeverBack = windows.Count(window => window.Until is null),
            PredictedLost = attempts.LongCount(forecast.IsLost),
            Republished = republished,
            LateWhileAway = Latencies.LateSends(attempts.Where(forecast.WaitsForItsPublisher)),
        };
    }

    private static TimeSpan[] Lengths(IReadOnlyList<OfflineWindow> windows, bool isSubscriber) =>
        [.. windows.Where(window => window.IsSubscriber == isSubscriber && window.Until is not null)
            .Select(window => window.Length!.Value)];

    private static TimeSpan? Mean(TimeSpan[] lengths) =>
        lengths.Length == 0 ? null : TimeSpan.FromTicks((long)lengths.Average(length => length.Ticks));
}
