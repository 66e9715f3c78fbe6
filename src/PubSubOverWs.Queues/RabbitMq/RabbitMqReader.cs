using System.Globalization;
using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace PubSubOverWs.Queues;

/// <summary>
/// One queue, read over one channel. RabbitMQ pushes to consumers, each of which has room for a fixed number of unacknowledged messages:
/// while receives wait consumers are added until there is room, and without receives there are none, so that nothing waits here that
/// another could have. What was received stays unacknowledged until it is settled, or its time is over and it goes back.
/// </summary>
internal sealed class RabbitMqReader : AsyncDefaultBasicConsumer, IAsyncDisposable
{
    /// <summary>Milliseconds since 1970, in the headers of a message for later.</summary>
    public const string DueHeader = "due";

    private const string CountHeader = "x-delivery-count";

    // Messages that came too early: with more, consumers are not added.
    private const int MaxEarly = 100_000;

    // Without a receive for that long, the consumers end.
    private static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(250);

    // How often it looks for messages whose time is over.
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(50);

    // A poll that does not wait would end before the first message could come.
    private static readonly TimeSpan ShortestWait = TimeSpan.FromMilliseconds(100);

    private static long _last;

    private readonly string _queue;
    private readonly TimeProvider _time;
    private readonly long _began;
    private readonly string _prefix = string.Create(CultureInfo.InvariantCulture, $"{Interlocked.Increment(ref _last)}-");
    private readonly Lock _lock = new();
    private readonly SemaphoreSlim _consuming = new(1, 1);
    private readonly PeriodicTimer _looks;
    private readonly Task _looking;

    // By delivery tag, which is of the channel: all that is unacknowledged.
    private readonly Dictionary<ulong, Held> _held = [];
    private readonly Queue<Held> _arrived = new();
    private readonly RabbitMqRoom _room = new();
    private readonly Dictionary<string, int> _early = [];
    private TaskCompletionSource _news = NewNews();
    private TimeSpan _nextLook = TimeSpan.MaxValue;
    private TimeSpan _idleSince;
    private int _receives;
    private int _waitingForDue;

    private RabbitMqReader(IChannel channel, string queue, TimeProvider time)
        : base(channel)
    {
        _queue = queue;
        _time = time;
        _began = time.GetTimestamp();
        _looks = new PeriodicTimer(BetweenLooks, time);
        channel.ChannelShutdownAsync += (_, _) =>
        {
            lock (_lock)
                Tell();
            return Task.CompletedTask;
        };
        // What comes for a consumer that has just ended.
        channel.DefaultConsumer = this;
        _looking = LookAsync();
    }

    /// <summary>It goes on for as long as its channel is open.</summary>
    public bool IsOpen => Channel.IsOpen;

    /// <summary>How many messages are unacknowledged here.</summary>
    public int CountHeld()
    {
        lock (_lock)
            return Channel.IsOpen ? _held.Count : 0;
    }

    private TimeSpan Now => _time.GetElapsedTime(_began);

    public static async Task<RabbitMqReader> OpenAsync(IChannel channel, string queue, TimeProvider time)
    {
        await channel.BasicQosAsync(0, RabbitMqRoom.OfOne, global: false);
        return new RabbitMqReader(channel, queue, time);
    }

