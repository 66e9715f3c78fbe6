using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>Answers every request once, from the thread that reads it; the answers to all that came together are one write.</summary>
public sealed class Provider : NumberedClient
{
    // Some 200 requests, which are answered with one write.
    private const int ReadBytes = 64 * 1024;

    private readonly RequestReplyPlan _plan;
    private readonly int _index;
    private readonly SendTemplate _reply;
    private readonly PendingWrites _writes;

    /// <param name="index">From 0.</param>
    /// <param name="plan">Of the iteration.</param>
    /// <param name="target">Where it connects.</param>
    /// <param name="log">Of all requests.</param>
    public Provider(int index, RequestReplyPlan plan, ClientTarget target, RequestLog log)
        : base(plan.ProviderTopic(index), target, log, Moment.Arrived, ReadBytes)
    {
        (_index, _plan) = (index, plan);
        _reply = new SendTemplate(plan.UserTopic(0), replyTo: null, plan.ReplyBytes);
        _writes = new PendingWrites(Connection);
    }

    public override Task EndAsync() => Task.WhenAll(base.EndAsync(), _writes.Written);

    protected override bool IsExpected(int request, StompFrame frame, out ReadOnlySpan<byte> replyTo)
    {
        replyTo = default;
        return _plan.ProviderOf(request) == _index && frame.TryGet(StompMessages.ReplyTo, out replyTo)
            && replyTo.Length == _reply.DestinationLength;
    }

    protected override void Taken(int request, ReadOnlySpan<byte> replyTo)
    {
        _writes.Add(_reply.Fill(replyTo, request));
        Log.TryMark(Moment.Replied, request, Stopwatch.GetTimestamp());
    }

    // All that had come was read.
    protected override ValueTask<bool> ReceiveAsync()
    {
        _writes.Flush();
        return base.ReceiveAsync();
    }
}
