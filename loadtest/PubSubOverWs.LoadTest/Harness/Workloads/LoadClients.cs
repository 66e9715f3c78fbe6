namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>The clients of a load, which enter, leave and end together.</summary>
/// <param name="load">Whose participants they are.</param>
/// <param name="time">For time-outs.</param>
public sealed class LoadClients(IClientLoad load, TimeProvider time)
{
    /// <summary>For clients to end what they have begun, after which it is cut.</summary>
    public static TimeSpan CloseTimeout { get; } = TimeSpan.FromSeconds(5);

    private readonly IReadOnlyList<IParticipant> _all = load.Participants;

    /// <summary>Connected and subscribed.</summary>
    public int Connected => _all.Count(client => client.IsIn);

    /// <summary>A barrier: completes when every client has connected or failed.</summary>
    public Task ConnectAsync(CancellationToken cancellationToken)
    {
        var options = new ParallelOptions { MaxDegreeOfParallelism = load.Bounds.ConnectsUnderWay, CancellationToken = cancellationToken };
        return Parallel.ForEachAsync(_all, options, (client, _) => new ValueTask(client.EnterAsync(time)));
    }

    /// <summary>Completes when all that was sent is answered, or after <see cref="LoadBounds.Stop"/>.</summary>
    public async Task StopSendingAsync(CancellationToken cancellationToken)
    {
        try
        {
            await Task.WhenAll(_all.Select(client => client.StopSendingAsync())).WaitAsync(load.Bounds.Stop, time, cancellationToken);
        }
        catch (TimeoutException)
        {
            // The outcome of unanswered messages stays unknown.
        }
    }

    /// <summary>Completes when the server has closed all connections, or after <see cref="LoadBounds.Leave"/>.</summary>
    public async Task LeaveAsync(CancellationToken cancellationToken)
    {
        foreach (var client in _all)
            client.Leave();
        try
        {
            await Task.WhenAll(_all.Select(client => client.EndAsync())).WaitAsync(load.Bounds.Leave, time, cancellationToken);
        }
        catch (TimeoutException)
        {
            // Servers should close first (RFC 6455, 7.1.1); connections that stay open are aborted.
        }
    }

    /// <summary>Nothing of them is open or running afterwards.</summary>
    public async Task EndAsync()
    {
        Abort();
        await Task.WhenAll(_all.Select(client => client.EndAsync()));
        foreach (var client in _all)
            client.Dispose();
    }

    /// <summary>Ends all connections at once, from any thread.</summary>
    public void Abort()
    {
        foreach (var client in _all)
            client.Abort();
    }
}
