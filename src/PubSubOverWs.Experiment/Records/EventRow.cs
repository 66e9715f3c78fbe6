namespace PubSubOverWs.Experiment.Records;

/// <summary>One row of events.csv: a process started or stopped, a handshake was rejected, a fault began.</summary>
/// <param name="At">From the start of the run.</param>
/// <param name="Kind">For example <c>started</c>, <c>stopped</c>, <c>died</c>, <c>handshake-rejected</c>.</param>
/// <param name="Target">The process or the arm.</param>
/// <param name="Detail">For example the process id and the address, or an HTTP status and how often.</param>
public sealed record EventRow(TimeSpan At, string Kind, string Target, string Detail);
