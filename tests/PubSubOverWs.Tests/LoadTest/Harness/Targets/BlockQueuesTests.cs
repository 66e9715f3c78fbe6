using System.Net;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

/// <summary>The queues of a block: their names, which those of the servers are compared with, and their end.</summary>
public sealed class BlockQueuesTests : IAsyncLifetime
{
    private const string Block = "pubsuboverws-260304050607abcd-1";
    private const string TenthBlock = Block + "0";

    private readonly LocalSqsHost _host = new();

    private static readonly DateTimeOffset Now = new(2026, 3, 4, 5, 6, 7, TimeSpan.Zero);

    public async Task InitializeAsync()
    {
        await _host.InitializeAsync();
        foreach (var (name, node) in new[] { (Block, "aaaaaa"), (Block, "bbbbbb"), (TenthBlock, "cccccc") })
            await NodeQueues.OpenAsync(_host.Sqs, _host.Sns, name, node, CancellationToken.None);
    }

    public Task DisposeAsync() => _host.DisposeAsync();

    [Fact]
    public async Task All_queues_and_topics_of_the_block_are_deleted_and_none_of_another()
    {
        using var queues = Queues((SnsOverHttp)_host.Sns);

        Assert.Null(await queues.DeleteAsync());

        var left = await NamesAsync();
        Assert.Contains(TenthBlock + "-node-cccccc", left);
        Assert.DoesNotContain(left, name => name == Block || name.StartsWith(Block + "-", StringComparison.Ordinal));
        Assert.Equal([TenthBlock], (await _host.Sns.ListTopicsAsync("", CancellationToken.None)).Select(NodeNames.In).Order());
    }

    [Fact]
    public async Task Topics_that_cannot_be_deleted_keep_the_queues_that_show_them()
    {
        using var topics = new SnsOverHttp(
            new SqsOptions { Endpoint = "http://localhost", AccessKey = "test", SecretKey = "test", MaxAttempts = 1 }, _host.Time,
            traffic: null, new Refusing());
        using var queues = Queues(topics);

        Assert.Contains("AuthorizationError", await queues.DeleteAsync());

        Assert.Contains(Block + "-node-aaaaaa", await NamesAsync());
        Assert.DoesNotContain(Block, await NamesAsync());
    }

    [Fact]
    public async Task A_block_that_ended_before_there_were_queues_has_nothing_to_delete()
    {
        using var queues = new BlockQueues("pubsuboverws-260304050607abcd-2", (SqsOverHttp)_host.Sqs, sns: null, _host.Time);

        Assert.Null(await queues.DeleteAsync());
    }

    [Fact]
    public async Task Names_are_those_that_a_node_makes()
    {
        var queues = await NodeQueues.OpenAsync(_host.Sqs, _host.Sns, "q", "abcdef", CancellationToken.None);

        Assert.StartsWith(NodeNames.Prefix("q"), queues.Own.Name, StringComparison.Ordinal);
        Assert.Equal(NodeNames.In(queues.Own.TopicArn), NodeNames.TopicOf(queues.Own.Name));
        Assert.Equal("q", NodeNames.In(queues.Own.TopicArn));
        Assert.Null(NodeNames.TopicOf(queues.Control.Name));
        Assert.Equal((queues.Own.Name, queues.Own.Name), (NodeNames.In(queues.Own.Url), NodeNames.In(queues.Own.Arn)));
    }

    [Theory]
    [InlineData("q")]
    [InlineData("q-dead")]
    [InlineData("q-control")]
    public void No_topic_feeds_a_queue_that_does_not_belong_to_a_node(string queue) => Assert.Null(NodeNames.TopicOf(queue));

    [Fact]
    public void A_token_is_sixteen_letters_and_digits_that_begin_with_the_time() =>
        Assert.Matches("^260304050607[0-9a-f]{4}$", RunToken.Draw(Now).Text);

    [Fact]
    public void Every_block_gets_a_queue_of_its_own_whose_name_sqs_allows()
    {
        var token = RunToken.Draw(Now);

        Assert.NotEqual(token.Queue(1), token.Queue(2));
        Assert.Matches("^[A-Za-z0-9_-]{1,75}$", token.Queue(10_000));
        Assert.True(RunToken.Named(token.Queue(1)) && RunToken.Named(token.Queue(1) + "-dead"));
    }

    [Theory]
    [InlineData("pubsub-over-ws")]
    [InlineData("pubsub-over-ws-dead")]
    [InlineData("pubsuboverws-")]
    [InlineData("pubsuboverws-production")]
    [InlineData("pubsuboverws-260304050607abcd")]
    [InlineData("mine-pubsuboverws-260304050607abcd-1")]
    public void A_name_that_no_run_gave_is_not_taken_for_one(string name) => Assert.False(RunToken.Named(name));

    private BlockQueues Queues(SnsOverHttp sns) => new(Block, (SqsOverHttp)_host.Sqs, sns, _host.Time);

    private async Task<IReadOnlyList<string>> NamesAsync() =>
        [.. (await _host.Sqs.ListQueuesAsync("", CancellationToken.None)).Select(NodeNames.In)];

    private sealed class Refusing : HttpMessageHandler
    {
        protected override Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
            Task.FromResult(new HttpResponseMessage(HttpStatusCode.Forbidden)
            {
                Content = new StringContent(
                    "<ErrorResponse><Error><Type>Sender</Type><Code>AuthorizationError</Code>"
                        + "<Message>no</Message></Error></ErrorResponse>"),
            });
    }
}
