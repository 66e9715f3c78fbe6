using PubSubOverWs.EndToEndTests.Load;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>A run reports a queue that refuses it with the sentence that a server would use.</summary>
public sealed class QueueRefusalTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [LinuxFact]
    public async Task A_run_with_a_key_that_the_queue_does_not_know_is_refused_with_the_same_sentence()
    {
        await using var queue = await ChildServer.StartAsync(SqsPrograms.LocalSqs.Command(), new ChildOptions(), CancellationToken.None);

        using var program = LoadTestProcess.StartBehind(
            ["env", "AWS_ACCESS_KEY_ID=unknown", "AWS_SECRET_ACCESS_KEY=unknown"],
            _folder.Path, "run", "smoke", "--out", "record", "--sqs-endpoint", queue.Address.ToString());
        var run = await program.EndAsync();

        Assert.NotEqual(0, run.ExitCode);
        Assert.Contains(
            $"The queue at {queue.Address} refused GetQueueUrl with UnrecognizedClientException (The security token included in the "
                + "request is invalid): "
            + "check whether the access key is right.",
            run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_folder.Record));
    }

    public void Dispose() => _folder.Dispose();
}
