using PubSubOverWs.Queues;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>What a RabbitMQ refuses.</summary>
public sealed class RabbitMqFaultTests(RabbitMqServer rabbit) : IClassFixture<RabbitMqServer>
{
    private readonly string _name = $"t-{Guid.NewGuid():N}";

    [FactNeeds(Needed.RabbitMq)]
    public async Task A_RabbitMQ_without_memory_takes_nothing_until_it_has_some_and_says_so_and_what_is_there_can_be_read()
    {
        await using var queue = new RabbitMqQueue(
            new RabbitMqOptions { Url = rabbit.Address, RequestTimeout = TimeSpan.FromSeconds(2) }, TimeProvider.System);
        var urls = await queue.OpenAsync(_name, CancellationToken.None);
        await queue.SendTextsAsync(urls.Url, "before");
        await rabbit.ControlAsync("set_vm_memory_high_watermark", "0");

        // One is sent before RabbitMQ says that it is blocked, and comes afterwards.
        var first = await RefusalAsync(() => queue.SendTextsAsync(urls.Url, "first"));
        var second = await RefusalAsync(() => queue.SendTextsAsync(urls.Url, "second"));
        var before = await queue.ReceiveOneAsync(urls.Url);
        await queue.SettleAsync(urls.Url, before);
        await rabbit.ControlAsync("set_vm_memory_high_watermark", "0.4");
        await QueueSteps.EventuallyAsync(() => queue.SendTextsAsync(urls.Url, "after"));

        Assert.Equal(("Blocked", true, true), (first.Code, first.IsRetryable, first.MayHaveArrived));
        Assert.Equal(("Blocked", true, false), (second.Code, second.IsRetryable, second.MayHaveArrived));
        Assert.Equal(
            $"RabbitMQ at {rabbit.Address} takes no messages (low on memory): read messages, or give it more memory or disk.",
            second.Message);
        Assert.Equal("before", before.Text());
        Assert.Equal(
            ["after", "first"],
            (await queue.ReceiveAllAsync(urls.Url, 2)).Select(message => message.Text()).Order(StringComparer.Ordinal));
    }

    [FactNeeds(Needed.RabbitMq)]
    public async Task A_wrong_password_is_a_wrong_setting() => Assert.Equal(
        ($"RabbitMQ at {rabbit.Address} refused the login: check RabbitMq:User and RabbitMq:Password.", false),
        Told(await RefusalAsync(new RabbitMqOptions { Url = rabbit.Address, Password = "wrong" })));

    [FactNeeds(Needed.RabbitMq)]
    public async Task A_virtual_host_that_is_not_there_is_a_wrong_setting()
    {
        var refusal = await RefusalAsync(new RabbitMqOptions { Url = rabbit.Address, VirtualHost = "nowhere" });

        Assert.Equal(("NOT_ALLOWED", false), (refusal.Code, refusal.IsRetryable));
        Assert.EndsWith(": check RabbitMq:VirtualHost, and whether this user may use it.", refusal.Message, StringComparison.Ordinal);
    }

    [TheoryNeeds(Needed.RabbitMq)]
    [InlineData("", "amq[.]default", "t-.*", "queue.declare")]
    [InlineData("t-.*", "", "t-.*", "basic.publish")]
    [InlineData("t-.*", "amq[.]default", "", "basic.consume")]
    public async Task A_user_without_a_right_that_is_needed_later_cannot_open_the_queue(
        string configure, string write, string read, string refused)
    {
        var user = $"user-{Guid.NewGuid():N}";
        await rabbit.ControlAsync("add_user", user, "secret");
        await rabbit.ControlAsync("set_permissions", user, configure, write, read);

        var refusal = await RefusalAsync(new RabbitMqOptions { Url = rabbit.Address, User = user, Password = "secret" });

        Assert.Equal(("ACCESS_REFUSED", false), (refusal.Code, refusal.IsRetryable));
        Assert.Contains($"refused {refused} with 403 ACCESS_REFUSED", refusal.Message, StringComparison.Ordinal);
    }

    [FactNeeds(Needed.RabbitMq)]
    public async Task The_rights_on_the_page_are_enough()
    {
        var user = $"user-{Guid.NewGuid():N}";
        await rabbit.ControlAsync("add_user", user, "secret");
        await rabbit.ControlAsync("set_permissions", user, "^t-.*$", "^amq[.]default$", "^t-.*$");
        await using var queue = new RabbitMqQueue(
            new RabbitMqOptions { Url = rabbit.Address, User = user, Password = "secret" }, TimeProvider.System);

        var urls = await queue.OpenAsync(_name, CancellationToken.None);
        await queue.SendTextsAsync(urls.Url, "a");
        await queue.SettleAsync(urls.Url, await queue.ReceiveOneAsync(urls.Url));

        Assert.Equal(0, await queue.CountAsync(urls.Url, CancellationToken.None));
    }

    [FactNeeds(Needed.RabbitMq)]
    public async Task What_a_client_was_sent_and_did_not_receive_comes_to_another()
    {
        await using var idle = rabbit.ConnectAsOwner();
        var urls = await idle.OpenAsync(_name, CancellationToken.None);
        await idle.SendTextsAsync(urls.Url, "a", "b", "c");
        await idle.ReceiveOneAsync(urls.Url, TimeSpan.FromMinutes(1));

        await using var other = rabbit.ConnectAsOwner();

        Assert.Equal(2, (await other.ReceiveAllAsync(urls.Url, 2)).Count);
    }

    [FactNeeds(Needed.RabbitMq)]
    public async Task A_queue_that_somebody_deleted_is_made_again()
    {
        await using var queue = rabbit.ConnectAsOwner();
        var urls = await queue.OpenAsync(_name, CancellationToken.None);
        await rabbit.ControlAsync("delete_queue", _name);

        var gone = await RefusalAsync(() => queue.SendTextsAsync(urls.Url, "a"));
        await queue.SendTextsAsync(urls.Url, "b");

        Assert.Equal(("NOT_FOUND", true, false), (gone.Code, gone.IsRetryable, gone.MayHaveArrived));
        Assert.Equal("b", (await queue.ReceiveOneAsync(urls.Url)).Text());
    }

    private static (string Message, bool IsRetryable) Told(QueueException failure) => (failure.Message, failure.IsRetryable);

    private static Task<QueueException> RefusalAsync(Func<Task> call) => Assert.ThrowsAsync<QueueException>(call);

    private async Task<QueueException> RefusalAsync(RabbitMqOptions options)
    {
        await using var queue = new RabbitMqQueue(options, TimeProvider.System);
        return await RefusalAsync(async () => await queue.OpenAsync(_name, CancellationToken.None));
    }
}
