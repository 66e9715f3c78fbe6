using PubSubOverWs.LoadTest.Experiments.Nodes;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.EndToEndTests.LoadTest;

[Collection(nameof(Machine))]
[Trait("Category", "Long")]
public sealed class NodesTests : IDisposable
{
    private const int Messages = 60;
    private const int Subscribers = 6;

    private readonly TestFolder _folder = new();

    [Fact]
    public async Task When_a_node_fails_no_queue_message_is_lost_and_subscribers_are_told_of_every_lost_topic_message()
    {
        var end = await LoadTestProcess.RunAsync(
            _folder.Path, "run", "nodes", "--quick", "--out", "record", "--set", "arms=undisturbed,sns-cut,sqs-answers-cut",
            "--set", "faultFor=4", "--set", $"messages={Messages}", "--set", $"topicSubscribers={Subscribers}", "--set", "queues=2");

        Assert.True(end.ExitCode == 0, end.Output + end.Error);
        var record = RecordReader.Read(_folder.Record);
        Assert.Equal(["sns-cut", "sqs-answers-cut", "undisturbed"], record.Rows.Select(row => row.Arm).Order(StringComparer.Ordinal));
        Assert.All(record.Rows, row =>
        {
            var (topic, queue) = (row.Only("topic").Buckets, row.Only("queue").Buckets);
            Assert.Equal((Messages * Subscribers, (long)Messages), (topic.Attempts, queue.Attempts));
            Assert.Equal((0L, (double?)topic.LostAcknowledged), (queue.LostAcknowledged, row.Measures[NodesScenario.TopicTold.Name]));
            Assert.Equal(row.Arm != NodeArms.Undisturbed, row.Measures[FaultAction.ReadyAgain.Name] is not null);
        });
        Assert.Contains("no message to a queue is lost", await File.ReadAllTextAsync(Path.Combine(_folder.Record, "report.md")),
            StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();
}
