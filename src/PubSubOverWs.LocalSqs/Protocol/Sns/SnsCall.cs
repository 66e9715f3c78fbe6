namespace PubSubOverWs.LocalSqs;

/// <summary>One call of SNS: its parameters and the store that it works on.</summary>
internal sealed record SnsCall(TopicStore Topics, FormFields Form);
