using System.Diagnostics;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Workloads.RequestReply;

/// <summary>A user: sends requests when they are due, and takes the replies on a topic of its own.</summary>
public sealed class Requester : SingleConnection
{
    private readonly RequestReplyPlan _plan;
    private readonly int _index;
    private readonly RequestLog _log;
    private readonly Unanswered _unanswered;
    private readonly SendTemplate _request;
    private ConnectFailure? _failure;
    private Anomalies _anomalies;

    /// <param name="index">From 0.</param>
    /// <param name="plan">Of the iteration.</param>
    /// <param name="target">Where it connects.</param>
    /// <param name="log">Of all requests.</param>
    /// <param name="unanswered">Of all users.</param>
    public Requester(int index, RequestReplyPlan plan, ClientTarget target, RequestLog log, Unanswered unanswered)
        : base(target, LoadBounds.DefaultConnectTimeout)
    {
        (_index, _plan, _log, _unanswered) = (index, plan, log, unanswered);
        _request = new SendTemplate(plan.ProviderTopic(0), plan.UserTopic(index), plan.RequestBytes);
    }

    /// <summary>Replies that were damaged, came twice, or are none of this user.</summary>
    public Anomalies Anomalies => _anomalies;

    public override ConnectFailure? Failure => _failure;

    /// <summary>Never waits, and is called by one thread.</summary>
    /// <param name="topic">Of the provider.</param>
    public void Send(int request, ReadOnlySpan<byte> topic)
    {
        if (!IsIn)
            return;
        var frame = _request.Fill(topic, request);
        // Both first: the reply may come before the send returns.
        _unanswered.Add();
        _log.TryMark(Moment.Sent, request, Stopwatch.GetTimestamp());
        if (Connection.TrySend(frame))
            return;
        GiveUp(ConnectFailure.GoneAtSend);
        _unanswered.Remove();
    }

    protected override async Task<ConnectFailure?> GreetAsync() =>
        await Connection.LogInAsync() ?? await Connection.SubscribeAsync(StompMessages.Subscribe("s", _plan.UserTopic(_index)), Take);

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Error)
            GiveUp(ConnectFailure.Of(frame));
        if (frame.Command != StompCommand.Message)
            return;
        if (!NumberedBody.TryRead(frame.Body, out var request))
            _anomalies = _anomalies with { Corrupted = _anomalies.Corrupted + 1 };
        else if (request >= _plan.Requests || _plan.UserOf(request) != _index)
            _anomalies = _anomalies with { Unexpected = _anomalies.Unexpected + 1 };
        else if (!_log.TryMark(Moment.Returned, request, stamp))
            _anomalies = _anomalies with { Duplicates = _anomalies.Duplicates + 1 };
        else
            _unanswered.Remove();
    }

    protected override void GiveUp(ConnectFailure failure) => _failure ??= failure;
}
