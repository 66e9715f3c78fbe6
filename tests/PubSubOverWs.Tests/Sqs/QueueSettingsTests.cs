using System.Globalization;
using System.Text.Json;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public sealed class QueueSettingsTests : IDisposable
{
    private readonly TestClient _client = new(SqsClientKind.Http);

    [Fact]
    public async Task FIFO_attributes_are_sent_as_SQS_writes_them()
    {
        var attributes = await CreateAsync(new QueueSettings { FifoQueue = true, ContentBasedDeduplication = false });

        Assert.Equal("""{"FifoQueue":"true","ContentBasedDeduplication":"false"}""", attributes);
    }

    [Fact]
    public async Task A_standard_queue_is_created_without_FIFO_attributes() =>
        Assert.Equal("{}", await CreateAsync(new QueueSettings { FifoQueue = false }));

    [Theory]
    [InlineData("", null, null)]
    [InlineData(""","FifoQueue":"true","ContentBasedDeduplication":"false" """, true, false)]
    [InlineData(""","FifoQueue":"true","ContentBasedDeduplication":"true" """, true, true)]
    public async Task FIFO_attributes_are_read_as_SQS_writes_them(string attributes, bool? fifo, bool? byContent)
    {
        _client.Server.Answers("""{"Attributes":{"QueueArn":"arn" """ + attributes + "}}");

        var settings = (await _client.Sqs.GetQueueAttributesAsync(TestClient.QueueUrl, CancellationToken.None)).Settings;

        Assert.Equal((fifo, byContent), (settings.FifoQueue, settings.ContentBasedDeduplication));
    }

    [Theory]
    [InlineData("", null)]
    [InlineData(""","CreatedTimestamp":"1767323045" """, "2026-01-02T03:04:05+00:00")]
    public async Task The_age_of_a_queue_is_known_if_the_server_reports_it(string attributes, string? created)
    {
        _client.Server.Answers("""{"Attributes":{"QueueArn":"arn" """ + attributes + "}}");

        var queue = await _client.Sqs.GetQueueAttributesAsync(TestClient.QueueUrl, CancellationToken.None);

        Assert.Equal(created is null ? null : DateTimeOffset.Parse(created, CultureInfo.InvariantCulture), queue.CreatedAt);
    }

    public void Dispose() => _client.Dispose();

    /// <summary>The attributes of the request.</summary>
    private async Task<string> CreateAsync(QueueSettings settings)
    {
        _client.Server.Answers("""{"QueueUrl":"u"}""");
        await _client.Sqs.CreateQueueAsync("jobs", settings, CancellationToken.None);
        return JsonDocument.Parse(_client.Server.Seen[0].Body).RootElement.GetProperty("Attributes").GetRawText();
    }
}
