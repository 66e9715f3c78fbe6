using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>One to ten entries go together; a bad entry fails alone, a bad batch as a whole.</summary>
internal static class Batches
{
    private static readonly string[] Operations = ["SendMessageBatch", "DeleteMessageBatch", "ChangeMessageVisibilityBatch"];

    [Behaviour]
    public static async Task Ten_messages_are_sent_received_and_deleted_together(Trial trial)
    {
        string[] bodies = [.. Enumerable.Range(0, 10).Select(i => $"body {i}")];
        var url = await trial.CreateQueueAsync();

        var ids = await trial.Sqs.SendTextsAsync(url, bodies);
        var received = await trial.Sqs.ReceiveAllAsync(url, 10);
        await trial.Sqs.DeleteAsync(url, [.. received]);

        Assert.Equal(bodies, received.Select(message => message.Text()).Order());
        Assert.Equal(ids.Order(), received.Select(message => message.MessageId).Order());
        Assert.Equal(10, ids.Distinct().Count());
        Assert.True((await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).IsEmpty);
    }

    [Behaviour]
    public static async Task A_receive_brings_no_more_than_it_asked_for(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a", "b", "c", "d");

        Assert.InRange((await trial.Sqs.PollAsync(url, Steps.Patience, max: 3)).Count, 1, 3);
    }

    [Behaviour]
    public static async Task A_body_that_SQS_does_not_take_fails_alone(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        var results = await trial.Sqs.SendAsync(
            url, [Steps.Entry("first"), Steps.Entry("\u0001"), Steps.Entry("third")], CancellationToken.None);

        Assert.Equal([null, SqsErrorCode.InvalidMessageContents, null], results.Select(result => result.Failure?.Code));
        Assert.True(results[1].Failure!.SenderFault);
        var received = await trial.Sqs.ReceiveAllAsync(url, 2);
        Assert.Equal(["first", "third"], received.Select(message => message.Text()).Order());
    }

    [Behaviour]
    public static async Task A_receipt_that_names_nothing_fails_alone_in_a_delete(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url);

        var results = await trial.Sqs.SettleAsync(url, ["nonsense", message.ReceiptHandle], CancellationToken.None);

        Assert.Equal([SqsErrorCode.ReceiptHandleIsInvalid, null], results.Select(result => result.Failure?.Code));
        Assert.True((await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).IsEmpty);
    }

    [Behaviour]
    public static async Task A_receipt_that_names_nothing_fails_alone_in_a_change_of_visibility(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "a");
        var message = await trial.Sqs.ReceiveOneAsync(url);

        var results = await trial.Sqs.HoldAsync(
            url, [new("nonsense", TimeSpan.Zero), new(message.ReceiptHandle, TimeSpan.Zero)], CancellationToken.None);

        Assert.Equal([SqsErrorCode.ReceiptHandleIsInvalid, null], results.Select(result => result.Failure?.Code));
        Assert.Equal("a", (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static Task Eleven_entries_are_refused(Trial trial) =>
        RefusesAsync(trial, "TooManyEntriesInBatchRequest", [.. Enumerable.Range(0, 11).Select(i => $"id-{i}")]);

    [Behaviour]
    public static Task A_batch_without_entries_is_refused(Trial trial) => RefusesAsync(trial, "EmptyBatchRequest");

    [Behaviour]
    public static Task Entries_with_the_same_id_are_refused(Trial trial) => RefusesAsync(trial, "BatchEntryIdsNotDistinct", "a", "b", "a");

    [Behaviour]
    public static async Task An_id_that_SQS_does_not_allow_is_refused(Trial trial)
    {
        foreach (var id in new[] { "a b", "a.b", "é", new string('x', 81) })
            await RefusesAsync(trial, "InvalidBatchEntryId", "good", id);
    }

    [Behaviour]
    public static async Task An_id_of_80_letters_digits_hyphens_and_underscores_comes_back(Trial trial)
    {
        var id = "az-AZ_09".PadRight(80, 'x');
        var url = await trial.CreateQueueAsync();

        var answer = await trial.Raw.CallAsync(
            "SendMessageBatch", new { QueueUrl = url, Entries = new[] { new { Id = id, MessageBody = "a" } } });

        Assert.Equal(id, answer.Json.GetProperty("Successful")[0].GetProperty("Id").GetString());
    }

    /// <summary>Each kind of batch with these ids is refused, and nothing is sent.</summary>
    private static async Task RefusesAsync(Trial trial, string code, params string[] ids)
    {
        var url = await trial.CreateQueueAsync();
        foreach (var operation in Operations)
        {
            var entries = ids.Select(id => new { Id = id, MessageBody = "a", ReceiptHandle = "nonsense", VisibilityTimeout = 0 });
            (await trial.Raw.CallAsync(operation, new { QueueUrl = url, Entries = entries })).ShouldBeRefusedWith(code);
        }
        Assert.Empty(await trial.Sqs.PollAsync(url));
    }
}
