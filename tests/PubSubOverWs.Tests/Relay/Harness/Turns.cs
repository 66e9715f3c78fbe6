namespace PubSubOverWs.Tests.Relay;

/// <summary>What a session does, up to where it gives its thread back, one at a time, when the test says so.</summary>
internal sealed class Turns : SynchronizationContext
{
    private readonly Lock _lock = new();
    private readonly Queue<Action> _waiting = [];
    private bool _isLetGo;

    /// <summary>A client whose session runs in turns.</summary>
    public static (StompTestClient Client, Turns Turns) Open(RelayHarness server)
    {
        var turns = new Turns();
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(turns);
        var client = server.Open();
        SynchronizationContext.SetSynchronizationContext(before);
        return (client, turns);
    }

    /// <summary>By how much the count grew most in a turn, until it is reached; then what is left, and comes, runs by itself.</summary>
    public async Task<long> LargestAsync(Func<long> count, long until)
    {
        var (largest, had) = (0L, count());
        await UntilAsync(() =>
        {
            var has = count();
            largest = Math.Max(largest, has - had);
            had = has;
            return has >= until;
        });
        LetGo();
        return largest;
    }

    public Task UntilAsync(Func<bool> condition) => Waiting.UntilAsync(condition, between: Next);

    /// <summary>What is left, and comes, runs by itself.</summary>
    public void LetGo()
    {
        lock (_lock)
        {
            _isLetGo = true;
            while (_waiting.TryDequeue(out var next))
                ThreadPool.QueueUserWorkItem(_ => next());
        }
    }

    public override void Post(SendOrPostCallback d, object? state)
    {
        lock (_lock)
        {
            if (!_isLetGo)
            {
                _waiting.Enqueue(() => d(state));
                return;
            }
        }
        ThreadPool.QueueUserWorkItem(_ => d(state));
    }

    private void Next()
    {
        Action? next;
        lock (_lock)
            _waiting.TryDequeue(out next);
        if (next is null)
            return;
        var before = Current;
        SetSynchronizationContext(this);
        next();
        SetSynchronizationContext(before);
    }
}
