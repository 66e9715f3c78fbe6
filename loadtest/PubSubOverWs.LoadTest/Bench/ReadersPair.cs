namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// Four legs, one after the other: in the middle the same connections, first while they read and then while they do not; the other two
/// change places from pair to pair.
/// </summary>
public sealed record ReadersPair(ReadersLeg Without, ReadersLeg Reading, ReadersLeg Deaf, ReadersLeg Again);
