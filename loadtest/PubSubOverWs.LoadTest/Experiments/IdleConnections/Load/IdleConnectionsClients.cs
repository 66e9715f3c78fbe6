using System.Runtime.InteropServices;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.IdleConnections.Load;

/// <summary>The subscribers of one load process, of which the first has the publisher, too.</summary>
public sealed class IdleConnectionsClients : IShareOfLoad
{
    // A message, or the answer to the handshake, and little more: every connection keeps that much.
    private const int ReadBytes = 512;

    private readonly IdleConnectionsPlan _plan;
    private readonly LoadShare _share;
    private readonly TopicSubscriber[] _subscribers;
    private readonly TopicPublisher? _publisher;

    /// <param name="share">The subscribers that are here.</param>
    public IdleConnectionsClients(IdleConnectionsPlan plan, LoadShare share, ServerGroup servers)
    {
        _plan = plan;
        _share = share;
        Waiting = new Countdown(share.CountIn(plan.Connections));
        _subscribers =
            [.. share.In(plan.Connections).Select(i => new TopicSubscriber(plan.Topic, servers.TargetOf(i), Waiting, ReadBytes))];
        _publisher = HasPublisher(share) ? new TopicPublisher(0, plan.Topic, servers.TargetOf(0)) : null;
        Participants = _publisher is null ? _subscribers : [_publisher, .. _subscribers];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; }

    public LoadBounds Bounds => new(_plan.Deadline, _share.ConnectsUnderWay, LoadBounds.DefaultGrace);

    public long Sends => _plan.Topic.Messages;

    /// <summary>Whether the process with this share publishes.</summary>
    public static bool HasPublisher(LoadShare share) => share.Index == 0;

    public TimeSpan DueAt(long send) => _plan.DueAt(send);

    public void Send(long send) => _publisher?.Send((int)send);

    public object Account() => new IdleConnectionsAccount(
        _plan.Connections, Stamps(),
        _subscribers.Aggregate(default(Anomalies), (sum, one) => sum.Add(one.Anomalies)),
        [.. _share.In(_plan.Connections).Zip(_subscribers, (i, one) => ClientFailure.From(i, one.Failure)).OfType<ClientFailure>()],
        [.. (_publisher?.Messages ?? []).Select(one =>
            new SentMessage(one.SentAt, one.ReceiptAt, one.Taken, ClientFailure.From(0, one.Refusal)))],
        ClientFailure.From(0, _publisher?.Failure));

    // 0: it did not come.
    private byte[] Stamps()
    {
        var messages = _plan.Topic.Messages;
        long[] stamps =
            [.. _subscribers.SelectMany(one => Enumerable.Range(0, messages).Select(message => one.ArrivedAt(message) ?? 0))];
        return MemoryMarshal.AsBytes(stamps.AsSpan()).ToArray();
    }
}

/// <summary>What the clients of one process have seen. Stamps are of the process's monotonic clock.</summary>
/// <param name="Stamps">
/// For each subscriber of the share, ascending, eight bytes for each message: when its first intact copy came; 0: none came.
/// </param>
/// <param name="Failures">The first of each subscriber that had one.</param>
/// <param name="Sent">Empty: another process has the publisher.</param>
/// <param name="Publisher">Its first failure; null: none, or another process has it.</param>
public sealed record IdleConnectionsAccount(
    int Connections, byte[] Stamps, Anomalies Anomalies, IReadOnlyList<ClientFailure> Failures, IReadOnlyList<SentMessage> Sent,
    ClientFailure? Publisher);

/// <summary>As <see cref="OwnMessage"/>, handed back by a load process.</summary>
public sealed record SentMessage(long? SentAt, long? ReceiptAt, bool Taken, ClientFailure? Refusal);
