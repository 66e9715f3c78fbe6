using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace PubSubOverWs.LoadTest.Harness.Workers.Joining;

/// <summary>A transport of Kestrel with one connection, which this process has opened: it serves where it cannot be reached.</summary>
/// <param name="connection">Disposed when it ends.</param>
internal sealed class DialledTransport(Stream connection)
    : IConnectionListenerFactory, IConnectionListenerFactorySelector, IConnectionListener
{
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _unbound = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _isTaken;

    public EndPoint EndPoint { get; } = new DialledEndPoint();

    /// <summary>Completes when the connection has ended.</summary>
    public Task Ended => _ended.Task;

    public bool CanBind(EndPoint endpoint) => endpoint is DialledEndPoint;

    public ValueTask<IConnectionListener> BindAsync(EndPoint endpoint, CancellationToken cancellationToken = default) =>
        ValueTask.FromResult<IConnectionListener>(this);

    public async ValueTask<ConnectionContext?> AcceptAsync(CancellationToken cancellationToken = default)
    {
        if (!_isTaken)
        {
            _isTaken = true;
            return new Context(connection, _ended);
        }
        await _unbound.Task.WaitAsync(cancellationToken);
        return null;
    }

    public ValueTask UnbindAsync(CancellationToken cancellationToken = default) => DisposeAsync();

    public ValueTask DisposeAsync()
    {
        _unbound.TrySetResult();
        return ValueTask.CompletedTask;
    }

    private sealed class DialledEndPoint : EndPoint;

    private sealed class Context : DefaultConnectionContext
    {
        private readonly Stream _connection;
        private readonly TaskCompletionSource _ended;

        public Context(Stream connection, TaskCompletionSource ended)
            : base("joined")
        {
            (_connection, _ended) = (connection, ended);
            Transport = new Duplex(PipeReader.Create(connection), PipeWriter.Create(connection));
        }

        public override void Abort(ConnectionAbortedException abortReason) => _connection.Dispose();

        public override async ValueTask DisposeAsync()
        {
            await _connection.DisposeAsync();
            _ended.TrySetResult();
            await base.DisposeAsync();
        }
    }

    private sealed record Duplex(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
