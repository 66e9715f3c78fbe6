namespace PubSubOverWs.Sqs;

/// <summary>A received message that is to be hidden for another time from now on.</summary>
/// <param name="ReceiptHandle">Of its latest receive.</param>
/// <param name="Visibility">0 s (visible at once) to 12 h, whole seconds, counted from now.</param>
public readonly record struct VisibilityEntry(string ReceiptHandle, TimeSpan Visibility);
