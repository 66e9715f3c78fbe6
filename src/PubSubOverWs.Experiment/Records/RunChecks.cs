namespace PubSubOverWs.Experiment.Records;

/// <summary>The checks only the runner can make while it runs; the others are made from the rows. True: nothing was found.</summary>
/// <param name="ClockMonotonic">No reading of the clock was before the one before it.</param>
/// <param name="QueueAlive">The queue's process lived all along; null: the run did not start one.</param>
/// <param name="ServersAlive">No server that the run started ended by itself.</param>
public sealed record RunChecks(bool ClockMonotonic = true, bool? QueueAlive = null, bool ServersAlive = true);
