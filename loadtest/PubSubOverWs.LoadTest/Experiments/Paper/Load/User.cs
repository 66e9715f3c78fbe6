using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>A user of the paper: one connection, its messages to itself, built before anything is timed, and its log.</summary>
public sealed class User : SingleConnection, IOneWayUser
{
    private readonly IterationPlan _plan;
    private readonly string _destination;
    private readonly byte[][] _sends;
    private readonly Injector? _injector;

    public User(int index, IterationPlan plan, ClientTarget target, Countdown waiting)
        : base(target, plan.ConnectTimeout)
    {
        _plan = plan;
        (Log, _sends) = plan.Build(index, waiting);
        _destination = plan.Destination(index);
        _injector = plan.Injection?.Between(index, Log);
    }

    public ClientLog Log { get; }

    public override ConnectFailure? Failure => Log.Failure;

    public Returns Returns => Returns.None;

    public void Send(int sequence)
    {
        if (!IsIn)
            return;
        var now = Stopwatch.GetTimestamp();
        if (Connection.TrySend(_sends[sequence]))
            Log.Messages[sequence].SentAt = now;
        else
            Log.Fail(ConnectFailure.GoneAtSend);
    }

    protected override async Task<ConnectFailure?> GreetAsync() => _plan.Echo
        ? null
        : await Connection.LogInAsync() ?? await Connection.SubscribeAsync(StompMessages.Subscribe("s", _destination), Take);

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
}
