namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>
/// The figures that Pimentel and Nickerson published of WebSocket, long polling and polling: the embedded
/// results/published/transports.json.
/// </summary>
public sealed record PublishedTransports
{
    private static readonly JsonSerializerOptions Options = new() { PropertyNameCaseInsensitive = true };

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
        using var file = typeof(PublishedTransports).Assembly.GetManifestResourceStream("published/transports.json")!;
        using var document = JsonDocument.Parse(file);
        var root = document.RootElement;
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
            Tests = root.GetProperty("tests").Deserialize<IReadOnlyList<PublishedTest>>(Options)!,
            Notes = root.GetProperty("notes").Deserialize<IReadOnlyList<string>>()!,
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
