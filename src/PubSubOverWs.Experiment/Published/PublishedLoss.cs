using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Published;

/// <summary>One row of Table I, in percent of sent messages.</summary>
public sealed record PublishedLoss(int Users, PublishedShare Direct, [property: JsonPropertyName("pubsub")] PublishedShare PubSub);
