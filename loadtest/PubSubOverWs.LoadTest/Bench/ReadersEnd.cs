namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What became of connections that do not read, of a server that disconnects them (<c>SlowConsumer=Disconnect</c>).</summary>
/// <param name="Deaf">Connections that did not read.</param>
/// <param name="Ended">Of them those that the server ended.</param>
/// <param name="Told">Of these those that found an ERROR, when they read at last, behind all that they were still given.</param>
/// <param name="Afterwards">What the readers found then.</param>
public sealed record ReadersEnd(int Deaf, long Ended, int Told, ReadersLeg Afterwards);
