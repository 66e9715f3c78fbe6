namespace PubSubOverWs.Experiment.Gates;

/// <summary>A gate that cannot be read. The message is one sentence that shows what is allowed.</summary>
public sealed class GateException(string message) : Exception(message);
