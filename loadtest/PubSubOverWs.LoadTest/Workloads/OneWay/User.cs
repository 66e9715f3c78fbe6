using System.Diagnostics;
using System.Globalization;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// One user of the paper: a connection, the messages it will send to itself, built before anything is timed, and its log.
/// </summary>
public sealed class User : SingleConnection, IOneWayUser
{
    private const string SubscriptionId = "s";

    private readonly IterationPlan _plan;
    private readonly string _destination;
    private readonly byte[][] _sends;
    private readonly Injector? _injector;

    public User(int index, IterationPlan plan, ClientTarget target, Countdown waiting)
        : base(target, plan.ConnectTimeout)
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
    }

    public ClientLog Log { get; }

    public override ConnectFailure? Failure => Log.Failure;

    /// <summary>It does not come back.</summary>
    public Returns Returns => Returns.None;

    public void Send(int sequence)
    {
        if (!IsIn)
            return;
        var now = Stopwatch.GetTimestamp();
        if (Connection.TrySend(_sends[sequence]))
            Log.Messages[sequence].SentAt = now;
        else
            Log.Fail(new ConnectFailure(Cause.SendError, "the connection was gone at SEND"));
    }

    protected override async Task<ConnectFailure?> GreetAsync() =>
        _plan.Echo ? null : await Connection.LogInAsync() ?? await SubscribeAsync();

    protected override void Take(StompFrame frame, long stamp)
    {
        if (_injector is null)
            Log.Take(frame, stamp);
        else
            _injector.Take(frame, stamp);
    }

    protected override void GiveUp(ConnectFailure failure)
    {
        Log.Fail(failure);
        Log.GiveUp();
    }

    protected override void Ended() => _injector?.End(Stopwatch.GetTimestamp());

    private async Task<ConnectFailure?> SubscribeAsync()
    {
        if (!Connection.TrySend(StompMessages.Subscribe(SubscriptionId, _destination)))
            return new ConnectFailure(Cause.HandshakeRejected, "closed at SUBSCRIBE");
        return await Connection.ExpectAsync(StompCommand.Receipt);
    }
}
