namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Three legs, one after the other: the one beside those who never read is in the middle, the other two change places from pair to pair.</summary>
public sealed record ReadersPair(ReadersLeg Without, ReadersLeg Beside, ReadersLeg Again);
