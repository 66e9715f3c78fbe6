using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A server whose queue goes wrong and comes back, with users before, during and after it.</summary>
public sealed class FailingQueueTests(ServerBehindFront set) : IClassFixture<ServerBehindFront>
{
    private static readonly string[] Before = [.. Enumerable.Range(0, 10).Select(number => $"before-{number}")];

    [Theory]
    [InlineData(
        403, "AccessDenied",
        "User: arn:aws:iam::000000000000:user/relay is not authorized to perform: sqs:sendmessage on resource: "
            + "arn:aws:sqs:us-east-1:000000000000:failing",
        "allow the credentials this operation on this queue", "SendMessageBatch")]
    [InlineData(
        403, "AccessDeniedException",
        "User: arn:aws:iam::000000000000:user/relay is not authorized to perform: sqs:receivemessage on resource: "
            + "arn:aws:sqs:us-east-1:000000000000:failing",
        "allow the credentials this operation on this queue", "ReceiveMessage")]
    [InlineData(400, "RequestThrottled", "Rate exceeded", "it throttles calls for now, so make fewer, or have its limit raised")]
    public async Task A_refusal_is_reported_in_one_sentence_and_acknowledged_messages_arrive(
        int status, string code, string said, string advice, params string[] operations)
    {
        var sentence = $"with {code} ({said}): {advice}.";

        await GoesWrongAndComesBackAsync(
            new QueueFailure(status, code, said + ".") { Operations = operations },
            reason =>
                reason.StartsWith($"The queue at {set.Front.Address} refused ", StringComparison.Ordinal)
                    && reason.EndsWith(sentence, StringComparison.Ordinal),
            sentence.TrimEnd('.'));
    }

    [Fact]
    public Task A_batch_with_failed_entries_is_reported_and_acknowledged_messages_arrive() => GoesWrongAndComesBackAsync(
        new QueueFailure(200, "InternalError", "Try again.") { Operations = ["SendMessageBatch"], InEntries = true },
        reason => reason.EndsWith(
            "/failing failed 1 of 1 entries of a Send batch with InternalError (Try again) until the retries were used up: the fault is "
                + "on its side, so check its state, or wait.",
            StringComparison.Ordinal),
        "the queue failing said InternalError: Try again");

    [Fact]
    public async Task An_unreachable_queue_is_reported_and_acknowledged_messages_arrive()
    {
        var sentence = $"The queue at {set.Front.Address} cannot be reached (ConnectionRefused): start it, or name another in Sqs:Endpoint";

        await GoesWrongAndComesBackAsync(
            "unreachable", set.Front.GoAwayAsync, set.Front.ComeAsync, reason => reason == sentence + ".", sentence);
    }

    [Fact]
    public async Task A_message_that_the_queue_refuses_is_an_error_for_its_publisher_only()
    {
        var url = await set.Sqs.GetQueueUrlAsync(ServerBehindFront.Name, CancellationToken.None);
        (await set.Raw.SetAttributesAsync(url, new { MaximumMessageSize = "1024" })).ShouldBeTaken();
        using var small = await StompUser.ConnectAsync(set.Server.Address);
        using var large = await StompUser.ConnectAsync(set.Server.Address);

        var taken = small.PublishAsync("/queue/sizes", "small");
        var error = await large.PublishAsync("/queue/sizes", "large", bytes: 2000);

        Assert.StartsWith(
            "Message large to /queue/sizes was not taken: the queue failing said InvalidParameterValue: ", error, StringComparison.Ordinal);
        Assert.EndsWith("; change it: the queue will not accept it as it is.", error, StringComparison.Ordinal);
        Assert.Null(await taken);
        Assert.Null(await small.PublishAsync("/queue/sizes", "another"));
        await set.ReadyAsync();
        (await set.Raw.SetAttributesAsync(url, new { MaximumMessageSize = $"{QueueLimits.MaxMessageBytes}" })).ShouldBeTaken();
    }

