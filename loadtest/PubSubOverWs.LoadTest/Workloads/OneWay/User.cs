using System.Diagnostics;
using System.Globalization;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// One user of the paper: a connection, the messages it will send to itself, built before anything is timed, and its log.
/// </summary>
public sealed class User : IOneWayUser
{
    private const string SubscriptionId = "s";

    private readonly IterationPlan _plan;
    private readonly string _destination;
    private readonly byte[][] _sends;
    private readonly StompConnection _connection;
    private readonly Injector? _injector;
    private Task _listening = Task.CompletedTask;
    private bool _entered;
    private volatile bool _leaving;

    public User(int index, IterationPlan plan, ClientTarget target, Countdown waiting)
    {
        _plan = plan;
        Log = new ClientLog(Enumerable.Range(0, plan.Messages).Select(sequence => plan.MessageId(index, sequence)), waiting);
        _destination = plan.Destination(index);
        _sends = [.. Log.Messages.Select((message, sequence) => StompMessages.Send(
            _destination,
            message.Id,
            Payload.Write(plan.PayloadBytes, message.Id, index, sequence),
            plan.Receipts ? sequence.ToString(CultureInfo.InvariantCulture) : null))];
        _injector = plan.Injection?.Between(index, Log);
        _connection = new StompConnection(target);
    }

    public ClientLog Log { get; }

    /// <summary>Connected and subscribed, and nothing went wrong since.</summary>
    public bool IsIn => _entered && Log.Failure is null;

    /// <summary>It does not come back.</summary>
    public Returns Returns => Returns.None;

    public async Task EnterAsync(TimeProvider time)
    {
        using var timeout = new CancellationTokenSource(_plan.ConnectTimeout, time);
        await using var abort = timeout.Token.UnsafeRegister(connection => ((StompConnection)connection!).Abort(), _connection);
        var failure = await _connection.OpenAsync();
        if (failure is null && !_plan.Echo)
            failure = await _connection.LogInAsync() ?? await SubscribeAsync();
        if (failure is null)
        {
            _entered = true;
            _listening = ListenAsync();
            return;
        }
        _connection.Abort();
        Log.Fail(failure);
        Log.GiveUp();
    }

    public void Send(int sequence)
    {
        if (!IsIn)
            return;
        var now = Stopwatch.GetTimestamp();
        if (_connection.TrySend(_sends[sequence]))
            Log.Messages[sequence].SentAt = now;
        else
            Log.Fail(new ConnectFailure(Cause.SendError, "the connection was gone at SEND"));
    }

    /// <summary>Nothing to do: what was due was sent, and what was sent comes back here.</summary>
    public Task StopSendingAsync() => Task.CompletedTask;

    public void Leave()
    {
        _leaving = true;
        if (_entered)
            _connection.Leave();
    }

    public Task EndAsync() => _listening;

    public void Abort() => _connection.Abort();

    public void Dispose() => _connection.Dispose();

    private async Task<ConnectFailure?> SubscribeAsync()
    {
        if (!_connection.TrySend(StompMessages.Subscribe(SubscriptionId, _destination)))
            return new ConnectFailure(Cause.HandshakeRejected, "closed at SUBSCRIBE");
        return await _connection.ExpectAsync(StompCommand.Receipt);
    }

    private async Task ListenAsync()
    {
        do
        {
            var stamp = Stopwatch.GetTimestamp();
            while (_connection.TryRead(out var frame))
            {
                if (_injector is null)
                    Log.Take(frame, stamp);
                else
                    _injector.Take(frame, stamp);
            }
        }
        while (await _connection.ReceiveAsync());
        _injector?.End(Stopwatch.GetTimestamp());
        if (_leaving)
            return;
        Log.Fail(new ConnectFailure(Cause.ServerClosed, _connection.Fault ?? "the server closed the connection"));
        Log.GiveUp();
    }
}
