namespace PubSubOverWs.Sqs;

/// <summary>A received message, to be hidden from now on for another time.</summary>
/// <param name="ReceiptHandle">Of its latest receive.</param>
/// <param name="Visibility">0 s (visible at once) to 12 h, whole seconds, counted from now.</param>
public readonly record struct VisibilityEntry(string ReceiptHandle, TimeSpan Visibility);
