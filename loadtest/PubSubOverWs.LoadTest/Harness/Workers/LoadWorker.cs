using System.Net.Http.Json;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>One of the load processes of a run, as the run asks it for one trial.</summary>
/// <param name="share">Its clients.</param>
/// <param name="process">That has them.</param>
/// <param name="time">For time-outs.</param>
public sealed class LoadWorker(LoadShare share, ILoadProcess process, TimeProvider time) : IDisposable
{
    private const string Consequence = ", so the iteration does not count and the run ends";

    // What 100,000 clients have seen is a small part of that.
    private const int LongestAnswer = 128 << 20;

    // From the end of its connections until the system says that the process has ended.
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(5);

    private readonly HttpClient _http = Connect(process);

    public LoadShare Share => share;

    public string ProcessName => process.Name;

    /// <summary>Its stamps are of another clock than those of the run.</summary>
    public bool HasOwnClock => process.HasOwnClock;

    /// <summary>Processes that are running, each with the share of its place among them.</summary>
    public static IReadOnlyList<LoadWorker> All(IReadOnlyList<ILoadProcess> processes, TimeProvider time) =>
        [.. processes.Select((process, i) => new LoadWorker(new LoadShare(i, processes.Count), process, time))];

    /// <inheritdoc cref="ILoadProcess.ReadClockAsync"/>
    /// <exception cref="ChildException">It does not say.</exception>
    public async Task<ClockReading?> ReadClockAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await process.ReadClockAsync(cancellationToken);
        }
        catch (Exception error) when (error is IOException or ObjectDisposedException)
        {
            throw await BrokenAsync("clock", error, cancellationToken);
        }
    }

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
            if (await Task.WhenAny(asking, process.Ended).WaitAsync(atMost, time, cancellationToken) == asking)
                return await asking;
            throw Ended(order, await process.Ended);
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
            {
                Content = JsonContent.Create(body, body.GetType(), options: WorkerOrders.Json),
                Version = _http.DefaultRequestVersion,
                VersionPolicy = _http.DefaultVersionPolicy,
            };
            using var response = await _http.SendAsync(request, cancellationToken);
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
        catch (HttpRequestException error) when (error.HttpRequestError == HttpRequestError.ConfigurationLimitExceeded)
        {
            throw Unusable(order, Invariant($"it is longer than {LongestAnswer >> 20} MiB"));
        }
        catch (Exception error) when (error is HttpRequestException or IOException)
        {
            throw await BrokenAsync(order, error, cancellationToken);
        }
    }

    // Its connections end with it, before its end is known.
    private async Task<ChildException> BrokenAsync(string order, Exception error, CancellationToken cancellationToken)
    {
        process.Broke(error.Message);
        try
        {
            return Ended(order, await process.Ended.WaitAsync(EndTimeout, time, cancellationToken));
        }
        catch (TimeoutException)
        {
            return Unusable(order, error.Message);
        }
    }

    private ChildException Failed(string order, string why) => new($"{Name} could not do '{order}'{Consequence}: {why}");

    private ChildException Ended(string order, WorkerEnd end) =>
        new($"{Name} {end.What} before it had answered '{order}'{Consequence}.{end.More}");

    private static HttpClient Connect(ILoadProcess process)
    {
        var client = process.Connect();
        (client.Timeout, client.MaxResponseContentBufferSize) = (Timeout.InfiniteTimeSpan, LongestAnswer);
        return client;
    }
}
