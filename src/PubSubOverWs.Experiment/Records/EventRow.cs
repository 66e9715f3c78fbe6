namespace PubSubOverWs.Experiment.Records;

/// <summary>One row of events.csv: a process started or stopped, a handshake was rejected, a fault began.</summary>
/// <param name="At">From the start of the run.</param>
/// <param name="Kind">One of the constants, or a kind of its own.</param>
/// <param name="Target">The process or the arm.</param>
/// <param name="Detail">For example the process id and the address, or an HTTP status and how often.</param>
public sealed record EventRow(TimeSpan At, string Kind, string Target, string Detail)
{
    /// <summary>The kind of a process that was started and is ready.</summary>
    public const string Started = "started";

    /// <summary>The kind of a process that was stopped as planned.</summary>
    public const string Stopped = "stopped";

    /// <summary>The kind of a process that ended by itself.</summary>
    public const string Died = "died";

    /// <summary>The kind of an upgrade that was not answered with 101.</summary>
    public const string HandshakeRejected = "handshake-rejected";
}
