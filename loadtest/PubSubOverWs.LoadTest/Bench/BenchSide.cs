namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The two servers of a pair.</summary>
public enum BenchSide
{
    Direct,
    Echo,
}
