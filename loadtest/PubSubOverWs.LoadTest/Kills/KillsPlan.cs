using PubSubOverWs.LoadTest.Network.Toxics;
using PubSubOverWs.LoadTest.Workloads.OneWay;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>How long the loop is, and who takes part in it.</summary>
public sealed record KillsPlan
{
    /// <summary>The messages to publish, 1 or more.</summary>
    public int Messages { get; init; } = 1_000_000;

    /// <summary>How often the server is killed while they pass, 1 or more.</summary>
    public int Kills { get; init; } = 200;

    /// <summary>One kill in each period of this length.</summary>
    public TimeSpan Every { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Decides when within its period each kill comes, and the backoff of the clients.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>Queue destinations.</summary>
    public int Queues { get; init; } = 10;

    /// <summary>Subscribers of each of them, each on a connection of its own.</summary>
    public int SubscribersPerQueue { get; init; } = 2;

    /// <summary>Connections that publish.</summary>
    public int Publishers { get; init; } = 4;

    /// <summary>Publishes without an answer on each of them: 1 to <c>Relay:PublishesUnderWay</c> of the server, 64.</summary>
    public int MostUnanswered { get; init; } = 50;

    /// <summary><c>Sqs:MaxInFlight</c> of the server, 10 to 110,000: what it may have received and not deleted when it is killed.</summary>
    public int MaxInFlight { get; init; } = 1_000;

    /// <summary>
    /// The longest time without any arrival; then what is missing is missing. What a killed server had received comes again after its
    /// visibility time-out.
    /// </summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>For each try of a client to connect, log in and subscribe.</summary>
    public TimeSpan ConnectTimeout { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>A file for the figures as JSON; null: none.</summary>
    public string? Out { get; init; }

    /// <summary>When each kill is due, from the start.</summary>
    public IReadOnlyList<TimeSpan> KillTimes()
    {
        var random = new Random(Seed);
        return [.. Enumerable.Range(0, Kills).Select(kill => Every * (kill + random.NextDouble()))];
    }

    /// <summary>When a message is due, from the start: at a constant rate for as long as there are kills.</summary>
    /// <param name="number">From 0.</param>
    public TimeSpan DueAt(int number) => Every * Kills * ((double)number / Messages);

    /// <summary>Each client draws its own.</summary>
    /// <param name="client">From 0.</param>
    public Backoff BackoffOf(int client) => new(Draws.For(Seed, client, toxic: 0), away: TimeSpan.Zero);

    public string DestinationOf(int number) => $"/queue/kills-{number % Queues}";
}
