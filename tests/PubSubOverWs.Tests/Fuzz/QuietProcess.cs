namespace PubSubOverWs.Tests.Fuzz;

/// <summary>Tests that read what the process has alive: nothing else runs meanwhile.</summary>
[CollectionDefinition(nameof(QuietProcess), DisableParallelization = true)]
public sealed class QuietProcess;
