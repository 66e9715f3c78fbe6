using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>A user: sends requests when they are due, and takes the replies on a topic of its own.</summary>
public sealed class Requester : NumberedClient
{
    private readonly RequestReplyPlan _plan;
    private readonly int _index;
    private readonly Unanswered _unanswered;
    private readonly SendTemplate _request;

    /// <param name="index">From 0.</param>
    /// <param name="plan">Of the iteration.</param>
    /// <param name="target">Where it connects.</param>
    /// <param name="log">Of all requests.</param>
    /// <param name="unanswered">Of all users.</param>
    public Requester(int index, RequestReplyPlan plan, ClientTarget target, RequestLog log, Unanswered unanswered)
        : base(plan.UserTopic(index), target, log, Moment.Returned)
    {
        (_index, _plan, _unanswered) = (index, plan, unanswered);
        _request = new SendTemplate(plan.ProviderTopic(0), plan.UserTopic(index), plan.RequestBytes);
    }

    /// <summary>Never waits, and is called by one thread.</summary>
    /// <param name="topic">Of the provider.</param>
    public void Send(int request, ReadOnlySpan<byte> topic)
    {
        if (!IsIn)
            return;
        var frame = _request.Fill(topic, request);
        // Both first: the reply may come before the send returns.
        _unanswered.Add();
        Log.TryMark(Moment.Sent, request, Stopwatch.GetTimestamp());
        if (Connection.TrySend(frame))
            return;
        GiveUp(ConnectFailure.GoneAtSend);
        _unanswered.Remove();
    }

    protected override bool IsExpected(int request, StompFrame frame, out ReadOnlySpan<byte> replyTo)
    {
        replyTo = default;
        return _plan.UserOf(request) == _index;
    }

    protected override void Taken(int request, ReadOnlySpan<byte> replyTo) => _unanswered.Remove();
}
