using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Transports.Load;

/// <summary>
/// Clients that enter as one, so that the memory of the server can be read before and after: with the first of them, and with all, when
/// nothing is measured yet.
/// </summary>
/// <param name="server">Null: the run did not start it, and its memory is not known.</param>
public sealed class IdleClients(IReadOnlyList<FeedClient> clients, ChildServer? server) : IParticipant
{
    private const double KibiByte = 1024;

    // Clients that poll have polled several times.
    private static readonly TimeSpan Rest = TimeSpan.FromSeconds(1);

    /// <summary>KiB of resident memory per client. Null: not known.</summary>
    public double? Memory { get; private set; }

    public bool IsIn => clients.All(one => one.IsIn);

    public async Task EnterAsync(TimeProvider time)
    {
        await EnterAsync(clients.Take(1), time);
        var before = await ReadAsync(time);
        await EnterAsync(clients.Skip(1), time);
        var after = await ReadAsync(time);
        Memory = (after - before) / KibiByte / (clients.Count - 1);
    }

    public Task StopSendingAsync() => Task.CompletedTask;

    public void Leave() => Each(client => client.Leave());

    public Task EndAsync() => Task.WhenAll(clients.Select(client => client.EndAsync()));

    public void Abort() => Leave();

    public void Dispose() => Each(client => client.Dispose());

    private static Task EnterAsync(IEnumerable<FeedClient> some, TimeProvider time) => Parallel.ForEachAsync(
        some, new ParallelOptions { MaxDegreeOfParallelism = LoadBounds.DefaultConnectsUnderWay }, async (client, _) =>
        {
            await client.EnterAsync(time);
            client.Begin();
        });

    private async Task<double?> ReadAsync(TimeProvider time)
    {
        if (server is null)
            return null;
        await Task.Delay(Rest, time, CancellationToken.None);
        using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = server.Address };
        try
        {
            // What handshakes left behind is no memory of idle clients.
            await http.GetStringAsync(new Uri(FeedServer.CollectPath, UriKind.Relative));
            return server.Use.ResidentBytes;
        }
        catch (HttpRequestException)
        {
            return null;
        }
    }

    private void Each(Action<FeedClient> act)
    {
        foreach (var client in clients)
            act(client);
    }
}
