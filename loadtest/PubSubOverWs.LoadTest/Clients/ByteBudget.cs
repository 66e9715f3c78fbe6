namespace PubSubOverWs.LoadTest.Clients;

/// <summary>Room for so many bytes. For one who takes it, and another who gives it back.</summary>
/// <param name="bytes">Who comes while fewer are taken is let in whole, whatever its size.</param>
public sealed class ByteBudget(int bytes)
{
    private readonly Lock _lock = new();
    private int _taken;
    private TaskCompletionSource? _wanted;

    /// <summary>Completes once there was room.</summary>
    public async ValueTask TakeAsync(int count, CancellationToken cancellationToken)
    {
        while (WaitOrTake(count) is { } wait)
            await wait.WaitAsync(cancellationToken);
    }

    public void GiveBack(int count)
    {
        TaskCompletionSource? wanted;
        lock (_lock)
        {
            _taken -= count;
            (wanted, _wanted) = (_wanted, null);
        }
        wanted?.SetResult();
    }

    private Task? WaitOrTake(int count)
    {
        lock (_lock)
        {
            if (_taken >= bytes)
                return (_wanted ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
            _taken += count;
            return null;
        }
    }
}
