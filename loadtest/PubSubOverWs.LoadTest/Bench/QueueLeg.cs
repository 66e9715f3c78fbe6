namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// The figures of one filling and emptying of a queue, and then of messages at a steady rate. Batches have up to ten messages.
/// </summary>
/// <param name="Server"><c>localsqs</c>, or the address of another queue server.</param>
/// <param name="Client"><c>aws-sdk</c> or <c>http</c>.</param>
/// <param name="Messages">Sent, and received and deleted.</param>
/// <param name="SendSeconds">From the first send to the last answer.</param>
/// <param name="TakeSeconds">From the first receive to the last delete.</param>
/// <param name="SendCpuSeconds">Of the queue's process while it was filled; null: it is not ours.</param>
/// <param name="TakeCpuSeconds">Of the queue's process while it was emptied; null: it is not ours.</param>
/// <param name="Use">The client's use of this process, filling and emptying.</param>
/// <param name="Paced">At the steady rate.</param>
public sealed record QueueLeg(
    string Server, string Client, long Messages, double SendSeconds, double TakeSeconds, double? SendCpuSeconds, double? TakeCpuSeconds,
    ClientUse Use, PacedFigures Paced)
{
    public double SendsPerSecond => Messages / SendSeconds;

    public double TakesPerSecond => Messages / TakeSeconds;

    /// <summary>Messages that went in and out, for each second that both took together.</summary>
    public double ThroughPerSecond => Messages / (SendSeconds + TakeSeconds);

    /// <summary>
    /// Messages that one core of the queue's process takes in. Null: it is not ours, or took less than a tick of CPU time.
    /// </summary>
    public double? SendsPerCoreSecond => SendCpuSeconds > 0 ? Messages / SendCpuSeconds : null;

    /// <summary>Messages that one core of the queue's process hands out and deletes. Null: as above.</summary>
    public double? TakesPerCoreSecond => TakeCpuSeconds > 0 ? Messages / TakeCpuSeconds : null;

    /// <summary>CPU time of this process for each message in and out, in microseconds.</summary>
    public double ClientMicroseconds => Use.CpuSeconds * 1e6 / Messages;

    /// <summary>Allocated for each message in and out.</summary>
    public double ClientBytes => (double)Use.AllocatedBytes / Messages;
}

/// <summary>The client's use, with the little that the bench itself takes.</summary>
/// <param name="CpuSeconds">Of this process, all threads.</param>
/// <param name="AllocatedBytes">By this process.</param>
public sealed record ClientUse(double CpuSeconds, long AllocatedBytes);

/// <summary>Messages at a steady rate, sent and deleted as the pubsub server does.</summary>
/// <param name="P50">From when a message was due to when it was received, in milliseconds.</param>
/// <param name="P99">The same.</param>
/// <param name="Microseconds">CPU time of this process for each message.</param>
public sealed record PacedFigures(double P50, double P99, double Microseconds);
