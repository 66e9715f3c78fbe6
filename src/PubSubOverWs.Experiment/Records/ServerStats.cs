namespace PubSubOverWs.Experiment.Records;

/// <summary>/stats of one server around one iteration, as it answered.</summary>
/// <param name="Server">For example <c>direct</c>.</param>
/// <param name="Before">JSON, from just before the burst; null: it could not be had.</param>
/// <param name="After">JSON, from after the drain; null: it could not be had.</param>
public sealed record ServerStats(string Server, string? Before, string? After);
