using System.Diagnostics;
using System.Runtime.Versioning;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Queues;
using PubSubOverWs.Record.Files;

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
                    var taken = await sqs.ReceiveAsync(
                        url, new ReceiveRequest { MaxMessages = 10, WaitTime = TimeSpan.FromSeconds(5) }, done.Token);
                    if (taken.Count > 0)
                        await sqs.SettleAsync(url, [.. taken.Select(one => one.ReceiptHandle)], done.Token);
                }
            }
            catch (Exception over) when (over is OperationCanceledException or QueueException)
            {
                // The run has deleted it.
            }
        }
    }

    [FactNeeds(Needed.Linux)]
    [Trait("Category", "Long")]
    public async Task A_limit_of_descriptors_that_was_lowered_since_the_run_began_is_why_users_are_missing()
    {
        await LoadTestProcess.RunAsync(Folder.Path, "run", "smoke", "--users", "20", "--iterations", "2", "--out", "record");
        var record = RecordReader.Read(Folder.Record);
        await using var server = await TestServers.DirectAsync();
        // The runtime ends a process that has none left: this one has open less than half of them.
        using var lowered = Process.Start("prlimit", ["--pid", $"{server.ProcessId}", "--nofile=270:270"]);
        await lowered.WaitForExitAsync();
        using var servers = new ServerGroup([new GroupMember("direct", null!, Stats: null, server)]);

        var row = record.Rows[0] with { Connections = record.Rows[0].Users - 1 };
        Assert.Equal(
            "The direct server may open 270 files and needs 276 for 20 users.",
            // Of what was measured nothing is asked for.
            VoidRule.Because(record.Run.Scenario, servers, row, null!));
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