    [Fact]
    public async Task A_queue_deleted_under_way_is_not_created_again_by_the_server_and_works_once_it_is()
    {
        await using var localSqs = await TestServers.QueueAsync();
        await using var server = await ServerBehindFront.StartServerAsync(localSqs.Address, "deleted");
        using var sqs = TestServers.Client(localSqs.Address);
        // With its process its queues are gone, and unlike a deleted name theirs are free at once.
        await localSqs.KillAsync();
        await localSqs.RestartAsync(CancellationToken.None);

        var reason = await set.AskAsync(server, (_, reason) => reason.Contains("QueueDoesNotExist", StringComparison.Ordinal));
        Assert.EndsWith(": create it, or check whether the region is right.", reason, StringComparison.Ordinal);
        Assert.Empty(await sqs.ListQueuesAsync("", CancellationToken.None));
        await sqs.CreateQueueAsync("deleted", new QueueSettings(), CancellationToken.None);

        await set.AskAsync(server, (_, reason) => reason == "Healthy");
        using var user = await StompUser.ConnectAsync(server.Address);
        Assert.Null(await user.PublishAsync("/queue/deleted", "after"));
        await user.ReceiveAllAsync("/queue/deleted", ["after"]);
    }

    [Fact]
    public async Task A_full_queue_refuses_messages_until_some_are_delivered_and_acknowledged_messages_arrive()
    {
        await using var localSqs = await TestServers.QueueAsync("--LocalSqs:MaxBytes", $"{8 << 20}");
        await using var server = await ServerBehindFront.StartServerAsync(localSqs.Address, "full");
        using var reader = await StompUser.ConnectAsync(server.Address);
        using var writer = await StompUser.ConnectAsync(server.Address);
        var taken = new List<string>();
        string? error = null;
        // At most 8 MiB / 60 kB of them have room.
        for (var number = 0; error is null && number < 140; number++)
        {
            error = await writer.PublishAsync("/queue/full", $"{number}", bytes: 60_000);
            if (error is null)
                taken.Add($"{number}");
        }
        Assert.Contains("above its LocalSqs:MaxBytes of 8,388,608: receive and delete some, or raise it", error, StringComparison.Ordinal);
        await set.AskAsync(server, (_, reason) => reason.Contains("LocalSqs:MaxBytes", StringComparison.Ordinal));

        await reader.ReceiveAllAsync("/queue/full", taken);

        Assert.Null(await reader.PublishAsync("/queue/nobody", "after", bytes: 60_000));
        await set.AskAsync(server, (_, reason) => reason == "Healthy");
    }

    [Fact]
    public async Task A_server_that_starts_while_its_queue_is_away_ends_with_the_sentence()
    {
        await using var localSqs = await TestServers.QueueAsync();
        await localSqs.KillAsync();

        var failure = await Assert.ThrowsAsync<ChildException>(() => ServerBehindFront.StartServerAsync(localSqs.Address, "away"));

        Assert.Equal(10, failure.ExitCode);
        Assert.Contains(
            $"The queue at {localSqs.Address} cannot be reached (ConnectionRefused): start it, or name another in Sqs:Endpoint.",
            failure.Message, StringComparison.Ordinal);
    }

    private Task GoesWrongAndComesBackAsync(
        QueueFailure failure, Func<string, bool> isTheReason, string inTheError) => GoesWrongAndComesBackAsync(
        $"{failure.Code}-{string.Concat(failure.Operations)}",
        () => Task.FromResult(set.Front.Failure = failure),
        () => Task.FromResult(set.Front.Failure = null),
        isTheReason,
        inTheError);

    private async Task GoesWrongAndComesBackAsync(
        string name, Func<Task> goWrong, Func<Task> comeBack, Func<string, bool> isTheReason, string inTheError)
    {
        var destination = $"/queue/{name}";
        var taken = new HashSet<string>(Before);
        using var user = await StompUser.ConnectAsync(set.Server.Address);
        foreach (var id in Before)
            Assert.Null(await user.PublishAsync(destination, id));

        await goWrong();
        using (var unlucky = await StompUser.ConnectAsync(set.Server.Address))
        {
            if (await unlucky.PublishAsync(destination, "during") is { } error)
                Assert.Contains(inTheError, error, StringComparison.Ordinal);
            else
                taken.Add("during");
        }
        await set.NotReadyAsync(isTheReason);
        await comeBack();

        Assert.Null(await user.PublishAsync(destination, "after"));
        taken.Add("after");
        await set.ReadyAsync();
        await user.ReceiveAllAsync(destination, taken);
    }
}
