using System.Collections.Concurrent;
using System.Globalization;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace PubSubOverWs.Queues;

/// <summary>
/// Queues that are durable quorum queues. RabbitMQ has no visibility time-outs: a received message is unacknowledged for as long as its
/// channel lives, and this client gives it back when its time is over. Sends and receives have a connection each, as RabbitMQ stops
/// reading from one that sends while it is short of memory or disk.
/// </summary>
public sealed class RabbitMqQueue : IQueue, IAsyncDisposable
{
    internal const string Declare = "queue.declare";

    private const string Publish = "basic.publish";

    // A message that was given back often is still not to be dropped: 4.x does so after 20 times, and 3.x takes no negative number.
    private const int NoLimit = 1_000_000_000;

    private const int MaxLooks = 5;

    private static readonly Dictionary<string, object?> Arguments = new()
    {
        ["x-queue-type"] = "quorum",
        ["x-delivery-limit"] = NoLimit,
    };

    // RabbitMQ looks at it after it made sure that this user may consume.
    private static readonly Dictionary<string, object?> WrongArguments = new() { ["x-priority"] = "none" };

    private static readonly CreateChannelOptions WithConfirms = new(
        publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true,
        outstandingPublisherConfirmationsRateLimiter: null);

    private readonly RabbitMqOptions _options;
    private readonly TimeProvider _time;
    private readonly RabbitMqFaults _faults;
    private readonly RabbitMqLink _sending;
    private readonly RabbitMqLink _receiving;
    private readonly SemaphoreSlim _opening = new(1, 1);
    private readonly ConcurrentDictionary<string, RabbitMqReader> _readers = new(StringComparer.Ordinal);
    private IChannel? _publisher;

    public RabbitMqQueue(RabbitMqOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _time = time;
        _faults = new RabbitMqFaults(options);
        _sending = new RabbitMqLink(options, "pubsub-over-ws: sends");
        _receiving = new RabbitMqLink(options, "pubsub-over-ws: receives");
    }

    public QueueTraffic Traffic { get; } = new();

    public async ValueTask<QueueUrls> OpenAsync(string name, CancellationToken cancellationToken)
    {
        var urls = new QueueUrls(name, UrlOf(name), UrlOf($"{name}-dead"), UrlOf($"{name}-parked"));
        foreach (var url in urls.All)
        {
            await DeclareAsync(url);
            // What this user is not allowed to do ends the start, and not the first call that needs it.
            await CallAsync(
                QueueCall.Other, "basic.consume", _receiving, () => OnChannelAsync(channel => MayReadAsync(channel, NameOf(url))));
        }
        await CallAsync(QueueCall.Other, Publish, _sending, MayPublishAsync);
        return urls;
    }

    public async ValueTask DeleteAsync(QueueUrls urls, CancellationToken cancellationToken)
    {
        foreach (var url in urls.All)
            await CallAsync(
                QueueCall.Other, "queue.delete", _receiving, () => OnChannelAsync(channel => channel.QueueDeleteAsync(NameOf(url))));
    }

    /// <summary>
    /// Those that are ready, and those that this client has not settled: RabbitMQ tells nobody how many others have (but for its own web
    /// pages).
    /// </summary>
    public ValueTask<long> CountAsync(string queueUrl, CancellationToken cancellationToken) => CallAsync(
        QueueCall.Other, Declare, _receiving, () => OnChannelAsync(async channel =>
        {
            // What is on its way here is neither ready nor here yet: two looks in a row see the same, unless many are on their way.
            var sum = -1L;
            for (var look = 0; look < MaxLooks; look++)
            {
                var last = sum;
                sum = await channel.MessageCountAsync(NameOf(queueUrl), CancellationToken.None) + HeldOf(queueUrl);
                if (sum == last)
                    break;
            }
            return sum;
        }));

