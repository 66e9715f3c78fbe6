namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Tests that load the whole machine: one after the other, and never beside others.</summary>
[CollectionDefinition(nameof(Machine), DisableParallelization = true)]
public sealed class Machine;
