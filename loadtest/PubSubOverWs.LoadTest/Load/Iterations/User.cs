using System.Diagnostics;
using System.Text;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Load.Iterations;

/// <summary>
/// One user of the paper. All that is sent was built before; what comes is only stamped and kept: conclusions are drawn when the load has ended.
/// </summary>
public sealed class User : IDisposable
{
    private const string SubscriptionId = "s";
    private const string SendReceipt = "m";
    private static readonly byte[] LeaveFrames = StompMessages.Leave();

    private readonly StompConnection _connection;
    private readonly IterationPlan _plan;
    private readonly int _index;
    private readonly string _messageId;
    private readonly byte[] _messageIdBytes;
    private readonly byte[] _send;
    private readonly Countdown _waiting;
    private readonly List<Arrived> _arrived = new(1);
    private Task _listening = Task.CompletedTask;
    private bool _done;
    private volatile bool _leaving;

    public User(int index, IterationPlan plan, ClientTarget target, Countdown waiting)
    {
        (_index, _plan, _waiting) = (index, plan, waiting);
        _messageId = plan.MessageId(index);
        _messageIdBytes = Encoding.ASCII.GetBytes(_messageId);
        var body = Payload.Write(plan.PayloadBytes, _messageId, index, sequence: 0);
        _send = StompMessages.Send(plan.Destination(index), _messageId, body, plan.Receipts ? SendReceipt : null);
        _connection = new StompConnection(target);
    }

    /// <summary>Connected, subscribed, and never told otherwise.</summary>
    public bool IsIn { get; private set; }

    /// <summary>Stamps of <see cref="Stopwatch"/>; null: it did not happen.</summary>
    public long? SentAt { get; private set; }

    public long? ReceiptAt { get; private set; }

    public bool Taken { get; private set; }

    public IReadOnlyList<Arrived> Arrived => _arrived;

    /// <summary>The first thing that went wrong; null: nothing.</summary>
    public ConnectFailure? Failure { get; private set; }

    /// <summary>Connects, logs in, subscribes, and begins to listen. What goes wrong is in <see cref="Failure"/>.</summary>
    public async Task EnterAsync(TimeProvider time)
    {
        using var timeout = new CancellationTokenSource(_plan.ConnectTimeout, time);
        await using var abort = timeout.Token.UnsafeRegister(connection => ((StompConnection)connection!).Abort(), _connection);
        Failure = await _connection.OpenAsync();
        if (Failure is null && !_plan.Echo)
            Failure = await _connection.LogInAsync() ?? await SubscribeAsync();
        IsIn = Failure is null;
        if (IsIn)
            _listening = ListenAsync();
        else
            GiveUp();
    }

    /// <summary>Sends the message; nothing when this user is not in.</summary>
    public void Send()
    {
        if (!IsIn)
            return;
        var now = Stopwatch.GetTimestamp();
        if (_connection.TrySend(_send))
            SentAt = now;
        else
            Failure ??= new ConnectFailure(Cause.SendError, "the connection was gone at SEND");
    }

    /// <summary>Says good-bye; <see cref="EndAsync"/> waits until the server has closed.</summary>
    public void Leave()
    {
        _leaving = true;
        if (IsIn)
            _connection.TrySend(LeaveFrames);
    }

    public Task EndAsync() => _listening;

    /// <summary>Ends the connection at once, from any thread.</summary>
    public void Abort() => _connection.Abort();

    public void Dispose() => _connection.Dispose();

    private async Task<ConnectFailure?> SubscribeAsync()
    {
        if (!_connection.TrySend(StompMessages.Subscribe(SubscriptionId, _plan.Destination(_index))))
            return new ConnectFailure(Cause.HandshakeRejected, "closed at SUBSCRIBE");
        return await _connection.ExpectAsync(StompCommand.Receipt);
    }

    private async Task ListenAsync()
    {
        while (await _connection.ReceiveAsync())
        {
            var stamp = Stopwatch.GetTimestamp();
            while (_connection.TryRead(out var frame))
                Take(frame, stamp);
        }
        if (_leaving)
            return;
        Failure ??= new ConnectFailure(Cause.ServerClosed, _connection.Fault ?? "the server closed the connection");
        GiveUp();
    }

    private void Take(StompFrame frame, long stamp)
    {
        switch (frame.Command)
        {
            case StompCommand.Message or StompCommand.Send: // An echo sends back what it got.
                TakeMessage(frame, stamp);
                break;
            case StompCommand.Receipt:
                TakeReceipt(frame, stamp);
                break;
            case StompCommand.Error:
                Failure ??= new ConnectFailure(Cause.ServerClosed, $"ERROR {frame.GetString(StompNames.Message)}");
                break;
        }
    }

    private void TakeMessage(StompFrame frame, long stamp)
    {
        var whole = Payload.TryRead(frame.Body, out var inside);
        var named = frame.TryGet(StompNames.Id, out var header) ? header : inside;
        var intact = whole && named.SequenceEqual(inside);
        var own = named.SequenceEqual(_messageIdBytes);
        _arrived.Add(new Arrived(own ? _messageId : Encoding.UTF8.GetString(named), stamp, intact));
        if (own && intact)
            GiveUp();
    }

    private void TakeReceipt(StompFrame frame, long stamp)
    {
        ReceiptAt = stamp;
        var cause = frame.GetString("outcome"u8) switch
        {
            "no-subscriber" => Cause.NoSubscriber,
            "shed" => Cause.Shed,
            _ => Cause.None,
        };
        Taken = cause == Cause.None;
        if (Taken)
            return;
        Failure ??= new ConnectFailure(cause, $"the receipt said {frame.GetString("outcome"u8)}");
        GiveUp();
    }

    /// <summary>There is nothing more to wait for.</summary>
    private void GiveUp()
    {
        if (_done)
            return;
        _done = true;
        _waiting.Signal();
    }
}
