namespace PubSubOverWs.LocalSqs;

/// <summary>One call to a topic: what was asked, and of whom.</summary>
internal sealed record SnsCall(TopicStore Topics, FormFields Form);
