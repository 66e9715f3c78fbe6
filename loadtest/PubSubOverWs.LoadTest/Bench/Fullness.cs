namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// Sees when those who do not read are full. A round sends one message to each, and they are not full at the same time: it is reached when
/// none of a round was taken. Twice, for what was taken in one may be counted in the next.
/// </summary>
public sealed class Fullness
{
    private const int RoundsToBeSure = 2;

    private long _taken = -1;
    private int _rounds;

    /// <param name="taken">Messages that were taken until the end of this round, since the server started.</param>
    public bool IsReachedAt(long taken)
    {
        _rounds = taken == _taken ? _rounds + 1 : 0;
        _taken = taken;
        return _rounds >= RoundsToBeSure;
    }
}
