using System.Collections.Concurrent;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;

namespace PubSubOverWs.Queues;

/// <summary>
/// Queues that are streams of JetStream, each with one pull consumer that all servers share. A received message is hidden until it is
/// acknowledged, which takes it out of the stream, or until the consumer's AckWait is over; the address for its acknowledgement is its
/// receipt handle. To hold it is to report progress, or to give it back for a time.
/// </summary>
public sealed class NatsQueue : IQueue, IAsyncDisposable
{
    // "NATS/1.0", "Nats-Msg-Id: " and an id, with their ends of lines.
    private const int HeaderBytes = 64;

    private static readonly byte[] Nothing = [];

    // A consumer may show a message some milliseconds early, and one that is early counts as delivered.
    private static readonly TimeSpan Early = TimeSpan.FromMilliseconds(20);

    private readonly NatsOptions _options;
    private readonly TimeProvider _time;
    private readonly NatsFaults _faults;
    private readonly ConcurrentDictionary<string, NatsStream> _streams = new(StringComparer.Ordinal);
    private readonly NatsConnection _connection;
    private readonly NatsJSContext _jetStream;

    // Fires when the connection ends: the calls under way have no answer.
    private volatile CancellationTokenSource _cut = new();

    // The latest violation of permissions: the call itself has no answer.
    private volatile string _denied = "";

    public NatsQueue(NatsOptions options, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _time = time;
        _faults = new NatsFaults(options);
        _connection = new NatsConnection(Settings(options));
        _connection.ConnectionDisconnected += (_, _) =>
        {
            _denied = "";
            Interlocked.Exchange(ref _cut, new CancellationTokenSource()).Cancel();
            return ValueTask.CompletedTask;
        };
        _connection.ServerError += (_, error) =>
        {
            if (error.Error.Contains("Permissions Violation", StringComparison.OrdinalIgnoreCase))
                _denied = error.Error;
            return ValueTask.CompletedTask;
        };
        _jetStream = new NatsJSContext(_connection);
    }

    public QueueTraffic Traffic { get; } = new();

    public async ValueTask<QueueUrls> OpenAsync(string name, CancellationToken cancellationToken)
    {
        await ConnectAsync();
        var urls = new QueueUrls(name, UrlOf(name), UrlOf($"{name}-dead"), UrlOf($"{name}-parked"));
        foreach (var url in urls.All)
            await OpenAsync(StreamOf(url), cancellationToken);
        return urls;
    }

    public async ValueTask DeleteAsync(QueueUrls urls, CancellationToken cancellationToken)
    {
        foreach (var stream in urls.All.Select(StreamOf))
        {
            try
            {
                await ApiAsync(
                    "STREAM.DELETE", stream, token => _jetStream.DeleteStreamAsync(stream.Name, token), cancellationToken);
            }
            catch (QueueException missing) when (missing.Code == NatsFaults.NoStream)
            {
                // It is what was asked for.
            }
        }
    }

    public async ValueTask<long> CountAsync(string queueUrl, CancellationToken cancellationToken) =>
        (await FindAsync(StreamOf(queueUrl), cancellationToken)).Info.State.Messages;

