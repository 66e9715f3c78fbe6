using System.Text;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// A server over LocalSqs that holds nothing and parks everything, and what its subscribers get when a round goes wrong: its count of what
/// is parked is a hint, and the queue's own decides.
/// </summary>
public sealed class ParkedPollerTests : IAsyncLifetime
{
    private const string A = "/queue/a";

    // In which a server that knows of a message has long delivered it.
    private static readonly TimeSpan Longest = TimeSpan.FromHours(1);

    private readonly LocalSqsHost _queues = new();
    private readonly FakeSubscribers _subscribers = new();
    private readonly CancellationTokenSource _stopping = new();
    private LossyHandler _way = null!;
    private ISqs _sqs = null!;
    private QueueServer _server = null!;
    private Task _running = Task.CompletedTask;
    private int _answered;

    public Task InitializeAsync() => _queues.InitializeAsync();

    public async Task DisposeAsync()
    {
        await _stopping.CancelAsync();
        await _running.WhileAsync(() => _queues.Time.Advance(TimeSpan.FromMilliseconds(100)));
        _server.Dispose();
        ((IDisposable)_sqs).Dispose();
        _stopping.Dispose();
        await _queues.DisposeAsync();
    }

    [Theory]
    [InlineData(nameof(SqsClientKind.Http), 1)]
    [InlineData(nameof(SqsClientKind.Http), 3)]
    [InlineData(nameof(SqsClientKind.AwsSdk), 1)]
    [InlineData(nameof(SqsClientKind.AwsSdk), 3)]
    public async Task Messages_of_a_receive_whose_answer_was_lost_come_when_the_queue_hides_them_no_more(string client, int maxAttempts)
    {
        await StartAsync(client, maxAttempts);
        await ParkAsync(5);
        _way.Lost = 1;
        Subscribe(A);
        await PassUntilAsync(() => TookIds().Length == 5);
    }

    [Theory]
    [InlineData(nameof(SqsClientKind.Http))]
    [InlineData(nameof(SqsClientKind.AwsSdk))]
    public async Task Messages_whose_bodies_did_not_match_their_MD5_come_when_they_are_received_again(string client)
    {
        await StartAsync(client);
        await ParkAsync(5);
        _way.Corrupted = 1;
        Subscribe(A);
        await PassUntilAsync(() => TookIds().Length == 5);
    }

    [Fact]
    public async Task Messages_behind_500_that_a_clock_ahead_of_this_one_stamped_are_reached()
    {
        await StartAsync();
        var ahead = (long)(_queues.Time.GetUtcNow() - DateTimeOffset.UnixEpoch).TotalMicroseconds + 3_600_000_000;
        for (var i = 0; i < 505; i += 5)
        {
            // As servers wrote them that stamped what they parked.
            await _queues.Sqs.SendAsync(
                _server.Urls.ParkedUrl,
                [.. Enumerable.Range(i, 5).Select(each => new SendEntry(Encoding.UTF8.GetBytes(
                    $$"""
                    {"version":1,"parked":{{ahead + each}},"messages":[
                    {"id":"{{each}}","destination":"{{(each < 500 ? "/queue/away" : A)}}","body":"x"}]}
                    """)))],
                CancellationToken.None);
        }
        Subscribe(A);
        await PassUntilAsync(() => TookIds().Length == 5);
    }

    [Fact]
    public async Task Messages_that_come_to_the_parked_queue_uncounted_are_found_by_its_own_count()
    {
        await StartAsync();
        await ParkAsync(1);
        Subscribe(A);
        // Until nothing more can be hidden, and it is sure that nothing is parked.
        await PassUntilAsync(() => TookIds().Length == 1);
        await PassAsync(TimeSpan.FromMinutes(2));

        await _queues.Sqs.SendAsync(
            _server.Urls.ParkedUrl, [new SendEntry(Sample.Envelope(Sample.Message("uncounted")))], CancellationToken.None);
        await PassUntilAsync(() => TookIds().Contains("uncounted"));
    }

