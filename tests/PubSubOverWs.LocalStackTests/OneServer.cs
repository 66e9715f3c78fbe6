namespace PubSubOverWs.LocalStackTests;

/// <summary>Tests that share one LocalStack, one after the other.</summary>
[CollectionDefinition(nameof(OneServer))]
public sealed class OneServer : ICollectionFixture<LocalStackServer>;
