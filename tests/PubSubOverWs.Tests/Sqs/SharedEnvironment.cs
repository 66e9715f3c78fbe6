namespace PubSubOverWs.Tests.Sqs;

/// <summary>Tests that change the environment of the process: nothing else runs meanwhile.</summary>
[CollectionDefinition(nameof(SharedEnvironment), DisableParallelization = true)]
public sealed class SharedEnvironment;
