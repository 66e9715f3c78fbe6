using System.Collections.Concurrent;
using System.Globalization;
using StackExchange.Redis;

namespace PubSubOverWs.Queues;

/// <summary>
/// Queues that are streams, each with one consumer group. A received message is pending until it is settled, which takes it out of the
/// stream; what was pending for longer than its visibility is claimed and comes again. Holding a message sets for how long it has been
/// pending.
/// </summary>
public sealed class RedisQueue : IQueue, IAsyncDisposable
{
    private const string Group = "pubsub-over-ws";

    // One for all servers: whose message it is, the time says for which it is pending.
    private const string Consumer = "relay";

    // The smallest id, older than any.
    private const string NoMessage = "0-1";

    private static readonly RedisValue BodyField = "b";
    private static readonly RedisValue DueField = "due";

    // What comes again is looked for this often, and at once after this client gave something back.
    private static readonly TimeSpan BetweenClaims = TimeSpan.FromSeconds(1);

    // How long a receive waits for new messages before it looks for those that come again.
    private static readonly TimeSpan Block = TimeSpan.FromMilliseconds(250);

    private readonly RedisOptions _options;
    private readonly TimeProvider _time;
    private readonly RedisFaults _faults;
    private readonly ConcurrentDictionary<string, RedisStream> _streams = new(StringComparer.Ordinal);

    // A receive that waits keeps its connection busy, so that each has its own.
    private readonly ConcurrentBag<ConnectionMultiplexer> _readers = [];
    private ConnectionMultiplexer? _shared;

    public RedisQueue(RedisOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _time = time;
        _faults = new RedisFaults(options);
    }

    public QueueTraffic Traffic { get; } = new();

    private IDatabase Database => _shared?.GetDatabase(_options.Database)
        ?? throw new InvalidOperationException("The queue is not open yet.");

    public async ValueTask<QueueUrls> OpenAsync(string name, CancellationToken cancellationToken)
    {
        _shared ??= await ConnectAsync();
        var urls = new QueueUrls(name, UrlOf(name), UrlOf($"{name}-dead"), UrlOf($"{name}-parked"));
        foreach (var url in urls.All)
        {
            await CallAsync(QueueCall.Other, "XGROUP CREATE", () => CreateGroupAsync(StreamOf(url)));
            // What this user is not allowed to do ends the start, and not the first call that needs it.
            await SettleAsync(url, [NoMessage], cancellationToken);
            await HideAsync(StreamOf(url), [NoMessage], TimeSpan.Zero);
        }
        return urls;
    }

    public async ValueTask DeleteAsync(QueueUrls urls, CancellationToken cancellationToken)
    {
        foreach (var url in urls.All)
            await CallAsync(QueueCall.Other, "DEL", () => Database.KeyDeleteAsync(StreamOf(url).Key));
    }

    public ValueTask<long> CountAsync(string queueUrl, CancellationToken cancellationToken) =>
        CallAsync(QueueCall.Other, "XLEN", () => Database.StreamLengthAsync(StreamOf(queueUrl).Key));

