namespace PubSubOverWs.LoadTest.Experiments.RequestReply;

/// <summary>The published benchmark of request and reply: the embedded results/published/request-reply.json.</summary>
/// <param name="Title">Of what, and by whom.</param>
/// <param name="Connections">Of users, at the same time.</param>
/// <param name="RequestsPerSecond">Of all users together.</param>
/// <param name="Hours">How long it ran, about.</param>
/// <param name="Requests">How many there were at least.</param>
/// <param name="BusyPercentBelow">CPU of all cores; it was lower.</param>
/// <param name="GbpsIn">To the server.</param>
/// <param name="GbpsOut">From it.</param>
/// <param name="LatencyMs">Of the round trip.</param>
public sealed record PublishedRequestReply(
    string Title, int Connections, int Providers, int RequestsPerSecond, int RequestBytes, int ReplyBytes, int Hours, long Requests,
    string Processor, int Cores, int MemoryGB, int BusyPercentBelow, double GbpsIn, double GbpsOut, PublishedLatency LatencyMs,
    IReadOnlyList<string> Notes)
{
    /// <summary>Of one user.</summary>
    public double RequestsPerUser => (double)RequestsPerSecond / Connections;

    /// <summary>The fewest that a busy core-second served: the cores were less busy than was said.</summary>
    public double LeastPerCoreSecond => RequestsPerSecond / (Cores * BusyPercentBelow / 100.0);

    public static PublishedRequestReply Load() => PublishedFigures.Read("request-reply").To<PublishedRequestReply>();
}

/// <summary>In ms.</summary>
public sealed record PublishedLatency(double Mean, double Sd, double P95, double P99, double Max);
