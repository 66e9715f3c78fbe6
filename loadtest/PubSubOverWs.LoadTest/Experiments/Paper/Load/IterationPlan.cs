using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>
/// One iteration: each user connects, subscribes to its own queue, sends one or more messages to it and waits for them, over one connection
/// as in the paper, or as a pair of publisher and subscriber.
/// </summary>
public sealed record IterationPlan
{
    /// <summary>Distinguishes this run's messages and queues from those of other runs: up to 16 characters of <c>[A-Za-z0-9]</c>.</summary>
    public required string Run { get; init; }

    /// <summary>Unique among the iterations on one server, warm-ups included, or destinations would collide. The arms share it.</summary>
    public required int Iteration { get; init; }

    public required int Users { get; init; }

    /// <summary>Messages of each user: 1 or more. Users take turns, so that with a spread each sends at a constant rate.</summary>
    public int Messages { get; init; } = 1;

    public Arrival Arrival { get; init; } = Arrival.Burst;

    /// <summary>Bytes of each body: 64 or more.</summary>
    public int PayloadBytes { get; init; } = 100;

    /// <summary>Requests a receipt for each SEND. Without receipts, guarantee loss is undefined.</summary>
    public bool Receipts { get; init; }

    /// <summary>For the floor: the same bytes at the same times to an echo server without STOMP.</summary>
    public bool Echo { get; init; }

    /// <inheritdoc cref="LoadBounds"/>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <inheritdoc cref="LoadBounds"/>
    public TimeSpan Grace { get; init; } = LoadBounds.DefaultGrace;

    /// <summary>For a user to connect, log in and subscribe.</summary>
    public TimeSpan ConnectTimeout { get; init; } = LoadBounds.DefaultConnectTimeout;

    /// <inheritdoc cref="LoadBounds"/>
    public int ConnectsUnderWay { get; init; } = LoadBounds.DefaultConnectsUnderWay;

    /// <summary>Each user is a publisher and a subscriber that reconnect, and every SEND has a receipt; null: the paper's users.</summary>
    public PairsPlan? Pairs { get; init; }

    /// <summary>Null, as in every measurement: no faults are injected between connection and log.</summary>
    [JsonIgnore]
    public FaultInjection? Injection { get; init; }

    /// <param name="user">From 0.</param>
    /// <param name="sequence">Among the messages of this user, from 0.</param>
    public string MessageId(int user, int sequence) => Messages == 1 ? $"{Run}-{Iteration}-{user}" : $"{Run}-{Iteration}-{user}-{sequence}";

    /// <summary>When a message is due, from the burst's start.</summary>
    /// <inheritdoc cref="MessageId"/>
    public TimeSpan DueAt(int user, int sequence) => Arrival.DueAt(((long)sequence * Users) + user, (long)Messages * Users);

    public string Destination(int user) => $"/queue/{Run}-{Iteration}-{user}";

    /// <inheritdoc cref="MessageId"/>
    public byte[] Body(int user, int sequence) => Payload.Write(PayloadBytes, MessageId(user, sequence), user, sequence);

    /// <summary>The log of a user.</summary>
    /// <param name="user">From 0.</param>
    /// <param name="waiting">Signaled when there is nothing more to wait for.</param>
    public ClientLog Log(int user, Countdown waiting) =>
        new(Enumerable.Range(0, Messages).Select(sequence => MessageId(user, sequence)), waiting);

    /// <summary>The log of a user, and the SEND of each of its messages; the id of a receipt is the sequence of its message.</summary>
    /// <inheritdoc cref="Log"/>
    public (ClientLog Log, byte[][] Sends) Build(int user, Countdown waiting) =>
        (Log(user, waiting), [.. Enumerable.Range(0, Messages).Select(sequence => StompMessages.Send(
            Destination(user), MessageId(user, sequence), Body(user, sequence),
            Receipts || Pairs is not null ? sequence.ToString(CultureInfo.InvariantCulture) : null))]);
}

/// <summary>How pairs of publisher and subscriber reconnect and read.</summary>
public sealed record PairsPlan
{
    /// <summary>Of the waits before reconnecting, and of the choice of slow subscribers; the same for all arms of an iteration.</summary>
    public long Seed { get; init; }

    /// <summary>How long a subscriber waits before it reconnects; zero: it backs off like a publisher.</summary>
    public TimeSpan Away { get; init; }

    /// <summary>The most publishes of one user without a receipt.</summary>
    public int MostUnanswered { get; init; } = Publisher.DefaultUnanswered;

    /// <summary>The share of subscribers that read slowly: 0 to 1, rounded to whole subscribers.</summary>
    public double SlowShare { get; init; }

    /// <summary>The most that each of them reads until all deadlines have passed: 10 or more.</summary>
    public int SlowBytesPerSecond { get; init; } = int.MaxValue;

    /// <summary>The users, from 0, whose subscribers read slowly.</summary>
    public IReadOnlySet<int> SlowAmong(int users) =>
        Draws.Share([.. Enumerable.Range(0, users).Select(user => (long)user)], SlowShare, Seed).Select(user => (int)user).ToHashSet();

    /// <param name="iteration">Each iteration draws other waits.</param>
    /// <param name="user">From 0.</param>
    /// <param name="isSubscriber">False: the publisher.</param>
    public Backoff BackoffOf(int iteration, int user, bool isSubscriber) =>
        new(Draws.For(Seed, iteration, isSubscriber ? (2 * user) + 1 : 2 * user), isSubscriber ? Away : TimeSpan.Zero);
}
