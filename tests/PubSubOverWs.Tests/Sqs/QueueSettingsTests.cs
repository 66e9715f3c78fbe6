using System.Globalization;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public sealed class QueueSettingsTests : IDisposable
{
    private readonly TestClient _client = new(SqsClientKind.Http);

    [Theory]
    [InlineData("", null)]
    [InlineData(""","CreatedTimestamp":"1767323045" """, "2026-01-02T03:04:05+00:00")]
    [InlineData(""","CreatedTimestamp":"1767323045.72" """, "2026-01-02T03:04:05+00:00")]
    public async Task The_age_of_a_queue_is_known_if_the_server_reports_it(string attributes, string? created)
    {
        _client.Server.Answers("""{"Attributes":{"QueueArn":"arn" """ + attributes + "}}");

        var queue = await _client.Sqs.GetQueueAttributesAsync(TestClient.QueueUrl, CancellationToken.None);

        Assert.Equal(created is null ? null : DateTimeOffset.Parse(created, CultureInfo.InvariantCulture), queue.CreatedAt);
    }

    public void Dispose() => _client.Dispose();
}
