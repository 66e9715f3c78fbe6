namespace PubSubOverWs.LoadTest.Experiments.Interference;

/// <summary>
/// The figures of the replicated benchmark of requests beside a stream: the embedded results/published/stream-interference.json.
/// </summary>
/// <param name="Statistic">What the figures are, and of which machine.</param>
/// <param name="Rerun">What <see cref="PublishedRoundTrip.RerunMeanUs"/> is.</param>
/// <param name="Cells">One for each setting.</param>
/// <param name="Errata">What checking them showed, a paragraph each.</param>
public sealed record PublishedInterference(
    string Citation, string Statistic, string Rerun, IReadOnlyList<PublishedRoundTrip> Cells, IReadOnlyList<string> Errata)
{
    public static PublishedInterference Load() => PublishedFigures.Read("stream-interference").To<PublishedInterference>();

    /// <summary>The cell of a level; null: nothing was published of it.</summary>
    public PublishedRoundTrip? Find(Level level) => Cells.FirstOrDefault(cell =>
        DummyMessages.Parse(cell.Stream) == InterferenceScenario.StreamOf(level)
            && cell.RequestEveryMs == InterferenceScenario.EveryMsOf(level));
}

/// <summary>A published cell.</summary>
/// <param name="RequestEveryMs">From one request to the next.</param>
/// <param name="Stream">As scenarios write it.</param>
/// <param name="Published">As the table writes it.</param>
/// <param name="WorstMeanUs">The worst mean round trip.</param>
/// <param name="AskedMessages">Of the stream, by its period and the time of the requests.</param>
/// <param name="ArrivedMessages">As printed, in bytes, by the size of a message.</param>
/// <param name="RerunMeanUs">The mean round trip of one run of the same program elsewhere.</param>
/// <param name="RerunArrivedMessages">What arrived of the stream in that run, as <paramref name="ArrivedMessages"/>.</param>
public sealed record PublishedRoundTrip(
    int RequestEveryMs, string Stream, string Published, double WorstMeanUs, int AskedMessages, int ArrivedMessages, double RerunMeanUs,
    int RerunArrivedMessages)
{
    /// <summary>What arrived of the stream, from 0 to 1; null: there was none.</summary>
    public double? Share => ShareOf(ArrivedMessages);

    /// <summary>The same of the rerun.</summary>
    public double? RerunShare => ShareOf(RerunArrivedMessages);

    private double? ShareOf(int arrived) => AskedMessages == 0 ? null : (double)arrived / AskedMessages;
}
