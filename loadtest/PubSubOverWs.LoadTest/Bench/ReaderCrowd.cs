using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Connections that each send to themselves, in turn, at a fixed rate together, and read all the time.</summary>
internal sealed class ReaderCrowd(ClientTarget target, int count, int payloadBytes, TimeProvider time) : IDisposable
{
    private const int ConnectsUnderWay = 64;

    private readonly StompConnection[] _users = [.. Enumerable.Range(0, count).Select(_ => new StompConnection(target))];
    private readonly byte[] _body = [.. Enumerable.Repeat((byte)'x', payloadBytes)];
    private Task _reading = Task.CompletedTask;
    private volatile LegWatch? _watch;
    private int _legs;

    public async Task ConnectAsync(CancellationToken cancellationToken)
    {
        await OpenAsync(_users, i => [StompMessages.Subscribe("s", $"/queue/reader-{i}")], cancellationToken);
        _reading = Task.WhenAll(_users.Select(ReadAsync));
    }

    /// <summary>Opens connections and makes the subscriptions of each.</summary>
    /// <exception cref="ChildException">The server did not take one.</exception>
    public static Task OpenAsync(
        StompConnection[] connections, Func<int, byte[][]> subscriptions, CancellationToken cancellationToken) => Parallel.ForAsync(
        0, connections.Length, new ParallelOptions { MaxDegreeOfParallelism = ConnectsUnderWay, CancellationToken = cancellationToken },
        async (i, _) =>
        {
            var failure = await connections[i].OpenAsync() ?? await connections[i].LogInAsync();
            foreach (var subscribe in subscriptions(i))
            {
                if (failure is null && connections[i].TrySend(subscribe))
                    failure = await connections[i].ExpectAsync(StompCommand.Receipt);
            }
            if (failure is not null)
                throw new ChildException(
                    $"The bench could not open a connection: {failure.Detail}. Ask for fewer with --connections, or raise the limit of "
                        + "open files.", ChildException.Unreachable);
        });

    /// <summary>Latencies in milliseconds from when each message was due, sorted, and how many did not come.</summary>
    /// <param name="rate">Messages a second to themselves, all readers together.</param>
    /// <param name="length">How long they send.</param>
    /// <param name="deaf">So many of a <see cref="DeafCrowd"/> get as many messages each, from the readers; 0: nobody.</param>
    /// <param name="cancellationToken">Cuts the measurement.</param>
    public async Task<(double[] Sorted, int Missing)> RunAsync(int rate, TimeSpan length, int deaf, CancellationToken cancellationToken)
    {
        var messages = (int)(rate * length.TotalSeconds);
        var watch = _watch = new LegWatch(++_legs, rate, messages, copies: messages);
        var found = await watch.RunAsync(i => Send(watch, i, deaf), time, cancellationToken);
        _watch = null;
        return found;
    }

    public void Dispose()
    {
        foreach (var user in _users)
            user.Dispose();
    }

    /// <summary>Completes when every connection has ended.</summary>
    public Task EndAsync()
    {
        Dispose();
        return _reading;
    }

    private void Send(LegWatch watch, int message, int deaf)
    {
        var user = message % count;
        // Directly before its own: that would wait too if a server held the publisher for those who do not read.
        for (var other = Share(message, deaf); other < Share(message + 1, deaf); other++)
            _users[user].TrySend(StompMessages.Send(DeafCrowd.Destination((int)(other % deaf)), "deaf", _body, receipt: null));
        _users[user].TrySend(StompMessages.Send($"/queue/reader-{user}", watch.Id(message), _body, receipt: null));
    }

    private long Share(int messages, int deaf) => (long)messages * deaf / count;

    private async Task ReadAsync(StompConnection user)
    {
        do
        {
            while (user.TryRead(out var frame))
            {
                if (_watch is { } watch && watch.TryRead(frame, out var message))
                    watch.Add(message, copy: message);
            }
        }
        while (await user.ReceiveAsync());
    }
}
