namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What stands beside the readers in a leg.</summary>
public enum ReadersSide
{
    /// <summary>Nothing: the readers alone.</summary>
    Without,

    /// <summary>The connections that will not read afterwards, with the same messages for them, while they still read.</summary>
    Reading,

    /// <summary>The same connections with the same messages, none of which they read, after all was filled that is kept for them.</summary>
    Deaf,
}