    public async ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken)
    {
        var key = StreamOf(queueUrl).Key;
        var added = await CallAsync(
            QueueCall.Send, "XADD", () => Task.WhenAll(entries.Select(entry => AddAsync(key, entry))),
            entries.Sum(entry => entry.Body.Length));
        if (added.All(one => one.Refused is not null))
            throw added[0].Refused!;
        return [.. added.Select(one => one.Result)];
    }

    public async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping)
    {
        ArgumentNullException.ThrowIfNull(request);
        stopping.ThrowIfCancellationRequested();
        var stream = StreamOf(queueUrl);
        stream.Visibility = request.Visibility ?? stream.Visibility;
        var since = _time.GetTimestamp();
        while (true)
        {
            var left = request.WaitTime - _time.GetElapsedTime(since);
            var received = await ClaimAsync(stream, request.MaxMessages);
            if (received.Count == 0)
                received = await ReadAsync(stream, request.MaxMessages, left < Block ? left : Block);
            if (received.Count == 0 && left > TimeSpan.Zero && !stopping.IsCancellationRequested)
                continue;
            Traffic.CountReceive(received.Count, corrupted: 0);
            return received;
        }
    }

    public async ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken)
    {
        var stream = StreamOf(queueUrl);
        var ids = receiptHandles.Select(id => (RedisValue)id).ToArray();
        // Deleted first: what is pending and not there is forgotten when it is claimed; what is there and not pending would stay for ever.
        await CallAsync(
            QueueCall.Settle, "XDEL and XACK",
            () => Task.WhenAll(Database.StreamDeleteAsync(stream.Key, ids), Database.StreamAcknowledgeAsync(stream.Key, Group, ids)));
        stream.Forget(receiptHandles);
        return new EntryResult[receiptHandles.Count];
    }

    public async ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(entries);
        var stream = StreamOf(queueUrl);
        var results = new EntryResult[entries.Count];
        foreach (var same in Enumerable.Range(0, entries.Count).GroupBy(i => entries[i].Visibility))
        {
            var held = await HideAsync(stream, [.. same.Select(i => (RedisValue)entries[i].ReceiptHandle)], same.Key);
            stream.ComesBack(held, same.Key, _time.GetUtcNow(), _time.GetTimestamp());
            foreach (var i in same.Where(i => !held.Contains(entries[i].ReceiptHandle)))
                results[i] = new EntryResult(new EntryFailure("NotPending", "The message is settled.", SenderFault: true));
        }
        return results;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var reader in _readers)
            await reader.DisposeAsync();
        if (_shared is not null)
            await _shared.DisposeAsync();
    }

    private async Task<ConnectionMultiplexer> ConnectAsync()
    {
        var options = new ConfigurationOptions
        {
            EndPoints = { { _options.Url.Host, _options.Url.Port < 0 ? 6379 : _options.Url.Port } },
            Ssl = _options.Url.Scheme == "rediss",
            User = string.IsNullOrEmpty(_options.User) ? null : _options.User,
            Password = string.IsNullOrEmpty(_options.Password) ? null : _options.Password,
            AsyncTimeout = (int)_options.RequestTimeout.TotalMilliseconds,
            ConnectTimeout = (int)_options.RequestTimeout.TotalMilliseconds,
            // What cannot be sent fails, and the caller tries again: nothing waits here.
            BacklogPolicy = BacklogPolicy.FailFast,
            // It tries once a second.
            ReconnectRetryPolicy = new LinearRetry(1),
            Protocol = RedisProtocol.Resp2,
            // No connection for subscriptions.
            CommandMap = CommandMap.Create(["SUBSCRIBE", "UNSUBSCRIBE", "PSUBSCRIBE", "PUNSUBSCRIBE"], available: false),
            IncludeDetailInExceptions = false,
            TieBreaker = "",
            ConfigurationChannel = "",
        };
        try
        {
            return await ConnectionMultiplexer.ConnectAsync(options);
        }
        catch (Exception failure) when (RedisFaults.IsOfRedis(failure))
        {
            throw _faults.Of("the connection", failure);
        }
    }

    // A full Redis may take some of a batch and refuse the others.
    private async Task<(EntryResult Result, QueueException? Refused)> AddAsync(RedisKey key, SendEntry entry)
    {
        try
        {
            return (new EntryResult(null, await Database.StreamAddAsync(key, Fields(entry))), null);
        }
        catch (RedisServerException failure)
        {
            var refused = _faults.Of("XADD", failure);
            return (new EntryResult(new EntryFailure(refused.Code, refused.Message, SenderFault: !refused.IsRetryable)), refused);
        }
    }

    private async Task<bool> CreateGroupAsync(RedisStream stream)
    {
        try
        {
            return await Database.StreamCreateConsumerGroupAsync(stream.Key, Group, StreamPosition.Beginning);
        }
        catch (RedisServerException exists) when (RedisFaults.CodeOf(exists) == "BUSYGROUP")
        {
            return false;
        }
    }

    // Messages that have been pending for as long as they were to be hidden.
    private async Task<List<ReceivedMessage>> ClaimAsync(RedisStream stream, int most)
    {
        if (!stream.MayClaim(_time, BetweenClaims))
            return [];
        var visibility = (long)stream.Visibility.TotalMilliseconds;
        var idle = (RedisResult[]?)await AskAsync(
            stream, "XPENDING", () => Database.ExecuteAsync("XPENDING", stream.Key, Group, "IDLE", visibility, "-", "+", most)) ?? [];
        if (idle.Length == 0)
            return [];
        var counts = idle.Select(one => (RedisResult[])one!).ToDictionary(one => (string)one[0]!, one => (int)one[3]);
        var claimed = await AskAsync(
            stream, "XCLAIM",
            () => Database.StreamClaimAsync(stream.Key, Group, Consumer, visibility, [.. counts.Keys.Select(id => (RedisValue)id)]));
        // There may be more.
        stream.ClaimsAt(_time.GetTimestamp());
        return await AcceptAsync(
            stream, [.. claimed.Where(entry => !entry.IsNull).Select(entry => new Pending(entry, counts[entry.Id!] + 1))]);
    }

    private async Task<List<ReceivedMessage>> ReadAsync(RedisStream stream, int most, TimeSpan wait)
    {
        if (!_readers.TryTake(out var reader))
            reader = await ConnectAsync();
        try
        {
            object[] arguments = wait > TimeSpan.Zero
                ? ["GROUP", Group, Consumer, "COUNT", most, "BLOCK", (long)Math.Ceiling(wait.TotalMilliseconds), "STREAMS", stream.Key, ">"]
                : ["GROUP", Group, Consumer, "COUNT", most, "STREAMS", stream.Key, ">"];
            var answer = (RedisResult[]?)await AskAsync(
                stream, "XREADGROUP", () => reader.GetDatabase(_options.Database).ExecuteAsync("XREADGROUP", arguments));
            if (answer is null)
                return [];
            // One stream was asked for: its name, and its entries.
            var entries = (RedisResult[])((RedisResult[])answer[0]!)[1]!;
            return await AcceptAsync(stream, [.. entries.Select(entry => new Pending(Read((RedisResult[])entry!), 1))]);
        }
        finally
        {
            _readers.Add(reader);
        }
    }

    private static StreamEntry Read(RedisResult[] entry)
    {
        var fields = (RedisValue[])entry[1]!;
        return new StreamEntry(
            (RedisValue)entry[0],
            [.. Enumerable.Range(0, fields.Length / 2).Select(i => new NameValueEntry(fields[2 * i], fields[(2 * i) + 1]))]);
    }

    // Those that are due; the others are hidden until they are.
    private async Task<List<ReceivedMessage>> AcceptAsync(RedisStream stream, IReadOnlyList<Pending> entries)
    {
        var messages = new List<ReceivedMessage>(entries.Count);
        var now = _time.GetUtcNow();
        foreach (var (entry, count) in entries)
        {
            var id = (string)entry.Id!;
            var due = entry[DueField] is { HasValue: true } text && text.TryParse(out long milliseconds)
                ? DateTimeOffset.FromUnixTimeMilliseconds(milliseconds)
                : DateTimeOffset.MinValue;
            due = stream.Due(id) is { } later && later > due ? later : due;
            // It was not delivered, and does not count as that.
            if (due > now)
                await HideAsync(stream, [id], due - now, "RETRYCOUNT", count - 1);
            else
                messages.Add(new ReceivedMessage(id, id, (ReadOnlyMemory<byte>)entry[BodyField], count));
        }
        Traffic.CountAnswer(messages.Sum(message => message.Body.Length));
        return messages;
    }

    /// <summary>They come again after that time, at most after the visibility of the stream.</summary>
    /// <returns>Those that are still pending.</returns>
    private async Task<HashSet<string>> HideAsync(RedisStream stream, RedisValue[] ids, TimeSpan hidden, params object[] more)
    {
        var idle = stream.Visibility > hidden ? (long)(stream.Visibility - hidden).TotalMilliseconds : 0;
        object[] arguments = [stream.Key, Group, Consumer, 0, .. ids.Cast<object>(), "IDLE", idle, .. more, "JUSTID"];
        var held = await CallAsync(QueueCall.Hold, "XCLAIM", () => Database.ExecuteAsync("XCLAIM", arguments));
        return [.. ((string?[]?)held ?? []).OfType<string>()];
    }

    // A server that lost its data has no group: made again, it is as a queue that was never used.
    private async Task<T> AskAsync<T>(RedisStream stream, string command, Func<Task<T>> call)
    {
        try
        {
            return await CallAsync(QueueCall.Receive, command, call);
        }
        catch (QueueException gone) when (gone.Code == RedisFaults.NoGroup)
        {
            await CallAsync(QueueCall.Other, "XGROUP CREATE", () => CreateGroupAsync(stream));
            throw;
        }
    }

    private async ValueTask<T> CallAsync<T>(QueueCall kind, string command, Func<Task<T>> call, long bytes = 0)
    {
        Traffic.CountCall(kind, bytes);
        try
        {
            return await call();
        }
        catch (Exception failure) when (RedisFaults.IsOfRedis(failure))
        {
            throw _faults.Of(command, failure);
        }
    }

    private NameValueEntry[] Fields(SendEntry entry) => entry.Delay is { } delay && delay > TimeSpan.Zero
        ? [new(BodyField, entry.Body), new(DueField, (_time.GetUtcNow() + delay).ToUnixTimeMilliseconds())]
        : [new(BodyField, entry.Body)];

    private string UrlOf(string name) => string.Create(
        CultureInfo.InvariantCulture, $"{_options.Url.GetLeftPart(UriPartial.Authority)}/{_options.Database}/{name}");

    private RedisStream StreamOf(string url) => _streams.GetOrAdd(url, one => new RedisStream(one[(one.LastIndexOf('/') + 1)..]));

    private readonly record struct Pending(StreamEntry Entry, int Count);
}
