using RabbitMQ.Client;

namespace PubSubOverWs.Queues;

/// <summary>A connection that is opened when it is needed, and again after it broke. Safe from any thread.</summary>
internal sealed class RabbitMqLink(RabbitMqOptions options, string purpose) : IAsyncDisposable
{
    private static readonly TimeSpan Heartbeat = TimeSpan.FromSeconds(10);

    private static readonly TimeSpan Farewell = TimeSpan.FromSeconds(2);

    private readonly SemaphoreSlim _opening = new(1, 1);
    private IConnection? _connection;
    private Block? _block;

    /// <summary>RabbitMQ reads nothing more from this connection until it has memory and disk again; null: it does.</summary>
    public Block? Blocked => _block;

    public async Task<IConnection> OpenAsync()
    {
        if (_connection is { IsOpen: true } open)
            return open;
        await _opening.WaitAsync();
        try
        {
            if (_connection is { IsOpen: true } opened)
                return opened;
            await CloseAsync();
            var connection = await Factory().CreateConnectionAsync(purpose);
            connection.ConnectionBlockedAsync += (_, blocked) =>
            {
                _block = new Block(blocked.Reason);
                return Task.CompletedTask;
            };
            connection.ConnectionUnblockedAsync += (_, _) =>
            {
                Unblock();
                return Task.CompletedTask;
            };
            return _connection = connection;
        }
        finally
        {
            _opening.Release();
        }
    }

    /// <summary>An answer did not come: what comes over this connection from now on may belong to another call.</summary>
    public async Task GiveUpAsync()
    {
        await _opening.WaitAsync();
        try
        {
            await CloseAsync();
        }
        finally
        {
            _opening.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await CloseAsync();
        _opening.Dispose();
    }

    private async Task CloseAsync()
    {
        Unblock();
        if (_connection is not { } connection)
            return;
        _connection = null;
        await connection.AbortAsync(Farewell);
        await connection.DisposeAsync();
    }

    private void Unblock() => Interlocked.Exchange(ref _block, null)?.Ended.TrySetResult();

    private ConnectionFactory Factory()
    {
        var tls = options.Url.Scheme == "amqps";
        return new ConnectionFactory
        {
            HostName = options.Url.Host,
            Port = options.Url.Port > 0 ? options.Url.Port : tls ? 5671 : 5672,
            Ssl = new SslOption(options.Url.Host, enabled: tls),
            VirtualHost = options.VirtualHost,
            UserName = options.User,
            Password = options.PasswordToSend,
            // What was received over a connection is not ours any more once it broke, so a new one begins afresh.
            AutomaticRecoveryEnabled = false,
            TopologyRecoveryEnabled = false,
            RequestedHeartbeat = Heartbeat,
            RequestedConnectionTimeout = options.RequestTimeout,
            HandshakeContinuationTimeout = options.RequestTimeout,
            ContinuationTimeout = options.RequestTimeout,
        };
    }

    internal sealed record Block(string Reason)
    {
        public TaskCompletionSource Ended { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
