namespace PubSubOverWs.SqsContract;

/// <summary>One behaviour of an SQS endpoint.</summary>
/// <param name="Name">Its theme and a sentence, such as <c>Visibility: A received message is hidden from others</c>: the class and the
/// method.</param>
/// <param name="TryAsync">Tries it; throws when the endpoint behaves otherwise.</param>
public sealed record Behaviour(string Name, Func<Trial, Task> TryAsync);
