using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>A user or a provider: takes each message with the number of a request once, on a topic of its own.</summary>
/// <param name="topic">What it subscribes to.</param>
/// <param name="target">Where it connects.</param>
/// <param name="log">Of all requests.</param>
/// <param name="taken">What happens to a request when its message comes here.</param>
/// <param name="readBytes">As of <see cref="StompConnection"/>.</param>
public abstract class NumberedClient(
    string topic, ClientTarget target, RequestLog log, Moment taken, int readBytes = ReceiveBuffer.FirstSize)
    : SingleConnection(target, LoadBounds.DefaultConnectTimeout, readBytes: readBytes)
{
    private ConnectFailure? _failure;
    private Anomalies _anomalies;

    /// <summary>Messages that were damaged, came twice, or are for another client.</summary>
    public Anomalies Anomalies => _anomalies;

    public override ConnectFailure? Failure => _failure;

    protected RequestLog Log => log;

    protected override async Task<ConnectFailure?> GreetAsync() =>
        await Connection.LogInAsync() ?? await Connection.SubscribeAsync(StompMessages.Subscribe("s", topic), Take);

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Error)
            GiveUp(ConnectFailure.Of(frame));
        if (frame.Command != StompCommand.Message)
            return;
        if (!NumberedBody.TryRead(frame.Body, out var request))
            _anomalies = _anomalies with { Corrupted = _anomalies.Corrupted + 1 };
        else if (request >= log.Requests || !IsExpected(request, frame, out var replyTo))
            _anomalies = _anomalies with { Unexpected = _anomalies.Unexpected + 1 };
        else if (!log.TryMark(taken, request, stamp))
            _anomalies = _anomalies with { Duplicates = _anomalies.Duplicates + 1 };
        else
            Taken(request, replyTo);
    }

    protected override void GiveUp(ConnectFailure failure) => _failure ??= failure;

    /// <summary>Whether a message is for this client.</summary>
    /// <param name="request">Its number, one of those that the log has.</param>
    /// <param name="replyTo">Where its answer is expected; empty: it needs none.</param>
    protected abstract bool IsExpected(int request, StompFrame frame, out ReadOnlySpan<byte> replyTo);

    /// <summary>A message has come for the first time.</summary>
    /// <param name="replyTo">From <see cref="IsExpected"/>.</param>
    protected abstract void Taken(int request, ReadOnlySpan<byte> replyTo);
}
