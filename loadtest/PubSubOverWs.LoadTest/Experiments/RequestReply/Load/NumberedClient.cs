using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.RequestReply.Load;

/// <summary>A user or a provider: takes each message with the number of a request once, on a topic of its own.</summary>
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
            GiveUp(ConnectFailure.From(frame));
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

/// <summary>A user: sends requests when they are due, and takes the replies on a topic of its own.</summary>
public sealed class Requester : NumberedClient
{
    private readonly RequestReplyPlan _plan;
    private readonly int _index;
    private readonly Unanswered _unanswered;
    private readonly SendTemplate _request;

    /// <param name="index">From 0.</param>
    public Requester(int index, RequestReplyPlan plan, ClientTarget target, RequestLog log, Unanswered unanswered)
        : base(plan.UserTopic(index), target, log, Moment.Returned)
    {
        _index = index;
        _plan = plan;
        _unanswered = unanswered;
        _request = new SendTemplate(plan.ProviderTopic(0), plan.UserTopic(index), plan.RequestBytes);
    }

    /// <summary>Never waits, and is called by one thread.</summary>
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
    public Provider(int index, RequestReplyPlan plan, ClientTarget target, RequestLog log)
        : base(plan.ProviderTopic(index), target, log, Moment.Arrived, ReadBytes)
    {
        _index = index;
        _plan = plan;
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
