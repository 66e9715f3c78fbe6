namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// The figures that Pimentel and Nickerson published of WebSocket, long polling and polling: the embedded
/// results/published/transports.json.
/// </summary>
public sealed record PublishedTransports
{
    public required string Citation { get; init; }

    /// <summary>Measurements of each transport in each test.</summary>
    public required int Samples { get; init; }

    /// <summary>Of its one-sided tests, such as 0.99.</summary>
    public required double Confidence { get; init; }

    /// <summary>Bytes of a measurement.</summary>
    public required int Bytes { get; init; }

    /// <summary>From one measurement of the sensor to the next.</summary>
    public required TimeSpan Period { get; init; }

    /// <summary>After which the server answers a long poll that has found nothing.</summary>
    public required TimeSpan LongPollingWait { get; init; }

    /// <summary>From a response to the next poll.</summary>
    public required TimeSpan PollingPause { get; init; }

    /// <summary>In the order of the paper: three times of day at each of four sites.</summary>
    public required IReadOnlyList<PublishedTest> Tests { get; init; }

    /// <summary>Errata and other notes, one paragraph each.</summary>
    public required IReadOnlyList<string> Notes { get; init; }

    public static PublishedTransports Load()
    {
        var root = PublishedFigures.Read("transports");
        var sensor = root.GetProperty("sensor");
        return new PublishedTransports
        {
            Citation = root.GetProperty("citation").GetString()!,
            Samples = root.GetProperty("samples").GetInt32(),
            Confidence = root.GetProperty("confidence").GetDouble(),
            Bytes = sensor.GetProperty("bytes").GetInt32(),
            Period = Milliseconds(sensor.GetProperty("periodMs")),
            LongPollingWait = Milliseconds(root.GetProperty("longPollingWaitMs")),
            PollingPause = Milliseconds(root.GetProperty("pollingPauseMs")),
            Tests = root.GetProperty("tests").To<IReadOnlyList<PublishedTest>>(),
            Notes = root.GetProperty("notes").To<IReadOnlyList<string>>(),
        };
    }

    private static TimeSpan Milliseconds(JsonElement value) => TimeSpan.FromMilliseconds(value.GetInt32());
}

/// <summary>One test: the three transports one after the other, within half an hour.</summary>
/// <param name="Name">The site and the number of the test there, such as <c>Lund 2</c>.</param>
public sealed record PublishedTest(
    string Name, PublishedTransport WebSocket, PublishedTransport LongPolling, PublishedTransport Polling)
{
    /// <summary>The site, such as <c>Lund</c>.</summary>
    public string Site => Name[..Name.IndexOf(' ', StringComparison.Ordinal)];

    /// <summary>That of an arm; null: the arm is not of the paper.</summary>
    public PublishedTransport? Of(string arm) => arm switch
    {
        TransportArms.WebSocket => WebSocket,
        TransportArms.LongPolling => LongPolling,
        TransportArms.Polling => Polling,
        _ => null,
    };
}

/// <summary>One-way latency in ms, as printed.</summary>
/// <param name="Start">Local time of day in Fredericton, where the server was.</param>
/// <param name="Mean">Over the samples of the test.</param>
/// <param name="Sd">Their standard deviation.</param>
public sealed record PublishedTransport(string Start, double Mean, double Sd)
{
    public Moments Moments(int samples) => Report.Statistics.Moments.Printed(samples, Mean, Sd);
}

/// <summary>Whether a transport is slower than another, by the published test.</summary>
public enum PublishedOrder
{
    Undecided,
    Slower,
    Faster,
}

/// <summary>
/// The published test: the difference of two means with unequal variances (Welch), one-sided, over the messages of one test. Messages are
/// no independent draws, so it is shown beside the judgement on tests, and judges nothing.
/// </summary>
public static class PublishedTestOfMessages
{
    /// <param name="reference">The messages of the reference.</param>
    /// <param name="other">Those of the transport that may be slower or faster.</param>
    /// <param name="confidence">Of each of the two one-sided tests, such as 0.99.</param>
    public static PublishedOrder Decide(Moments reference, Moments other, double confidence) =>
        WelchTest.Test(reference, other) is not { } test ? PublishedOrder.Undecided
        : StudentTails.Upper(test.T, test.DegreesOfFreedom) < 1 - confidence ? PublishedOrder.Slower
        : StudentTails.Upper(-test.T, test.DegreesOfFreedom) < 1 - confidence ? PublishedOrder.Faster
        : PublishedOrder.Undecided;
}
