using System.Diagnostics;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay;

public sealed class RelayTelemetryTests : IDisposable
{
    private readonly TestTelemetry _telemetry = new();

    public void Dispose() => _telemetry.Dispose();

    [Fact]
    public async Task A_message_of_a_recorded_trace_is_a_span_when_it_is_published_and_one_until_it_is_acknowledged()
    {
        await using var server = RelayHarness.Direct();
        var subscriber = await server.SubscriberAsync("/queue/a", "ack:client-individual");
        var publisher = await server.ConnectAsync();

        await publisher.SendAsync($"SEND\ndestination:/queue/a\nid:m1\ntraceparent:{_telemetry.TraceParent}\n\nhello\0");
        var message = await subscriber.ReceiveAsync(StompCommand.Message);
        var publish = Assert.Single(_telemetry.Spans);
        server.Advance(TimeSpan.FromSeconds(1.25));
        await subscriber.AckAsync(message);

        Assert.Equal(
            ("publish /queue/a", ActivityKind.Producer, _telemetry.TraceParent), (publish.DisplayName, publish.Kind, publish.ParentId));
        Assert.Equal(publish.Id, message.Header("traceparent"));
        var process = _telemetry.Spans.Last();
        Assert.Equal(("process /queue/a", ActivityKind.Consumer, publish.Id), (process.DisplayName, process.Kind, process.ParentId));
        Assert.Equal(ActivityStatusCode.Unset, process.Status);
        Assert.Equal("m1", process.GetTagItem(Conventions.MessageId));
        Assert.Contains($"{Conventions.ProcessDuration} 1.25 process stomp", _telemetry.Measured);
    }

    [Fact]
    public async Task What_is_given_back_is_an_error_and_the_next_delivery_a_span_of_its_own()
    {
        await using var server = RelayHarness.Direct();
        var subscriber = await server.SubscriberAsync("/queue/a", "ack:client-individual");
        var publisher = await server.ConnectAsync();
        await publisher.SendAsync($"SEND\ndestination:/queue/a\ntraceparent:{_telemetry.TraceParent}\n\nhello\0");

        var first = await subscriber.ReceiveAsync(StompCommand.Message);
        await subscriber.SendAsync($"NACK\nid:{first.Header("ack")}\n\n\0");
        var second = await subscriber.ReceiveAsync(StompCommand.Message);
        await subscriber.AckAsync(second);

        Assert.Equal(
            [("nack", ActivityStatusCode.Error), (null, ActivityStatusCode.Unset)],
            _telemetry.Spans.Where(span => span.DisplayName == "process /queue/a")
                .Select(span => ((string?)span.GetTagItem(Conventions.ErrorType), span.Status)));
    }

    [Theory]
    [InlineData("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")]
    [InlineData("no context")]
    public async Task The_context_of_a_trace_that_is_not_recorded_comes_as_it_was_sent(string context)
    {
        await using var server = RelayHarness.Direct();
        var subscriber = await server.SubscriberAsync("/topic/a");
        var publisher = await server.ConnectAsync();

        await publisher.SendAsync($"SEND\ndestination:/topic/a\ntraceparent:{context}\n\nhello\0");

        Assert.Equal(context, (await subscriber.ReceiveAsync(StompCommand.Message)).Header("traceparent"));
        Assert.Empty(_telemetry.Spans);
    }

    [Fact]
    public async Task A_transaction_belongs_to_the_trace_of_its_first_message_that_is_recorded()
    {
        await using var server = RelayHarness.Direct();
        var publisher = await server.ConnectAsync();
        const string NotRecorded = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";

        await publisher.SendAsync("BEGIN\ntransaction:t\n\n\0");
        foreach (var context in new[] { NotRecorded, _telemetry.TraceParent })
            await publisher.SendAsync($"SEND\ndestination:/topic/a\ntransaction:t\ntraceparent:{context}\n\nhello\0");
        await publisher.AskAsync("COMMIT\ntransaction:t\n");

        var publish = Assert.Single(_telemetry.Spans);
        Assert.Equal((_telemetry.TraceParent, 2), (publish.ParentId, publish.GetTagItem(Conventions.BatchCount)));
    }

    [Fact]
    public async Task A_publish_that_nobody_takes_is_an_error()
    {
        await using var server = RelayHarness.Direct();
        var publisher = await server.ConnectAsync();

        await publisher.SendAsync($"SEND\ndestination:/queue/a\ntraceparent:{_telemetry.TraceParent}\nreceipt:r\n\nhello\0");
        await publisher.ReceiveAsync(StompCommand.Receipt);

        Assert.Equal("NoSubscriber", Assert.Single(_telemetry.Spans).GetTagItem(Conventions.ErrorType));
    }
}
