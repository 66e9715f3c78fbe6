using System.Diagnostics;
using System.Text;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class ObservedQueueTests : IDisposable
{
    private readonly TestTelemetry _telemetry = new();
    private readonly FakeTime _time = new();
    private readonly FakeSqs _sqs;
    private readonly ObservedQueue _queue;

    public ObservedQueueTests()
    {
        _sqs = new FakeSqs(_time).With("q");
        _queue = new ObservedQueue(_sqs, "aws.sqs", TestTelemetry.Of(_time), _time);
    }

    public void Dispose() => _telemetry.Dispose();

    [Fact]
    public async Task Send_receive_and_settle_are_spans_of_the_trace_of_the_first_recorded_message_with_links_to_all()
    {
        var url = FakeSqs.UrlOf("q");
        var other = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

        await _queue.SendAsync(
            url, [new(Envelope("plain", null)), new(Envelope("first", _telemetry.TraceParent)), new(Envelope("second", other))],
            CancellationToken.None);
        var received = await _queue.ReceiveAsync(url, new ReceiveRequest { Visibility = TimeSpan.FromSeconds(30) }, CancellationToken.None);
        await _queue.SettleAsync(url, [.. received.Select(message => message.ReceiptHandle)], CancellationToken.None);

        Assert.Equal(["send q", "receive q", "settle q"], _telemetry.Spans.Select(span => span.DisplayName));
        Assert.All(_telemetry.Spans, span =>
        {
            Assert.Equal((ActivityKind.Client, _telemetry.TraceParent), (span.Kind, span.ParentId));
            Assert.Equal([_telemetry.TraceParent, other], span.Links.Select(link => $"00-{link.Context.TraceId}-{link.Context.SpanId}-01"));
            Assert.Equal("aws.sqs", span.GetTagItem(Conventions.System));
        });
        Assert.Contains("messaging.client.sent.messages 3 send aws.sqs", _telemetry.Measured);
        Assert.Contains("messaging.client.consumed.messages 3 receive aws.sqs", _telemetry.Measured);
        Assert.Contains("messaging.client.operation.duration 0 settle settle aws.sqs", _telemetry.Measured);
    }

    [Fact]
    public async Task A_call_that_fails_is_an_error_with_its_sentence_and_fails_as_before()
    {
        _sqs.Fault = _ => FakeSqs.Away;

        await Assert.ThrowsAsync<QueueException>(async () => await _queue.SendAsync(
            FakeSqs.UrlOf("q"), [new(Envelope("first", _telemetry.TraceParent))], CancellationToken.None));

        var send = Assert.Single(_telemetry.Spans);
        Assert.Equal(
            (ActivityStatusCode.Error, "The queue is away.", "unanswered"),
            (send.Status, send.StatusDescription, send.GetTagItem(Conventions.ErrorType)));
        Assert.Contains($"{Conventions.OperationDuration} 0 send send aws.sqs unanswered", _telemetry.Measured);
    }

    [Fact]
    public async Task A_message_that_the_queue_refuses_is_an_error_of_its_call()
    {
        _sqs.SendFault = (_, _) => new EntryFailure("InvalidMessageContents", "No.", SenderFault: true);

        await _queue.SendAsync(FakeSqs.UrlOf("q"), [new(Envelope("first", _telemetry.TraceParent))], CancellationToken.None);

        Assert.Equal("refused", Assert.Single(_telemetry.Spans).GetTagItem(Conventions.ErrorType));
    }

    [Fact]
    public async Task A_body_that_looks_like_a_context_is_none()
    {
        var body = $$"""{"traceparent":"{{_telemetry.TraceParent}}"}""";

        await _queue.SendAsync(FakeSqs.UrlOf("q"), [new(Envelope(body, null))], CancellationToken.None);

        Assert.Empty(_telemetry.Spans);
    }

    private static byte[] Envelope(string body, string? context) => Sample.Envelope(
        new Message(
            "id", "/queue/a", context is null ? [] : [new(Conventions.TraceParent, context)], Encoding.UTF8.GetBytes(body),
            IsText: true));
}
