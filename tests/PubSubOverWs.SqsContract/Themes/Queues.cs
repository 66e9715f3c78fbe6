using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>Queues are created, found, listed, changed and deleted.</summary>
internal static class Queues
{
    private static readonly QueueSettings SomeSettings = new()
    {
        VisibilityTimeout = TimeSpan.FromSeconds(7),
        MessageRetention = TimeSpan.FromDays(14),
        Delay = TimeSpan.FromMinutes(15),
        ReceiveWaitTime = TimeSpan.FromSeconds(20),
        MaximumMessageSize = 1024,
    };

    [Behaviour]
    public static async Task A_queue_has_the_attributes_it_was_created_with(Trial trial)
    {
        var url = await trial.CreateQueueAsync(SomeSettings);

        var attributes = await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None);

        Assert.Equal(SomeSettings, attributes.Settings);
        Assert.True(attributes.IsEmpty);
    }

    [Behaviour]
    public static async Task A_queue_created_without_attributes_has_the_defaults_of_SQS(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        var settings = (await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Settings;

        Assert.Equal(
            (TimeSpan.FromSeconds(30), TimeSpan.FromDays(4), TimeSpan.Zero, TimeSpan.Zero),
            (settings.VisibilityTimeout, settings.MessageRetention, settings.Delay, settings.ReceiveWaitTime));
        Assert.Null(settings.RedrivePolicy);
    }

    [Behaviour]
    public static async Task A_queue_tells_when_it_was_created(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        var age = TimeProvider.System.GetUtcNow() - (await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).CreatedAt;

        // Two clocks may differ: by up to 15 minutes, beyond which signatures are refused.
        Assert.InRange(age!.Value, TimeSpan.FromMinutes(-15), TimeSpan.FromMinutes(15));
    }

    [Behaviour]
    public static async Task A_queue_created_again_with_the_same_attributes_is_the_same_queue(Trial trial)
    {
        var name = trial.NewName();
        var url = await trial.CreateQueueAsync(name, SomeSettings);

        Assert.Equal(url, await trial.CreateQueueAsync(name, SomeSettings));
        Assert.Equal(url, await trial.CreateQueueAsync(name));
    }

    [Behaviour]
    public static async Task A_queue_created_again_with_other_attributes_is_refused(Trial trial)
    {
        var name = trial.NewName();
        var url = await trial.CreateQueueAsync(name, SomeSettings);

        await Steps.RefusedAsync(
            SqsErrorCode.QueueNameExists,
            trial.Sqs.CreateQueueAsync(name, SomeSettings with { VisibilityTimeout = TimeSpan.FromSeconds(8) }, CancellationToken.None));

        Assert.Equal(SomeSettings, (await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Settings);
    }

    [Behaviour]
    public static async Task A_name_that_SQS_does_not_allow_is_refused(Trial trial)
    {
        foreach (var name in new[] { trial.NewName() + " blank", trial.NewName() + ".dot", new string('x', 81) })
            await Steps.RefusedAsync(SqsErrorCode.InvalidParameterValue, trial.CreateQueueAsync(name));
    }

    [Behaviour]
    public static async Task An_attribute_out_of_its_range_is_refused(Trial trial)
    {
        var tooLong = new QueueSettings { VisibilityTimeout = Steps.LongestVisibility + TimeSpan.FromSeconds(1) };

        await Steps.RefusedAsync("InvalidAttributeValue", trial.CreateQueueAsync(tooLong));
        var url = await trial.CreateQueueAsync();
        var answer = await trial.Raw.SetAttributesAsync(url, new { VisibilityTimeout = "43201" });
        answer.ShouldBeRefusedWith("InvalidAttributeValue");
    }

    [Behaviour]
    public static async Task An_attribute_that_SQS_does_not_have_is_refused(Trial trial)
    {
        var answer = await trial.Raw.CallAsync("CreateQueue", new { QueueName = trial.NewName(), Attributes = new { Colour = "red" } });

        answer.ShouldBeRefusedWith("InvalidAttributeName");
    }

    [Behaviour]
    public static async Task A_queue_is_found_by_its_name(Trial trial)
    {
        var name = trial.NewName();
        var url = await trial.CreateQueueAsync(name);

        Assert.Equal(url, await trial.Sqs.GetQueueUrlAsync(name, CancellationToken.None));
        Assert.EndsWith($"/{name}", url, StringComparison.Ordinal);
        var arn = (await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Arn;
        Assert.Matches($"^arn:[a-z-]+:sqs:[a-z0-9-]+:[0-9]{{12}}:{name}$", arn);
    }

    [Behaviour]
    public static async Task Queues_are_listed_by_the_start_of_their_names(Trial trial)
    {
        var start = trial.NewName();
        string[] urls = [await trial.CreateQueueAsync($"{start}-a"), await trial.CreateQueueAsync($"{start}-b")];
        await trial.CreateQueueAsync($"other-{start}");

        var listed = await trial.Sqs.ListQueuesAsync($"{start}-", CancellationToken.None);

        Assert.Equal(urls, listed.Order(StringComparer.Ordinal));
        Assert.Empty(await trial.Sqs.ListQueuesAsync($"{start}-c", CancellationToken.None));
    }

    [Behaviour]
    public static async Task Queues_are_listed_in_pages(Trial trial)
    {
        var start = trial.NewName();
        foreach (var last in "abc")
            await trial.CreateQueueAsync($"{start}-{last}");

        var first = (await trial.Raw.CallAsync("ListQueues", new { QueueNamePrefix = $"{start}-", MaxResults = 2 })).Json;
        var next = first.GetProperty("NextToken").GetString();
        var second =
            (await trial.Raw.CallAsync("ListQueues", new { QueueNamePrefix = $"{start}-", MaxResults = 2, NextToken = next })).Json;

        Assert.Equal(2, first.GetProperty("QueueUrls").GetArrayLength());
        Assert.Equal(1, second.GetProperty("QueueUrls").GetArrayLength());
        Assert.False(second.TryGetProperty("NextToken", out var more) && more.GetString() is { Length: > 0 });
    }

    [Behaviour]
    public static async Task An_attribute_that_is_set_changes_and_the_others_stay(Trial trial)
    {
        var url = await trial.CreateQueueAsync(SomeSettings);

        (await trial.Raw.SetAttributesAsync(url, new { VisibilityTimeout = "60" })).ShouldBeTaken();

        Assert.Equal(
            SomeSettings with { VisibilityTimeout = TimeSpan.FromMinutes(1) },
            (await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None)).Settings);
    }

    [Behaviour]
    public static async Task Only_requested_attributes_are_returned(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        var answer = await trial.Raw.CallAsync("GetQueueAttributes", $$"""{"QueueUrl":"{{url}}","AttributeNames":["VisibilityTimeout"]}""");

        var attribute = Assert.Single(answer.Json.GetProperty("Attributes").EnumerateObject());
        Assert.Equal(("VisibilityTimeout", "30"), (attribute.Name, attribute.Value.GetString()));
    }

    [Behaviour]
    public static async Task A_deleted_queue_is_gone(Trial trial)
    {
        var name = trial.NewName();
        var url = await trial.CreateQueueAsync(name);

        await trial.Sqs.DeleteQueueAsync(url, CancellationToken.None);

        await Steps.RefusedAsync(SqsErrorCode.QueueDoesNotExist, trial.Sqs.GetQueueUrlAsync(name, CancellationToken.None));
        Assert.Empty(await trial.Sqs.ListQueuesAsync(name, CancellationToken.None));
    }

    [Behaviour]
    public static async Task Counts_tell_visible_in_flight_and_delayed_messages_apart(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        await trial.Sqs.SendTextsAsync(url, "in flight");
        await trial.Sqs.ReceiveOneAsync(url);
        await trial.Sqs.SendAllAsync(
            url, Steps.Entry("visible"), Steps.Entry("visible too"), Steps.Entry("later") with { Delay = TimeSpan.FromMinutes(1) });

        var attributes = await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None);

        Assert.Equal((2, 1, 1), (attributes.Visible, attributes.InFlight, attributes.Delayed));
        Assert.False(attributes.IsEmpty);
    }
}
