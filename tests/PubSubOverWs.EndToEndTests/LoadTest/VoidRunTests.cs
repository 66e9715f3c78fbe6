using System.Diagnostics;
using System.Runtime.Versioning;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>Runs during which something outside the arms goes wrong: no loss is told, and the run can be resumed.</summary>
public sealed class VoidRunTests : VoidRun
{
    [FactNeeds(Needed.Linux)]
    public async Task A_queue_that_somebody_deletes_during_a_run_ends_it_with_the_queues_sentence_and_resume_completes_the_record()
    {
        using var sqs = TestServers.Client(Queue);
        var end = await RunAsync(async () =>
        {
            var urls = await sqs.ListQueuesAsync(RunToken.QueuePrefix, CancellationToken.None);
            await sqs.DeleteQueueAsync(urls.MinBy(url => url.Length)!, CancellationToken.None);
        });

        AssertVoid("with QueueDoesNotExist", end);
        var resumed = await LoadTestProcess.RunAsync(
            Folder.Path, "run", "--resume", "record", "--sqs-endpoint", Front.Address.ToString());
        Assert.True(Folder.RecordOf(resumed).Run.Complete);
        await Folder.ValidateAsync();
    }

    [FactNeeds(Needed.Linux)]
    public Task Rights_that_are_taken_away_during_a_run_end_it() => RefusedAsync("AccessDeniedException", "SendMessageBatch");

    // They wait until the drain gives up.
    [TheoryNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    [InlineData("AccessDeniedException", "ReceiveMessage")]
    [InlineData("ExpiredToken", "DeleteMessageBatch")]
    public Task Rights_of_which_users_are_not_told_that_they_are_taken_away_end_it_too(string code, string operation) =>
        RefusedAsync(code, operation);

    [FactNeeds(Needed.Linux)]
    public async Task A_queue_that_somebody_else_drains_during_a_run_ends_it()
    {
        using var sqs = TestServers.Client(Queue);
        using var done = new CancellationTokenSource();
        var draining = Task.CompletedTask;
        var end = await RunAsync(async () =>
        {
            var urls = await sqs.ListQueuesAsync(RunToken.QueuePrefix, CancellationToken.None);
            draining = Task.WhenAll(Enumerable.Range(0, 8).Select(_ => DrainAsync(urls.MinBy(url => url.Length)!)));
        });
        await done.CancelAsync();
        await draining;

        AssertVoid("another consumer takes them, it was purged, or it lost them", end);

        async Task DrainAsync(string url)
        {
            try
            {
                while (!done.IsCancellationRequested)
                {
                    var taken = await sqs.ReceiveMessagesAsync(
                        url, new ReceiveRequest { MaxMessages = 10, WaitTime = TimeSpan.FromSeconds(5) }, done.Token);
                    if (taken.Count > 0)
                        await sqs.DeleteMessageBatchAsync(url, [.. taken.Select(one => one.ReceiptHandle)], done.Token);
                }
            }
            catch (Exception over) when (over is OperationCanceledException or SqsException)
            {
                // The run has deleted it.
            }
        }
    }

    [FactNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    public async Task A_server_whose_descriptors_are_taken_away_during_a_run_ends_it()
    {
        var end = await RunAsync(async () =>
        {
            using var limit = Process.Start(
                "prlimit", ["--pid", $"{Folder.ProcessOf("direct")}", "--nofile=64:64"]);
            await limit.WaitForExitAsync();
        });

        AssertVoid("The direct server may open 64 files and needs ", end);
    }

    private async Task RefusedAsync(string code, string operation)
    {
        var end = await RunAsync(() =>
        {
            Front.Failure = new QueueFailure(403, code, "Not you.") { Operations = [operation] };
            return Task.CompletedTask;
        });

        AssertVoid($"refused {operation} with {code}", end);
    }
}

/// <summary>Runs of which a process stands still for some time.</summary>
public sealed class PausedRunTests : VoidRun
{
    [UnsupportedOSPlatform("windows")]
    [TheoryNeeds(Needed.Linux)]
    [InlineData("direct server")]
    [InlineData("load runner")]
    public async Task A_process_that_was_stopped_by_a_signal_during_a_run_ends_it(string name)
    {
        var end = await RunAsync(run => PauseAsync(name == "load runner" ? run : Folder.ProcessOf("direct")));

        AssertVoid($"A signal stopped the {name} for some time, in which it did nothing.", end);
    }
}
