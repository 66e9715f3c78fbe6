using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Record.Files;

/// <summary>
/// When the clients of one arm were away in one iteration of the workload <c>pairs</c>: the <see cref="FaultMeasures"/> of its row.
/// </summary>
public sealed record FaultRow
{
    /// <summary>With the iteration the key of its row in iterations.csv.</summary>
    public required string Arm { get; init; }

    public required int Iteration { get; init; }

    /// <inheritdoc cref="FaultMeasures.FaultActions"/>
    public required int FaultActions { get; init; }

    public required int SubscriberWindows { get; init; }

    /// <summary>Null: no window ended.</summary>
    public TimeSpan? SubscriberAwayMean { get; init; }

    /// <summary>Null: no window ended.</summary>
    public TimeSpan? SubscriberAwayMax { get; init; }

    public required int PublisherWindows { get; init; }

    /// <summary>Null: no window ended.</summary>
    public TimeSpan? PublisherAwayMean { get; init; }

    public required int NeverBack { get; init; }

    public required long PredictedLost { get; init; }

    public required long Republished { get; init; }

    public required int LateWhileAway { get; init; }

    /// <summary>As the measures of its row.</summary>
    public IReadOnlyDictionary<string, double?> Measures => new Dictionary<string, double?>
    {
        [FaultMeasures.FaultActions.Name] = FaultActions,
        [FaultMeasures.SubscriberWindows.Name] = SubscriberWindows,
        [FaultMeasures.SubscriberAwayMean.Name] = SubscriberAwayMean?.TotalMicroseconds,
        [FaultMeasures.SubscriberAwayMax.Name] = SubscriberAwayMax?.TotalMicroseconds,
        [FaultMeasures.PublisherWindows.Name] = PublisherWindows,
        [FaultMeasures.PublisherAwayMean.Name] = PublisherAwayMean?.TotalMicroseconds,
        [FaultMeasures.NeverBack.Name] = NeverBack,
        [FaultMeasures.PredictedLost.Name] = PredictedLost,
        [FaultMeasures.Republished.Name] = Republished,
        [FaultMeasures.LateWhileAway.Name] = LateWhileAway,
    };

    /// <summary>The faults of a row; null: it is of another workload.</summary>
    /// <exception cref="RecordException">A measure has no value, or an impossible one.</exception>
    public static FaultRow? Find(IterationRow row) => !row.Measures.ContainsKey(FaultMeasures.FaultActions.Name) ? null : new FaultRow
    {
        Arm = row.Arm,
        Iteration = row.Iteration,
        FaultActions = (int)Count(row, FaultMeasures.FaultActions, int.MaxValue),
        SubscriberWindows = (int)Count(row, FaultMeasures.SubscriberWindows, int.MaxValue),
        SubscriberAwayMean = Time(row, FaultMeasures.SubscriberAwayMean),
        SubscriberAwayMax = Time(row, FaultMeasures.SubscriberAwayMax),
        PublisherWindows = (int)Count(row, FaultMeasures.PublisherWindows, int.MaxValue),
        PublisherAwayMean = Time(row, FaultMeasures.PublisherAwayMean),
        NeverBack = (int)Count(row, FaultMeasures.NeverBack, int.MaxValue),
        PredictedLost = Count(row, FaultMeasures.PredictedLost, row.Buckets.Attempts),
        Republished = Count(row, FaultMeasures.Republished, int.MaxValue),
        LateWhileAway = (int)Count(row, FaultMeasures.LateWhileAway, int.MaxValue),
    };

    /// <summary>The row of an iteration, from when its clients were away.</summary>
    /// <param name="attempts">All messages of the iteration; due from the iteration's start, as the windows are.</param>
    public static FaultRow From(
        IterationRow row, int actions, IReadOnlyList<Attempt> attempts, IReadOnlyList<OfflineWindow> windows, long republished)
    {
        var subscribers = Lengths(windows, isSubscriber: true);
        var publishers = Lengths(windows, isSubscriber: false);
        var forecast = new LossForecast(windows);
        return new FaultRow
        {
            Arm = row.Arm,
            Iteration = row.Iteration,
            FaultActions = actions,
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

    private static long Count(IterationRow row, Measure measure, long most) =>
        row.Measures[measure.Name] is { } value && value >= 0 && value <= most && value % 1 == 0
            ? (long)value
            : throw NoValue(row, measure);

    // A tick is a tenth of a microsecond, so a time is exact.
    private static TimeSpan? Time(IterationRow row, Measure measure) => row.Measures[measure.Name] switch
    {
        null => null,
        { } microseconds when microseconds >= 0 && microseconds <= Csv.LongestTime.TotalMicroseconds =>
            TimeSpan.FromTicks((long)Math.Round(microseconds * TimeSpan.TicksPerMicrosecond)),
        _ => throw NoValue(row, measure),
    };

    private static RecordException NoValue(IterationRow row, Measure measure) => new(
        $"The measure {measure.Name} of {row.Arm}, iteration {row.Iteration}, is "
            + $"'{Csv.Text(row.Measures[measure.Name])}', which is not a valid value: {RecordException.Mend}.");

    private static TimeSpan[] Lengths(IReadOnlyList<OfflineWindow> windows, bool isSubscriber) =>
        [.. windows.Where(window => window.IsSubscriber == isSubscriber && window.Until is not null)
            .Select(window => window.Length!.Value)];

    private static TimeSpan? Mean(TimeSpan[] lengths) =>
        lengths.Length == 0 ? null : TimeSpan.FromTicks((long)lengths.Average(length => length.Ticks));
}

/// <summary>The measures of the workload <c>pairs</c> on the offline time of its clients.</summary>
public static class FaultMeasures
{
    public static Measure FaultActions { get; } = new(
        "faultActions", "", "fault actions that were carried out; each is two events");

    public static Measure SubscriberWindows { get; } = new("subscriberWindows", "", "times that a subscriber was away");

    public static Measure SubscriberAwayMean { get; } = new(
        "subscriberAwayMeanUs", "us", "of the windows that ended: from the loss of the connection until it was subscribed again");

    public static Measure SubscriberAwayMax { get; } = new("subscriberAwayMaxUs", "us", "the longest of these");

    public static Measure PublisherWindows { get; } = new("publisherWindows", "", "times that a publisher was away");

    public static Measure PublisherAwayMean { get; } = new("publisherAwayMeanUs", "us", "until it was connected again");

    public static Measure NeverBack { get; } = new("neverBack", "", "windows of either that had not ended when the iteration did");

    public static Measure PredictedLost { get; } = new(
        "predictedLost", "messages", "published while their subscriber was away: what an arm that stores nothing loses");

    public static Measure Republished { get; } = new(
        "republished", "messages", "published again, with the same id, because they had no receipt");

    public static Measure LateWhileAway { get; } = new(
        "lateWhileAway", "messages",
        "of the late sends those that were due while their publisher was away, and sent within 20 ms of its return");

    /// <summary>In the order in which they are written.</summary>
    public static IReadOnlyList<Measure> All { get; } =
    [
        FaultActions, SubscriberWindows, SubscriberAwayMean, SubscriberAwayMax, PublisherWindows, PublisherAwayMean, NeverBack,
        PredictedLost, Republished, LateWhileAway,
    ];
}
