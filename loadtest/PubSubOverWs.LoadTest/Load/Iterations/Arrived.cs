namespace PubSubOverWs.LoadTest.Load.Iterations;

/// <summary>A message as it came to a user, before anything is concluded from it.</summary>
/// <param name="MessageId">The id it carries; null: none.</param>
/// <param name="Stamp">Of <see cref="System.Diagnostics.Stopwatch"/>, taken right after the receive.</param>
/// <param name="Intact">The payload's checksum holds, and the id in it is the one in the header.</param>
public readonly record struct Arrived(string? MessageId, long Stamp, bool Intact);