    public async Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        int most, TimeSpan wait, TimeSpan visibility, CancellationToken stopping)
    {
        lock (_lock)
            _receives++;
        try
        {
            var since = _time.GetTimestamp();
            wait = wait > ShortestWait ? wait : ShortestWait;
            while (true)
            {
                await MakeRoomAsync();
                Task news;
                lock (_lock)
                {
                    if (!Channel.IsOpen)
                        throw new AlreadyClosedException(Channel.CloseReason!);
                    if (Take(most, visibility) is { Count: > 0 } messages)
                        return messages;
                    news = _news.Task;
                }
                var left = wait - _time.GetElapsedTime(since);
                if (left <= TimeSpan.Zero || stopping.IsCancellationRequested)
                    return [];
                // Neither the end of the wait nor of the server is a failure.
                await news.WaitAsync(left, _time, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
        finally
        {
            lock (_lock)
            {
                if (--_receives == 0)
                    _idleSince = Now;
            }
        }
    }

    /// <returns>One result per handle, in order.</returns>
    public async Task<EntryResult[]> SettleAsync(IReadOnlyList<string> handles)
    {
        var results = new EntryResult[handles.Count];
        for (var i = 0; i < handles.Count; i++)
        {
            if (TagOf(handles[i]) is not { } tag)
                results[i] = Stale();
            else if (Drop(tag))
                await Channel.BasicAckAsync(tag, multiple: false);
        }
        await AnswerAsync();
        return results;
    }

    /// <returns>One result per entry, in order.</returns>
    public async Task<EntryResult[]> HoldAsync(IReadOnlyList<HoldEntry> entries)
    {
        var results = new EntryResult[entries.Count];
        // What is given back would come to the consumers here, of which nobody receives.
        if (entries.Any(entry => entry.Visibility == TimeSpan.Zero))
            await EndConsumersAsync();
        for (var i = 0; i < entries.Count; i++)
        {
            var tag = TagOf(entries[i].ReceiptHandle);
            if (tag is null || !HideFor(tag.Value, entries[i].Visibility))
                results[i] = Stale();
            else if (entries[i].Visibility == TimeSpan.Zero && Drop(tag.Value))
                await Channel.BasicNackAsync(tag.Value, multiple: false, requeue: true);
        }
        await AnswerAsync();
        return results;
    }

    public override Task HandleBasicDeliverAsync(
        string consumerTag, ulong deliveryTag, bool redelivered, string exchange, string routingKey, IReadOnlyBasicProperties properties,
        ReadOnlyMemory<byte> body, CancellationToken cancellationToken = default)
    {
        var id = properties.MessageId ?? "";
        var due = properties.Headers?.TryGetValue(DueHeader, out var at) == true && at is long milliseconds
            ? DateTimeOffset.FromUnixTimeMilliseconds(milliseconds) - _time.GetUtcNow()
            : TimeSpan.Zero;
        var count = 1 + (properties.Headers?.TryGetValue(CountHeader, out var before) == true
            ? Convert.ToInt32(before, CultureInfo.InvariantCulture)
            : 0);
        lock (_lock)
        {
            _room.Change(consumerTag, -1);
            var held = new Held(deliveryTag, consumerTag);
            _held[deliveryTag] = held;
            if (due > TimeSpan.Zero)
            {
                // It was not received, and does not count as that.
                _early[id] = _early.GetValueOrDefault(id) + 1;
                held.IsEarly = true;
                _waitingForDue++;
                ComesBack(held, due);
            }
            else
            {
                _early.Remove(id, out var early);
                // The memory is the client's.
                held.Message = new ReceivedMessage(
                    id, string.Create(CultureInfo.InvariantCulture, $"{_prefix}{deliveryTag}"), body.ToArray(), count - early);
                _arrived.Enqueue(held);
            }
            Tell();
        }
        return Task.CompletedTask;
    }

    // RabbitMQ ends a consumer when its queue is gone.
    public override Task HandleBasicCancelAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        lock (_lock)
        {
            _room.Forget(consumerTag);
            Tell();
        }
        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        _looks.Dispose();
        await _looking;
        _consuming.Dispose();
    }

    private static TaskCompletionSource NewNews() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static EntryResult Stale() =>
        new(new EntryFailure("Stale", "The message was given back, or its connection ended: it comes again.", SenderFault: true));

    // Null: of another channel, which gave back all that it had when it ended.
    private ulong? TagOf(string handle) =>
        handle.StartsWith(_prefix, StringComparison.Ordinal)
            && ulong.TryParse(handle.AsSpan(_prefix.Length), NumberStyles.None, CultureInfo.InvariantCulture, out var tag)
            ? tag
            : null;

    // RabbitMQ answers neither an acknowledgement nor its opposite. It does what a channel asks in order, so that it has them when it
    // answers this.
    private Task AnswerAsync() => Channel.BasicQosAsync(0, RabbitMqRoom.OfOne, global: false);

    private void Tell() => Interlocked.Exchange(ref _news, NewNews()).TrySetResult();

    private List<ReceivedMessage> Take(int most, TimeSpan visibility)
    {
        var messages = new List<ReceivedMessage>(Math.Min(most, _arrived.Count));
        while (messages.Count < most && _arrived.TryDequeue(out var held))
        {
            messages.Add(held.Message!);
            held.Message = null;
            ComesBack(held, visibility);
        }
        return messages;
    }

    private void ComesBack(Held held, TimeSpan after)
    {
        held.ComesBackAt = Now + after;
        _nextLook = held.ComesBackAt < _nextLook ? held.ComesBackAt : _nextLook;
    }

    private bool HideFor(ulong tag, TimeSpan visibility)
    {
        lock (_lock)
        {
            if (!_held.TryGetValue(tag, out var held))
                return false;
            ComesBack(held, visibility);
            return true;
        }
    }

    private bool Drop(ulong tag)
    {
        lock (_lock)
        {
            if (!_held.Remove(tag, out var held))
                return false;
            _waitingForDue -= held.IsEarly ? 1 : 0;
            _room.Change(held.Consumer, 1);
            return true;
        }
    }

    private async Task MakeRoomAsync()
    {
        lock (_lock)
        {
            if (_room.Suits(MayGrow))
                return;
        }
        await _consuming.WaitAsync();
        try
        {
            while (NextConsumer() is { } next)
            {
                if (next.Ends)
                    await Channel.BasicCancelAsync(next.Name);
                else
                    await Channel.BasicConsumeAsync(_queue, autoAck: false, next.Name, this);
            }
        }
        finally
        {
            _consuming.Release();
        }
    }

    private bool MayGrow => _waitingForDue < MaxEarly;

    private (string Name, bool Ends)? NextConsumer()
    {
        lock (_lock)
            return _room.Next(MayGrow);
    }

    // What has arrived goes back.
    private async Task EndConsumersAsync()
    {
        await _consuming.WaitAsync();
        try
        {
            IReadOnlyList<string> ended;
            lock (_lock)
            {
                if (_receives > 0)
                    return;
                ended = _room.Clear();
            }
            foreach (var consumer in ended)
                await Channel.BasicCancelAsync(consumer);
            List<Held> unwanted = [];
            lock (_lock)
            {
                while (_receives == 0 && _arrived.TryDequeue(out var held))
                    unwanted.Add(held);
            }
            await GiveBackAsync(unwanted);
        }
        finally
        {
            _consuming.Release();
        }
    }

    private async Task GiveBackAsync(IEnumerable<Held> messages)
    {
        foreach (var message in messages)
        {
            if (Drop(message.Tag))
                await Channel.BasicNackAsync(message.Tag, multiple: false, requeue: true);
        }
    }

    private async Task LookAsync()
    {
        while (await _looks.WaitForNextTickAsync() && Channel.IsOpen)
        {
            try
            {
                if (IsIdle())
                    await EndConsumersAsync();
                await GiveBackAsync(Overdue());
            }
            catch (Exception failure) when (RabbitMqFaults.IsOfRabbitMq(failure))
            {
                // The next call says so; if the channel ended, all that is here comes again anyway.
            }
        }
    }

    private bool IsIdle()
    {
        lock (_lock)
            return _receives == 0 && (_room.HasConsumers || _arrived.Count > 0) && Now - _idleSince >= Grace;
    }

    private List<Held> Overdue()
    {
        lock (_lock)
        {
            var now = Now;
            if (now < _nextLook)
                return [];
            var overdue = _held.Values.Where(held => held.ComesBackAt <= now).ToList();
            _nextLook = _held.Values.Where(held => held.ComesBackAt > now).Select(held => held.ComesBackAt)
                .DefaultIfEmpty(TimeSpan.MaxValue).Min();
            return overdue;
        }
    }

    private sealed class Held(ulong tag, string consumer)
    {
        public ulong Tag => tag;

        public string Consumer => consumer;

        /// <summary>Not yet, while it waits to be received.</summary>
        public TimeSpan ComesBackAt { get; set; } = TimeSpan.MaxValue;

        public bool IsEarly { get; set; }

        /// <summary>Null: it was received.</summary>
        public ReceivedMessage? Message { get; set; }
    }
}