    public async ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(entries);
        using var patience = new CancellationTokenSource(_options.RequestTimeout, _time);
        await WaitWhileBlockedAsync(patience.Token);
        var sent = await CallAsync(
            QueueCall.Send, Publish, _sending,
            async () =>
            {
                var channel = await PublisherAsync();
                return await Task.WhenAll(entries.Select(entry => PublishAsync(channel, NameOf(queueUrl), entry, patience.Token)));
            },
            entries.Sum(entry => entry.Body.Length));
        if (sent.Any(one => one.Refused?.Code == RabbitMqFaults.NoQueue))
            await DeclareAsync(queueUrl);
        if (sent.All(one => one.Refused is not null))
            throw sent.Select(one => one.Refused!).OrderByDescending(refused => refused.MayHaveArrived).First();
        return [.. sent.Select(one => one.Result)];
    }

    public async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping)
    {
        ArgumentNullException.ThrowIfNull(request);
        stopping.ThrowIfCancellationRequested();
        var received = await CallAsync(
            QueueCall.Receive, "basic.consume", _receiving,
            async () => await (await ReaderAsync(queueUrl)).ReceiveAsync(
                request.MaxMessages, request.WaitTime, request.Visibility ?? TimeSpan.FromSeconds(30), stopping));
        Traffic.CountAnswer(received.Sum(message => message.Body.Length));
        Traffic.CountReceive(received.Count, corrupted: 0);
        return received;
    }

    public async ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken) =>
        await CallAsync(
            QueueCall.Settle, "basic.ack", _receiving, async () => await (await ReaderAsync(queueUrl)).SettleAsync(receiptHandles));

    public async ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken) =>
        await CallAsync(QueueCall.Hold, "basic.nack", _receiving, async () => await (await ReaderAsync(queueUrl)).HoldAsync(entries));

    public async ValueTask DisposeAsync()
    {
        await _sending.DisposeAsync();
        await _receiving.DisposeAsync();
        foreach (var reader in _readers.Values)
            await reader.DisposeAsync();
        _opening.Dispose();
    }

    private async Task DeclareAsync(string url) => await CallAsync(
        QueueCall.Other, Declare, _receiving, () => OnChannelAsync(channel => DeclareAsync(channel, NameOf(url))));

    private static Task<QueueDeclareOk> DeclareAsync(IChannel channel, string name) =>
        channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false, Arguments);

    private static async Task<bool> MayReadAsync(IChannel channel, string name)
    {
        try
        {
            await channel.BasicConsumeAsync(
                name, autoAck: false, consumerTag: "", noLocal: false, exclusive: false, WrongArguments,
                new AsyncDefaultBasicConsumer(channel));
        }
        catch (OperationInterruptedException refused)
            when (refused.ShutdownReason is { } reason && RabbitMqFaults.CodeOf(reason) == RabbitMqFaults.Precondition)
        {
        }
        return true;
    }

    private async Task<bool> MayPublishAsync()
    {
        using var patience = new CancellationTokenSource(_options.RequestTimeout, _time);
        try
        {
            // To nobody.
            await (await PublisherAsync()).BasicPublishAsync(
                "", Guid.NewGuid().ToString("N"), mandatory: true, new BasicProperties(), ReadOnlyMemory<byte>.Empty, patience.Token);
        }
        catch (PublishException returned) when (returned.IsReturn)
        {
        }
        return true;
    }

    private async Task WaitWhileBlockedAsync(CancellationToken patience)
    {
        if (_sending.Blocked is not { } block)
            return;
        await block.Ended.Task.WaitAsync(patience).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!block.Ended.Task.IsCompleted)
            throw _faults.Blocked(block.Reason, mayHaveArrived: false);
    }

    private async Task<(EntryResult Result, QueueException? Refused)> PublishAsync(
        IChannel channel, string name, SendEntry entry, CancellationToken patience)
    {
        var id = Guid.NewGuid().ToString("N");
        var properties = new BasicProperties { MessageId = id, Persistent = true };
        if (entry.Delay is { } delay && delay > TimeSpan.Zero)
            properties.Headers = new Dictionary<string, object?>
            {
                [RabbitMqReader.DueHeader] = (_time.GetUtcNow() + delay).ToUnixTimeMilliseconds(),
            };
        try
        {
            await channel.BasicPublishAsync("", name, mandatory: true, properties, entry.Body, patience);
            return (new EntryResult(null, id), null);
        }
        catch (Exception failure) when (RabbitMqFaults.IsOfRabbitMq(failure))
        {
            var refused = _sending.Blocked is { } block && failure is OperationCanceledException
                ? _faults.Blocked(block.Reason, mayHaveArrived: true)
                : _faults.Of(Publish, failure);
            return (new EntryResult(new EntryFailure(refused.Code, refused.Message, SenderFault: !refused.IsRetryable)), refused);
        }
    }

    private async Task<IChannel> PublisherAsync()
    {
        if (_publisher is { IsOpen: true } open)
            return open;
        var connection = await _sending.OpenAsync();
        await _opening.WaitAsync();
        try
        {
            if (_publisher is not { IsOpen: true })
            {
                _publisher?.Dispose();
                _publisher = await connection.CreateChannelAsync(WithConfirms);
            }
            return _publisher;
        }
        finally
        {
            _opening.Release();
        }
    }

    // The queue is declared again, as a server that lost its data has none.
    private async Task<RabbitMqReader> ReaderAsync(string url)
    {
        if (_readers.TryGetValue(url, out var open) && open.IsOpen)
            return open;
        var connection = await _receiving.OpenAsync();
        await _opening.WaitAsync();
        try
        {
            if (_readers.TryGetValue(url, out var known))
            {
                if (known.IsOpen)
                    return known;
                await known.DisposeAsync();
            }
            var channel = await connection.CreateChannelAsync();
            await DeclareAsync(channel, NameOf(url));
            return _readers[url] = await RabbitMqReader.OpenAsync(channel, NameOf(url), _time);
        }
        finally
        {
            _opening.Release();
        }
    }

    // What RabbitMQ refuses ends the channel.
    private async Task<T> OnChannelAsync<T>(Func<IChannel, Task<T>> call)
    {
        var connection = await _receiving.OpenAsync();
        await using var channel = await connection.CreateChannelAsync();
        return await call(channel);
    }

    private async ValueTask<T> CallAsync<T>(QueueCall kind, string method, RabbitMqLink link, Func<Task<T>> call, long bytes = 0)
    {
        Traffic.CountCall(kind, bytes);
        try
        {
            return await call();
        }
        catch (Exception failure) when (RabbitMqFaults.IsOfRabbitMq(failure))
        {
            if (failure is TimeoutException or OperationCanceledException)
                await link.GiveUpAsync();
            throw _faults.Of(method, failure);
        }
    }

    private int HeldOf(string url) => _readers.TryGetValue(url, out var reader) ? reader.CountHeld() : 0;

    private string UrlOf(string name) => string.Create(
        CultureInfo.InvariantCulture,
        $"{_options.Url.GetLeftPart(UriPartial.Authority)}/{Uri.EscapeDataString(_options.VirtualHost)}/{name}");

    private static string NameOf(string url) => url[(url.LastIndexOf('/') + 1)..];
}
