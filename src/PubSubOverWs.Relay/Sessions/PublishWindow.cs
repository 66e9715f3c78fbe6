namespace PubSubOverWs.Relay;

/// <summary>
/// The publishes of one session whose outcome is not yet known: bounded in number and, after the first, in the bytes that they and their
/// receipts take, so that a slow or unreachable queue slows its publishers.
/// </summary>
internal sealed class PublishWindow(int size, MemoryReservation memory)
{
    private List<Task>? _started;
    private int _underWay;
    private TaskCompletionSource? _room;

    public bool IsFull => Volatile.Read(ref _underWay) is > 0 and var underWay && (underWay >= size || memory.IsOver);

    /// <summary>Follows a publish until its outcome is told. Unexpected exceptions go to <paramref name="failed"/>.</summary>
    /// <param name="bytes">That it and its receipts take.</param>
    /// <param name="failed">Told of an exception that a broker must not throw.</param>
    public void Start(
        ValueTask<PublishOutcome> publish, long bytes,
        Action<PublishOutcome> taken, Action<BrokerRefusedException> refused, Action<Exception> failed)
    {
        memory.Add(bytes);
        lock (this)
            _underWay++;
        var task = FollowAsync(publish, bytes, taken, refused, failed);
        lock (this)
        {
            _started ??= [];
            if (_started.Count >= 2 * size)
                _started.RemoveAll(started => started.IsCompleted);
            _started.Add(task);
        }
    }

    /// <summary>Completes when there is room for one more.</summary>
    public Task RoomAsync()
    {
        lock (this)
            return IsFull ? (_room ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task : Task.CompletedTask;
    }

    /// <summary>Completes when every publish so far has its outcome.</summary>
    public Task IdleAsync()
    {
        lock (this)
            return _started is null ? Task.CompletedTask : Task.WhenAll(_started);
    }

    private async Task FollowAsync(
        ValueTask<PublishOutcome> publish, long bytes,
        Action<PublishOutcome> taken, Action<BrokerRefusedException> refused, Action<Exception> failed)
    {
        try
        {
            taken(await publish);
        }
        catch (BrokerRefusedException refusal)
        {
            refused(refusal);
        }
        catch (Exception exception)
        {
            failed(exception);
        }
        finally
        {
            memory.Remove(bytes);
            Leave();
        }
    }

    private void Leave()
    {
        lock (this)
        {
            _underWay--;
            _room?.TrySetResult();
            _room = null;
            // All have told their outcome: an idle session keeps none of them.
            if (_underWay == 0)
                _started?.Clear();
        }
    }
}
