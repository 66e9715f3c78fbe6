namespace PubSubOverWs.Experiment.Reports;

/// <summary>What an A/A run says that this many iterations can tell apart at one level.</summary>
/// <param name="Users">The level.</param>
/// <param name="Latency">Half the width of the 95 % interval of R of mean latencies: a smaller difference is not told from none. Null: there is no interval.</param>
public sealed record Resolution(int Users, double? Latency);
