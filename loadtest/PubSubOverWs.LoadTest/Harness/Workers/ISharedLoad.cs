using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>An experiment whose clients several load processes can share.</summary>
public interface ISharedLoad
{
    /// <summary>The load of one trial whose clients are in load processes.</summary>
    /// <param name="processes">Running, one for each share; their answers decide how it went.</param>
    /// <inheritdoc cref="Experiment.Load"/>
    ILoad Load(
        Scenario scenario, Trial trial, string run, ServerGroup servers, IReadOnlyList<ILoadProcess> processes, TimeProvider time);

    /// <summary>In a load process: the clients of its share.</summary>
    /// <param name="plan">As the load of the run has sent it.</param>
    /// <param name="servers">Where clients connect.</param>
    /// <exception cref="JsonException">It is no such plan.</exception>
    IShareOfLoad Share(JsonElement plan, LoadShare share, ServerGroup servers);
}

/// <summary>The part of a load that one of several load processes has.</summary>
public interface IShareOfLoad : IClientLoad
{
    /// <summary>What its clients have seen, as the load of the run merges it, written as JSON. After all of them have left.</summary>
    object Account();
}

/// <summary>The load of one trial whose clients are all in this process: a share that is the whole.</summary>
/// <param name="clients">Of <see cref="LoadShare.Whole"/>.</param>
public abstract class WholeLoad<T>(T clients) : ILoad
    where T : IShareOfLoad
{
    public IReadOnlyList<IParticipant> Participants => clients.Participants;

    public Countdown Waiting => clients.Waiting;

    public LoadBounds Bounds => clients.Bounds;

    public long Sends => clients.Sends;

    protected T Clients => clients;

    public TimeSpan DueAt(long send) => clients.DueAt(send);

    public virtual void Send(long send) => clients.Send(send);

    public abstract Observed Observe(long start, long firstDue);
}

/// <summary>As <see cref="ConnectFailure"/>, handed back by a load process.</summary>
/// <param name="Client">Its number among the clients of its kind in the iteration, from 0.</param>
public sealed record ClientFailure(int Client, Cause Cause, string Detail)
{
    /// <summary>Null: it had none.</summary>
    public static ClientFailure? From(int client, ConnectFailure? failure) =>
        failure is null ? null : new ClientFailure(client, failure.Cause, failure.Detail);

    public ConnectFailure ToConnectFailure() => new(Cause, Detail);
}

/// <summary>
/// The clients that one of several load processes has: every one whose number leaves the same remainder. Shares differ by one client at
/// most.
/// </summary>
/// <param name="Index">Of the process, from 0.</param>
/// <param name="Of">Load processes: 1 or more.</param>
public sealed record LoadShare(int Index, int Of)
{
    /// <summary>All clients, in one process.</summary>
    public static LoadShare Whole { get; } = new(0, 1);

    /// <param name="client">Its number, from 0.</param>
    public bool Has(int client) => client % Of == Index;

    /// <summary>Whether it has a client of that number, and as many clients have one.</summary>
    public bool Has(int client, int clients) => client >= 0 && client < clients && Has(client);

    /// <summary>Of as many clients, the numbers of those that it has, ascending.</summary>
    public IEnumerable<int> In(int clients)
    {
        for (var client = Index; client < clients; client += Of)
            yield return client;
    }

    /// <summary>How many of as many clients it has.</summary>
    public int CountIn(int clients) => (clients - Index + Of - 1) / Of;

    /// <summary>Its clients that connect at the same time: those of all processes are no more than those of one would be.</summary>
    [JsonIgnore]
    public int ConnectsUnderWay => Math.Max(1, LoadBounds.DefaultConnectsUnderWay / Of);
}
