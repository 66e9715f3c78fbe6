namespace PubSubOverWs.LocalSqs;

/// <summary>A long poll that has found no message yet.</summary>
internal sealed class WaitingReceive(int max, TimeSpan? visibility, Func<bool> isGone) : Due
{
    // The sender that wakes it goes on at once; the poll's own continuation runs elsewhere, outside the lock.
    private readonly TaskCompletionSource<IReadOnlyList<Handout>> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public int Max { get; } = max;

    public TimeSpan? Visibility { get; } = visibility;

    public Func<bool> IsGone { get; } = isGone;

    public LinkedListNode<WaitingReceive>? Node { get; set; }

    public Task<IReadOnlyList<Handout>> Answer => _answer.Task;

    public void End(IReadOnlyList<Handout> handouts) => _answer.TrySetResult(handouts);
}
