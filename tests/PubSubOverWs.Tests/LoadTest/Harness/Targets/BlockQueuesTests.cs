using System.Net;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public sealed class BlockQueuesTests : IAsyncLifetime
{
    private const string Block = "pubsuboverws-260304050607abcd-1";
    private const string TenthBlock = Block + "0";

    private readonly LocalSqsHost _host = new();

    public async Task InitializeAsync()
    {
        await _host.InitializeAsync();
        foreach (var (name, node) in new[] { (Block, "aaaaaa"), (Block, "bbbbbb"), (TenthBlock, "cccccc") })
            await NodeQueues.OpenAsync(_host.Sqs, _host.Sns, name, node, CancellationToken.None);
    }

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

    public Task DisposeAsync() => _host.DisposeAsync();

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
