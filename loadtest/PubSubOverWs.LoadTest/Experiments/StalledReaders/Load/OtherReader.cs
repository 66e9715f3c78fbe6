using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.StalledReaders.Load;

/// <summary>A connection beside the readers that subscribes to a topic of its own, and reads when it may.</summary>
/// <param name="index">From 0.</param>
public sealed class OtherReader(int index, StalledReadersPlan plan, ClientTarget target, OtherReaders others)
    : SingleConnection(target, LoadBounds.DefaultConnectTimeout, ReceiveBuffer, SegmentBytes)
{
    // The smallest that the system allows: messages that a client does not read must wait in the server.
    private const int ReceiveBuffer = 4 * 1024;

    // As over Ethernet. Loopback's are so large that the system keeps 2.6 MB for each of them before the server has to, and more for all
    // than it has for sockets.
    private const int SegmentBytes = 1460;

    private ConnectFailure? _failure;

    public override ConnectFailure? Failure => _failure;

    protected override async Task<ConnectFailure?> GreetAsync()
    {
        var failure = await Connection.LogInAsync()
            ?? await Connection.SubscribeAsync(StompMessages.Subscribe("s", plan.Topic(index)), Take);
        if (failure is null)
            others.HasCome();
        return failure;
    }

    protected override async ValueTask<bool> ReceiveAsync()
    {
        await others.MayRead;
        return await Connection.ReceiveAsync();
    }

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Message)
            others.HaveRead();
        else if (frame.Command == StompCommand.Error)
            others.IsTold();
        if (frame.Command == StompCommand.Error && plan.Doing != Doing.Disconnected)
            GiveUp(ConnectFailure.From(frame));
    }

    protected override void GiveUp(ConnectFailure failure)
    {
        // Later on, that it is disconnected is the finding, or ours.
        if (!HasEntered || (plan.Doing != Doing.Disconnected && !others.AreDone))
            _failure ??= failure;
        if (HasEntered)
            return;
        others.HasCome();
        others.HasEnded();
    }

    protected override void Ended() => others.HasEnded();
}
