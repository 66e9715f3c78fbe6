using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Workers;

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
