using System.Globalization;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Workloads.OneWay;

/// <summary>
/// One iteration: each user connects, subscribes to a queue of its own, sends one message or more to it and waits for them; over one
/// connection, as in the paper, or as a pair of publisher and subscriber.
/// </summary>
public sealed record IterationPlan
{
    /// <summary>Distinguishes this run's messages and queues from those of any other; up to 16 characters of <c>[A-Za-z0-9]</c>.</summary>
    public required string Run { get; init; }

    /// <summary>
    /// Unique for every iteration that meets the same server, warm-ups too, or destinations collide. The arms of a pair share it: each
    /// meets its own server.
    /// </summary>
    public required int Iteration { get; init; }

    public required int Users { get; init; }

    /// <summary>
    /// Messages of each user; 1 or more. The users take turns, so that each sends at a constant rate where the arrival is spread.
    /// </summary>
    public int Messages { get; init; } = 1;

    public Arrival Arrival { get; init; } = Arrival.Burst;

    /// <summary>Octets of each body; 64 or more.</summary>
    public int PayloadBytes { get; init; } = 100;

    /// <summary>Asks for a receipt of each SEND; without, guarantee loss is undefined.</summary>
    public bool Receipts { get; init; }

    /// <summary>The floor: the same bytes at the same times to an echo, which is no STOMP server.</summary>
    public bool Echo { get; init; }

    /// <summary>From due; what comes later is late.</summary>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>How much longer to listen when something is missing: <see cref="LoadBounds"/>.</summary>
    public TimeSpan Grace { get; init; } = LoadBounds.DefaultGrace;

    /// <summary>For a user to connect, log in and subscribe.</summary>
    public TimeSpan ConnectTimeout { get; init; } = LoadBounds.DefaultConnectTimeout;

    /// <summary>How many users are connecting at a time.</summary>
    public int ConnectsUnderWay { get; init; } = LoadBounds.DefaultConnectsUnderWay;

    /// <summary>
    /// Each user is a publisher and a subscriber that come back when they are cut, and every SEND has a receipt; null: the paper's users.
    /// </summary>
    public PairsPlan? Pairs { get; init; }

    /// <summary>Null, as in every measurement: what comes from a connection goes into its log as it came.</summary>
    public FaultInjection? Injection { get; init; }

    /// <param name="user">From 0.</param>
    /// <param name="sequence">Its place among the messages of this user, from 0.</param>
    public string MessageId(int user, int sequence) => Messages == 1 ? $"{Run}-{Iteration}-{user}" : $"{Run}-{Iteration}-{user}-{sequence}";

    /// <summary>When a message is due, from the burst's start.</summary>
    /// <param name="user">From 0.</param>
    /// <param name="sequence">Its place among the messages of this user, from 0.</param>
    public TimeSpan DueAt(int user, int sequence) => Arrival.DueAt(((long)sequence * Users) + user, (long)Messages * Users);

    public string Destination(int user) => $"/queue/{Run}-{Iteration}-{user}";

    /// <summary>The log of a user, and the SEND of each of its messages; a receipt is named by the message's sequence.</summary>
    /// <param name="user">From 0.</param>
    /// <param name="waiting">Told when there is nothing more to wait for.</param>
    public (ClientLog Log, byte[][] Sends) Build(int user, Countdown waiting)
    {
        var log = new ClientLog(Enumerable.Range(0, Messages).Select(sequence => MessageId(user, sequence)), waiting);
        return (log, [.. log.Messages.Select((message, sequence) => StompMessages.Send(
            Destination(user), message.Id, Payload.Write(PayloadBytes, message.Id, user, sequence),
            Receipts || Pairs is not null ? sequence.ToString(CultureInfo.InvariantCulture) : null))]);
    }
}
