using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Workloads;
using static PubSubOverWs.LoadTest.Experiments.Nodes.Load.NodesPlan;

namespace PubSubOverWs.LoadTest.Experiments.Nodes.Load;

/// <summary>
/// Publishes its share of a flow through one node and, when that ends the connection, through the next: there it publishes again, with the
/// same id, what was not answered.
/// </summary>
public sealed class NodePublisher : IParticipant
{
    private readonly Lock _guard = new();
    private readonly ClientLog _log;
    private readonly Publisher _publisher;

    /// <param name="targets">The nodes, the first to publish through first.</param>
    /// <param name="flow"><see cref="ToTopic"/> or <see cref="ToQueues"/>.</param>
    /// <param name="first">Its first message; with K nodes, every K-th from there is its own.</param>
    public NodePublisher(IReadOnlyList<ClientTarget> targets, NodesPlan plan, int flow, int first, Backoff backoff)
    {
        int[] numbers = [.. Enumerable.Range(0, plan.Messages).Where(number => number % plan.Nodes == first)];
        // Its messages come to others, which do the waiting.
        _log = new ClientLog(
            numbers.Select(number => plan.Prefix(flow) + number.ToString(CultureInfo.InvariantCulture)), new Countdown(int.MaxValue));
        byte[][] sends = [.. numbers.Select((number, sequence) => StompMessages.Send(
            flow == ToTopic ? plan.Topic : plan.Queue(number % plan.Scenario.Queues), _log.Messages[sequence].Id,
            Payload.Write(plan.Scenario.PayloadBytes, _log.Messages[sequence].Id, (flow * plan.Nodes) + first, sequence),
            sequence.ToString(CultureInfo.InvariantCulture)))];
        _publisher = new Publisher(
            targets, backoff, LoadBounds.DefaultConnectTimeout, Publisher.DefaultUnanswered, _log, sends, _guard);
    }

    /// <summary>In the order in which they are due.</summary>
    public IReadOnlyList<OwnMessage> Messages => _log.Messages;

    public int Republished => _publisher.Republished;

    public bool IsIn { get; private set; }

    public IEnumerable<ConnectFailure?> Failures => _log.Messages.Select(message => message.Refusal).Append(_log.Failure);

    /// <summary>Its next message is due.</summary>
    public void BecomesDue()
    {
        if (IsIn)
            _publisher.BecomesDue();
    }

    public async Task EnterAsync(TimeProvider time)
    {
        var failure = await _publisher.EnterAsync(time);
        IsIn = failure is null;
        if (failure is null)
            return;
        Abort();
        lock (_guard)
            _log.Fail(failure);
    }

    public async Task StopSendingAsync()
    {
        if (!IsIn)
            return;
        await _publisher.StopAsync();
        await _publisher.EndAsync();
    }

    public void Leave() => _publisher.Leave();

    public Task EndAsync() => _publisher.EndAsync();

    public void Abort() => _publisher.Abort();

    public void Dispose() => _publisher.Dispose();
}

/// <summary>One iteration.</summary>
/// <param name="Scenario">How many clients and messages there are.</param>
/// <param name="Run">Distinguishes its messages and destinations from those of any other run.</param>
/// <param name="Iteration">From those of any other that meets the same servers.</param>
public sealed record NodesPlan(NodesScenario Scenario, string Run, int Iteration, Arrival Arrival)
{
    /// <summary>The place in <see cref="NodesScenario.Flows"/>, as is <see cref="ToQueues"/>.</summary>
    public const int ToTopic = 0;

    public const int ToQueues = 1;

    public int Nodes => Scenario.PubSubNodes;

    /// <summary>To the topic, and as many to queues.</summary>
    public int Messages => Scenario.Messages;

    public string Topic => Invariant($"/topic/{Run}-{Iteration}");

    /// <summary>The prefix of the ids of a flow's messages; their number follows.</summary>
    /// <param name="flow"><see cref="ToTopic"/> or <see cref="ToQueues"/>.</param>
    public string Prefix(int flow) => Invariant($"{Run}-{Iteration}-{(flow == ToTopic ? 't' : 'q')}-");

    /// <param name="queue">From 0.</param>
    public string Queue(int queue) => Invariant($"/queue/{Run}-{Iteration}-{queue}");

    /// <summary>When a message is due, from the first due: one to the topic and one to a queue take turns.</summary>
    /// <param name="flow"><see cref="ToTopic"/> or <see cref="ToQueues"/>.</param>
    /// <param name="number">Of the flow, from 0.</param>
    public TimeSpan DueAt(int flow, int number) => Arrival.DueAt((2L * number) + flow, 2L * Messages);

    /// <summary>Of one client: the same in every arm.</summary>
    /// <param name="client">From 0.</param>
    public Backoff BackoffOf(int client) =>
        new(Draws.For(Scenario.Seed, Iteration, 2 * client), TimeSpan.Zero);
}
