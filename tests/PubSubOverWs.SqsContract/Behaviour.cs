namespace PubSubOverWs.SqsContract;

/// <summary>One thing that an SQS endpoint does.</summary>
/// <param name="Name">Its theme and a sentence, such as <c>Visibility: A received message is hidden from others</c>: its class and its
/// method.</param>
/// <param name="TryAsync">Tries it; throws when the endpoint does something else.</param>
public sealed record Behaviour(string Name, Func<Trial, Task> TryAsync);
