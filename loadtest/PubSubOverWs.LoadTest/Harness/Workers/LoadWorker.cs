using System.Net.Http.Json;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>One of the load processes of a run, as the run asks it for one trial.</summary>
/// <param name="share">Its clients.</param>
/// <param name="address">Where it takes orders.</param>
/// <param name="http">How it is reached; disposed with this.</param>
/// <param name="exited">Completes when the process has ended.</param>
/// <param name="time">For time-outs.</param>
public sealed class LoadWorker(LoadShare share, Uri address, HttpMessageHandler http, Task<ChildExit> exited, TimeProvider time)
    : IDisposable
{
    private const string Consequence = ", so the iteration does not count and the run ends";

    // From the end of its connections until the system says that the process has ended.
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(5);

    private readonly HttpClient _http = new(http) { BaseAddress = address, Timeout = Timeout.InfiniteTimeSpan };

    public LoadShare Share => share;

    /// <summary>Processes that are running, each with the share of its place among them.</summary>
    public static IReadOnlyList<LoadWorker> All(IReadOnlyList<ChildServer> processes, TimeProvider time) =>
    [
        .. processes.Select((process, i) => new LoadWorker(
            new LoadShare(i, processes.Count), process.Address, new SocketsHttpHandler { UseProxy = false }, process.Exited, time)),
    ];

    /// <summary>Gives an order, and waits for its answer.</summary>
    /// <typeparam name="T">The answer.</typeparam>
    /// <param name="body">Written as JSON.</param>
    /// <exception cref="ChildException">It has ended, did not answer in time, or answered with something else.</exception>
    /// <exception cref="OperationCanceledException">The caller cancelled.</exception>
    public async Task<T> AskAsync<T>(string order, object body, TimeSpan atMost, CancellationToken cancellationToken)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var asking = PostAsync<T>(order, body, end.Token);
        try
        {
            if (await Task.WhenAny(asking, exited).WaitAsync(atMost, time, cancellationToken) == asking)
                return await asking;
            throw Ended(order, await exited);
        }
        catch (TimeoutException)
        {
            throw new ChildException(Invariant($"{Name} did not answer '{order}' within {atMost.TotalSeconds:0} s{Consequence}."));
        }
        finally
        {
            await end.CancelAsync();
            await ((Task)asking).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // Its result no longer matters, or was awaited.
        }
    }

    /// <summary>What it answered does not fit what it was asked.</summary>
    /// <param name="why">Half a sentence.</param>
    public ChildException Unusable(string order, string why) =>
        new($"{Name} answered '{order}' with something that cannot be used ({why.TrimEnd('.')}){Consequence}.");

    public void Dispose() => _http.Dispose();

    private string Name => Invariant($"Load process {share.Index + 1} of {share.Of}");

    private async Task<T> PostAsync<T>(string order, object body, CancellationToken cancellationToken)
    {
        try
        {
            using var request = new HttpRequestMessage(HttpMethod.Post, new Uri(order, UriKind.Relative))
            { Content = JsonContent.Create(body, body.GetType(), options: WorkerOrders.Json) };
            using var response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken);
            if (response.StatusCode != HttpStatusCode.OK)
                throw Failed(order, await response.Content.ReadAsStringAsync(cancellationToken));
            await using var answer = await response.Content.ReadAsStreamAsync(cancellationToken);
            return await JsonSerializer.DeserializeAsync<T>(answer, WorkerOrders.Json, cancellationToken)
                ?? throw Unusable(order, "it is null");
        }
        catch (JsonException error)
        {
            throw Unusable(order, error.Message);
        }
        catch (Exception error) when (error is HttpRequestException or IOException)
        {
            throw await BrokenAsync(order, error, cancellationToken);
        }
    }

    // Its connections end with it, before its end is known.
    private async Task<ChildException> BrokenAsync(string order, Exception error, CancellationToken cancellationToken)
    {
        try
        {
            return Ended(order, await exited.WaitAsync(EndTimeout, time, cancellationToken));
        }
        catch (TimeoutException)
        {
            return Unusable(order, error.Message);
        }
    }

    private ChildException Failed(string order, string why) => new($"{Name} could not do '{order}'{Consequence}: {why}");

    private ChildException Ended(string order, ChildExit exit) => new(Invariant(
        $"{Name} ended unexpectedly with exit code {exit.ExitCode} before it had answered '{order}'{Consequence}.{Wrote(exit.LastLines)}"));

    private static string Wrote(IReadOnlyList<string> lines) =>
        lines.Count == 0 ? "" : $" Its last output: {string.Join(" | ", lines)}";
}
