namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>
/// Tests of what is valid, or can be had, only on a machine that does nothing else, and of pages, for which a browser wants all cores: one
/// after the other, and never beside others.
/// </summary>
[CollectionDefinition(nameof(Machine), DisableParallelization = true)]
public sealed class Machine;
