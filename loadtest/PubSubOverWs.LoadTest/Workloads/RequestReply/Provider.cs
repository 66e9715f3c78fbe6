using System.Diagnostics;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads.RequestReply;

/// <summary>Answers every request once, from the thread that reads it; the answers to all that came together are one write.</summary>
public sealed class Provider : SingleConnection
{
    // Some 200 requests, which are answered with one write.
    private const int ReadBytes = 64 * 1024;

    private readonly RequestReplyPlan _plan;
    private readonly int _index;
    private readonly RequestLog _log;
    private readonly SendTemplate _reply;
    private readonly PendingWrites _writes;
    private ConnectFailure? _failure;
    private Anomalies _anomalies;

    /// <param name="index">From 0.</param>
    /// <param name="plan">Of the iteration.</param>
    /// <param name="target">Where it connects.</param>
    /// <param name="log">Of all requests.</param>
    public Provider(int index, RequestReplyPlan plan, ClientTarget target, RequestLog log)
        : base(target, LoadBounds.DefaultConnectTimeout, readBytes: ReadBytes)
    {
        (_index, _plan, _log) = (index, plan, log);
        _reply = new SendTemplate(plan.UserTopic(0), replyTo: null, plan.ReplyBytes);
        _writes = new PendingWrites(Connection);
    }

    /// <summary>Requests that were damaged, came twice, or are none of this provider.</summary>
    public Anomalies Anomalies => _anomalies;

    public override ConnectFailure? Failure => _failure;

    public override Task EndAsync() => Task.WhenAll(base.EndAsync(), _writes.Written);

    protected override async Task<ConnectFailure?> GreetAsync() =>
        await Connection.LogInAsync() ?? await Connection.SubscribeAsync(StompMessages.Subscribe("s", _plan.ProviderTopic(_index)), Take);

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Error)
            GiveUp(ConnectFailure.Of(frame));
        if (frame.Command != StompCommand.Message)
            return;
        if (!NumberedBody.TryRead(frame.Body, out var request))
            _anomalies = _anomalies with { Corrupted = _anomalies.Corrupted + 1 };
        else if (request >= _plan.Requests || _plan.ProviderOf(request) != _index || !frame.TryGet(StompMessages.ReplyTo, out var replyTo)
            || replyTo.Length != _reply.DestinationLength)
            _anomalies = _anomalies with { Unexpected = _anomalies.Unexpected + 1 };
        else if (!_log.TryMark(Moment.Arrived, request, stamp))
            _anomalies = _anomalies with { Duplicates = _anomalies.Duplicates + 1 };
        else
            Answer(replyTo, request);
    }

    // All that had come was read.
    protected override ValueTask<bool> ReceiveAsync()
    {
        _writes.Flush();
        return base.ReceiveAsync();
    }

    protected override void GiveUp(ConnectFailure failure) => _failure ??= failure;

    private void Answer(ReadOnlySpan<byte> replyTo, int request)
    {
        _writes.Add(_reply.Fill(replyTo, request));
        _log.TryMark(Moment.Replied, request, Stopwatch.GetTimestamp());
    }
}