    public async ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(entries);
        var stream = StreamOf(queueUrl);
        var now = _time.GetUtcNow();
        var sent = await Task.WhenAll(entries.Select(entry => AddAsync(
            stream.Subject(entry.Delay > TimeSpan.Zero ? now + entry.Delay : null), entry.Body, cancellationToken)));
        if (sent.All(one => one.Refused is not null))
            throw (Array.Find(sent, one => one.Refused!.MayHaveArrived).Refused ?? sent[0].Refused)!;
        return [.. sent.Select(one => one.Result)];
    }

    public async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping)
    {
        ArgumentNullException.ThrowIfNull(request);
        stopping.ThrowIfCancellationRequested();
        var stream = StreamOf(queueUrl);
        var since = _time.GetTimestamp();
        try
        {
            if (request.Visibility is { } visibility && visibility != stream.Visibility)
                stream.Visibility = (await CreateConsumerAsync(stream, visibility)).Info.Config.AckWait;
            while (true)
            {
                var left = request.WaitTime - _time.GetElapsedTime(since);
                var (received, early) = await PullAsync(stream, request.MaxMessages, left > TimeSpan.Zero ? left : TimeSpan.Zero);
                if (received.Count == 0 && early && left > TimeSpan.Zero && !stopping.IsCancellationRequested)
                    continue;
                Traffic.CountReceive(received.Count, corrupted: 0);
                return received;
            }
        }
        catch (QueueException gone) when (gone.Code == NatsFaults.NoStream)
        {
            // A server that lost its data: made again, the queue is as one that was never used.
            await OpenAsync(stream, CancellationToken.None);
            throw;
        }
    }

    public async ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken)
    {
        await AnswerAsync(QueueCall.Settle, "+ACK", receiptHandles.Select(handle => (handle, "+ACK")), cancellationToken);
        return new EntryResult[receiptHandles.Count];
    }

    public async ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(entries);
        // Progress hides for AckWait, and costs the server less.
        var visibility = StreamOf(queueUrl).Visibility;
        var answers = entries.Select(entry => (
            entry.ReceiptHandle, entry.Visibility == visibility ? "+WPI" : NatsStream.Later(entry.Visibility)));
        await AnswerAsync(QueueCall.Hold, "+WPI and -NAK", answers, cancellationToken);
        return new EntryResult[entries.Count];
    }

    public async ValueTask DisposeAsync()
    {
        await _connection.DisposeAsync();
        _cut.Dispose();
    }

    private static NatsOpts Settings(NatsOptions options) => new()
    {
        Url = options.Url.GetLeftPart(UriPartial.Authority),
        Name = "pubsub-over-ws",
        AuthOpts = string.IsNullOrEmpty(options.Password) ? NatsAuthOpts.Default
            : string.IsNullOrEmpty(options.User) ? new NatsAuthOpts { Token = options.Password }
            : new NatsAuthOpts { Username = options.User, Password = options.Password },
        TlsOpts = options.Url.Scheme == "tls" ? new NatsTlsOpts { Mode = TlsMode.Require } : NatsTlsOpts.Default,
        ConnectTimeout = options.RequestTimeout,
        CommandTimeout = options.RequestTimeout,
        RequestTimeout = options.RequestTimeout,
        RequestReplyMode = NatsRequestReplyMode.Direct,
        ReconnectWaitMin = TimeSpan.FromMilliseconds(250),
        ReconnectWaitMax = TimeSpan.FromSeconds(1),
        // A server whose users are being changed refuses for a while.
        IgnoreAuthErrorAbort = true,
    };

    private async Task ConnectAsync()
    {
        try
        {
            await _connection.ConnectAsync();
        }
        catch (Exception failure) when (NatsFaults.IsOfNats(failure))
        {
            throw _faults.Of("the connection", failure);
        }
        var server = _connection.ServerInfo!;
        if (!server.JetStreamAvailable)
            throw _faults.Unfit("has no JetStream: turn it on (nats-server -js)");
        if (server.MaxPayload < QueueLimits.MaxMessageBytes)
            throw _faults.Unfit($"takes {server.MaxPayload} bytes: set max_payload to {QueueLimits.MaxMessageBytes} or more");
    }

    private async Task OpenAsync(NatsStream stream, CancellationToken cancellationToken)
    {
        try
        {
            Check((await FindAsync(stream, cancellationToken)).Info.Config);
        }
        catch (QueueException missing) when (missing.Code == NatsFaults.NoStream)
        {
            await ApiAsync(
                "STREAM.CREATE", stream, token => _jetStream.CreateStreamAsync(stream.Config(3 * _options.RequestTimeout), token),
                cancellationToken);
        }
        try
        {
            stream.Visibility = (await ApiAsync(
                "CONSUMER.INFO", stream, token => _jetStream.GetConsumerAsync(stream.Name, NatsStream.Consumer, token), cancellationToken))
                .Info.Config.AckWait;
        }
        catch (QueueException missing) when (missing.Code == NatsFaults.NoStream)
        {
            await CreateConsumerAsync(stream, stream.Visibility);
        }
        // What this user is not allowed to do ends the start, and not the first call that needs it: each of these does nothing.
        foreach (var subject in new[] { stream.Name, stream.Subject(DateTimeOffset.UnixEpoch) })
        {
            var elsewhere = new NatsJSPubOpts { ExpectedStream = "-" };
            await CallAsync(
                QueueCall.Other, $"a message to {subject}", subject,
                async token => await _jetStream.PublishAsync(subject, Nothing, opts: elsewhere, cancellationToken: token),
                cancellationToken);
        }
        foreach (var (subject, what) in new[] { (stream.Next, "{"), (stream.NoMessage, "+WPI") })
            await CallAsync(QueueCall.Other, subject, subject, token => AskAsync(subject, what, token), cancellationToken);
    }

    private void Check(StreamConfig config)
    {
        if (config.Retention != StreamConfigRetention.Workqueue)
            throw _faults.Unfit($"has a stream {config.Name} that is no work queue: name another queue");
        if (config.MaxAge > TimeSpan.Zero || (config.Discard == StreamConfigDiscard.Old && (config.MaxBytes > 0 || config.MaxMsgs > 0)))
            throw _faults.Unfit($"has a stream {config.Name} that deletes what it took: set no max_age, and discard to new");
    }

    private Task<INatsJSStream> FindAsync(NatsStream stream, CancellationToken cancellationToken) => ApiAsync(
        "STREAM.INFO", stream, token => _jetStream.GetStreamAsync(stream.Name, cancellationToken: token), cancellationToken);

    private Task<INatsJSConsumer> CreateConsumerAsync(NatsStream stream, TimeSpan visibility) => ApiAsync(
        "CONSUMER.CREATE", stream,
        token => _jetStream.CreateOrUpdateConsumerAsync(stream.Name, NatsStream.ConsumerConfig(visibility), token), CancellationToken.None);

    private async Task<(EntryResult Result, QueueException? Refused)> AddAsync(
        string subject, ReadOnlyMemory<byte> body, CancellationToken cancellationToken)
    {
        // By it the stream knows a message again that is repeated; one of 1 MiB has no room for it.
        var id = body.Length + HeaderBytes <= _connection.ServerInfo?.MaxPayload ? $"{Guid.NewGuid():N}" : null;
        var sent = await PublishAsync(subject, body, id, cancellationToken);
        if (id is null || sent.Refused is not { Code: NatsFaults.NotReached, MayHaveArrived: true })
            return sent;
        try
        {
            await _connection.ConnectAsync().AsTask().WaitAsync(_options.RequestTimeout, _time, cancellationToken);
        }
        catch (Exception failure) when (NatsFaults.IsOfNats(failure))
        {
            return sent;
        }
        Traffic.CountRetry();
        var again = await PublishAsync(subject, body, id, cancellationToken);
        return (again.Result, again.Refused?.AfterOneThatMayHaveArrived());
    }

    private async Task<(EntryResult Result, QueueException? Refused)> PublishAsync(
        string subject, ReadOnlyMemory<byte> body, string? id, CancellationToken cancellationToken)
    {
        try
        {
            var options = new NatsJSPubOpts { MsgId = id, RetryAttempts = 1 };
            var answer = await CallAsync(
                QueueCall.Send, "a message", subject,
                async token => await _jetStream.PublishAsync(subject, body, opts: options, cancellationToken: token), cancellationToken,
                body.Length);
            return answer.Error is { } error ? throw _faults.Refused("a message", error) : (new EntryResult(null, $"{answer.Seq}"), null);
        }
        catch (QueueException refused)
        {
            return (new EntryResult(new EntryFailure(refused.Code, refused.Message, SenderFault: !refused.IsRetryable)), refused);
        }
    }

    private Task<(List<ReceivedMessage> Received, bool Early)> PullAsync(NatsStream stream, int most, TimeSpan wait) => CallAsync(
        QueueCall.Receive, "CONSUMER.MSG.NEXT", stream.Next,
        async cut =>
        {
            using var patience = new CancellationTokenSource(wait + _options.RequestTimeout, _time);
            using var either = CancellationTokenSource.CreateLinkedTokenSource(cut, patience.Token);
            var received = new List<ReceivedMessage>(most);
            var early = new List<(string Receipt, string Later)>();
            // Not the client's own, which finds its reader by the subject of the message: here that is the stream's.
            var inbox = $"_INBOX.{Guid.NewGuid():N}";
            await using var answers = await _connection.SubscribeCoreAsync<byte[]>(inbox, cancellationToken: either.Token);
            try
            {
                await _connection.PublishAsync(stream.Next, NatsStream.Pull(most, wait), replyTo: inbox, cancellationToken: either.Token);
                while (received.Count + early.Count < most)
                {
                    var message = await answers.Msgs.ReadAsync(either.Token);
                    var code = message.Headers?.Code ?? 0;
                    if (code is 404 or 408)
                        break;
                    if (code == 503)
                        throw new NatsNoRespondersException();
                    if (code != 0)
                        throw _faults.Refused(
                            "a receive", new ApiError { Code = 500, ErrCode = code, Description = message.Headers!.MessageText });
                    var due = NatsStream.DueOf(message.Subject);
                    if (due - _time.GetUtcNow() is { } left && left > TimeSpan.Zero)
                        early.Add((message.ReplyTo!, NatsStream.Later(left + Early)));
                    else
                        received.Add(NatsStream.Read(message.ReplyTo!, message.Data ?? Nothing, due is null ? 0 : 1));
                }
                await Task.WhenAll(early.Select(one => AskAsync(one.Receipt, one.Later, either.Token)));
            }
            catch (Exception failure) when (
                received.Count > 0 && (failure is QueueException or OperationCanceledException || NatsFaults.IsOfNats(failure)))
            {
                // They would be hidden until their visibility runs out.
            }
            Traffic.CountAnswer(received.Sum(message => message.Body.Length));
            return (received, early.Count > 0);
        },
        CancellationToken.None);

    // Each is answered: of one that got lost the message would come again.
    private Task<NatsMsg<byte[]>[]> AnswerAsync(
        QueueCall kind, string what, IEnumerable<(string Receipt, string Text)> all, CancellationToken cancellationToken) => CallAsync(
        kind, what, "$JS.ACK", token => Task.WhenAll(all.Select(one => AskAsync(one.Receipt, one.Text, token))), cancellationToken);

    private Task<T> ApiAsync<T>(
        string api, NatsStream stream, Func<CancellationToken, ValueTask<T>> call, CancellationToken cancellationToken) => CallAsync(
        QueueCall.Other, api, $"{api}.{stream.Name}", async token => await call(token), cancellationToken);

    private Task<NatsMsg<byte[]>> AskAsync(string subject, string what, CancellationToken cancellationToken) =>
        _connection.RequestAsync<string, byte[]>(
            subject, what, replyOpts: new NatsSubOpts { Timeout = _options.RequestTimeout }, cancellationToken: cancellationToken).AsTask();

    private async Task<T> CallAsync<T>(
        QueueCall kind, string what, string subject, Func<CancellationToken, Task<T>> call, CancellationToken cancellationToken,
        long bytes = 0)
    {
        Traffic.CountCall(kind, bytes);
        var cut = _cut;
        if (_connection.ConnectionState != NatsConnectionState.Open)
            throw _faults.Unreachable(null, mayHaveArrived: false);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(cut.Token, cancellationToken);
        try
        {
            return await call(either.Token);
        }
        catch (Exception failure) when (
            NatsFaults.IsOfNats(failure) || (failure is OperationCanceledException && !cancellationToken.IsCancellationRequested))
        {
            var fault = cut.IsCancellationRequested ? _faults.Unreachable(failure, mayHaveArrived: true) : _faults.Of(what, failure);
            // A server does not answer what a user must not do; it says so apart from that.
            var isDenied = new[] { subject, "for Subscription" }.Any(one => _denied.Contains(one, StringComparison.OrdinalIgnoreCase));
            throw isDenied && fault.Code == NatsFaults.TimedOut ? _faults.Denied(what) : fault;
        }
    }

    private string UrlOf(string name) => $"{_options.Url.GetLeftPart(UriPartial.Authority)}/{name}";

    private NatsStream StreamOf(string url) => _streams.GetOrAdd(url, one => new NatsStream(one[(one.LastIndexOf('/') + 1)..]));
}
