namespace PubSubOverWs.LocalStackTests;

/// <summary>Tests that share one LocalStack, one after the other.</summary>
[CollectionDefinition(nameof(LocalStackCollection))]
public sealed class LocalStackCollection : ICollectionFixture<LocalStackServer>;
