using PubSubOverWs.LoadTest.Load.Children;

namespace PubSubOverWs.LoadTest.Faults.Playing;

/// <summary>The queue of the arm under test, as far as faults reach it.</summary>
/// <param name="Way">The proxy through which the server reaches it.</param>
/// <param name="Process">The embedded queue.</param>
/// <param name="Copy">How it is made again when its process was killed.</param>
public sealed record QueueScene(FaultProxy Way, ChildServer Process, QueueCopy Copy);
