namespace PubSubOverWs.Relay;

/// <summary>CONNECT asks for versions of which the server knows none; its ERROR lists those it knows.</summary>
internal sealed class NoCommonVersionException(string message) : Exception(message);