    [Fact]
    public async Task A_dead_letter_that_was_refused_is_tried_again_although_it_was_parked()
    {
        // It takes less than the message has.
        await _queues.Sqs.CreateQueueAsync("q-dead", new QueueSettings { MaximumMessageSize = 1_024 }, CancellationToken.None);
        await StartAsync();
        await _server.Publisher.PublishAsync([Sample.Message("poison", body: new string('x', 2_000))]);
        await ParkedAsync(1);
        Subscribe(A);
        await PassUntilAsync(() => TookIds().Length == 1);
        _subscribers.Took[0].OnGivenBack(GiveBackReason.Nack);
        await PassUntilAsync(() => _server.Stats.DeadLettersRefused == 1);
        await PassUntilAsync(() => _server.Stats.DeadLettersRefused == 2, step: 5);
        Assert.Single(TookIds());
    }

    private async Task StartAsync(string client = nameof(SqsClientKind.Http), int maxAttempts = 3)
    {
        _way = new LossyHandler(_queues);
        var way = new SqsOptions
        {
            Client = Enum.Parse<SqsClientKind>(client),
            Endpoint = "http://localhost",
            Region = "us-east-1",
            AccessKey = "test",
            SecretKey = "test",
            MaxAttempts = maxAttempts,
            RequestTimeout = TimeSpan.FromMinutes(5),
        };
        _sqs = SqsClient.Create(way, _queues.Time, _way);
        var options = new QueueBrokerOptions
        {
            Name = "q",
            WaitTime = TimeSpan.FromSeconds(20),
            PollLoops = 1,
            HeldMessages = 0,
            MaxDeliveries = 1,
            Settle = { Linger = TimeSpan.Zero },
        };
        _server = await SingleServer.OpenAsync(
            Sample.Server(_queues.Time, options, sqs: _sqs), _subscribers.Deliver, CancellationToken.None);
        _way.QueueUrl = _server.Urls.ParkedUrl;
        _running = _server.RunAsync(_stopping.Token, _stopping.Token);
    }

    private async Task ParkAsync(int count)
    {
        for (var i = 0; i < count; i++)
            await _server.Publisher.PublishAsync([Sample.Message($"m{i}")]);
        await ParkedAsync(count);
    }

    private async Task ParkedAsync(int count)
    {
        await _queues.UntilAsync(_server.Urls.ParkedUrl, parked => parked.Visible == count);
        await _queues.UntilAsync(_server.Urls.Url, queue => queue.IsEmpty);
    }

    private void Subscribe(string destination)
    {
        _subscribers.Subscribe(destination);
        _server.RoomAt(destination);
    }

    private string[] TookIds() => [.. _subscribers.TookIds.Distinct()];

    private Task PassAsync(TimeSpan time)
    {
        var until = _queues.Time.GetUtcNow() + time;
        return PassUntilAsync(() => _queues.Time.GetUtcNow() >= until);
    }

    // Time passes while the server only waits, or it would come too late for everything: each look queues behind what the server has to do.
    private async Task PassUntilAsync(Func<bool> isSo, int step = 1)
    {
        var (until, quiet) = (_queues.Time.GetUtcNow() + Longest, 0);
        await Waiting.UntilAsync(LookAsync, "the server did it", between: () =>
        {
            quiet = _way.Others == 0 && _way.Answers == _answered ? quiet + 1 : 0;
            _answered = _way.Answers;
            if (quiet < 500)
                return;
            quiet = 0;
            _queues.Time.Advance(TimeSpan.FromSeconds(step));
            Assert.True(_queues.Time.GetUtcNow() < until, $"It is not so after {Longest}.");
        });

        async Task<bool> LookAsync()
        {
            await Task.Run(static () => { });
            return isSo();
        }
    }
}
