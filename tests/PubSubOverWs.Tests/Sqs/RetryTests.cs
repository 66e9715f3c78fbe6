using System.Net;
using System.Net.Sockets;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

public abstract class RetryTests(SqsClientKind client)
    : ClientTests(client, options => options.MaxAttempts = 3)
{
    [Theory]
    [InlineData(HttpStatusCode.InternalServerError, "InternalFailure")]
    [InlineData(HttpStatusCode.ServiceUnavailable, "ServiceUnavailable")]
    [InlineData(HttpStatusCode.BadRequest, "RequestThrottled")]
    [InlineData(HttpStatusCode.BadRequest, "ThrottlingException")]
    [InlineData(HttpStatusCode.TooManyRequests, "Whatever")]
    public async Task Server_errors_and_throttling_are_tried_again(HttpStatusCode status, string code)
    {
        Client.Server.Refuses(status, code).Refuses(status, code).Answers("""{"QueueUrl":"u"}""");

        Assert.Equal("u", await Client.OutlastAsync(Client.AskAsync()));

        Assert.Equal(3, Client.Server.Seen.Count);
        Assert.Equal(3, Client.Sqs.Traffic.Calls(QueueCall.Other));
        Assert.Equal(2, Client.Sqs.Traffic.Retries);
    }

    [Fact]
    public async Task A_lost_connection_is_tried_again()
    {
        Client.Server.Fails(new HttpRequestException("x", new SocketException((int)SocketError.ConnectionReset)))
            .Answers("""{"QueueUrl":"u"}""");

        Assert.Equal("u", await Client.OutlastAsync(Client.AskAsync()));
    }

    [Theory]
    [InlineData("QueueDoesNotExist")]
    [InlineData("AccessDeniedException")]
    [InlineData("InvalidSignatureException")]
    public async Task A_call_that_would_fail_again_is_not_tried_again(string code)
    {
        Client.Server.Refuses(HttpStatusCode.BadRequest, code);

        var failure = await Assert.ThrowsAsync<QueueException>(Client.AskAsync);

        Assert.Equal(code, failure.Code);
        Assert.False(failure.IsRetryable);
        Assert.Single(Client.Server.Seen);
    }

    [Fact]
    public async Task The_last_failure_is_reported_when_the_attempts_are_used_up()
    {
        for (var attempt = 0; attempt < 3; attempt++)
            Client.Server.Refuses(HttpStatusCode.ServiceUnavailable, "ServiceUnavailable");

        var failure = await Assert.ThrowsAsync<QueueException>(() => Client.OutlastAsync(Client.AskAsync()));

        Assert.Equal("ServiceUnavailable", failure.Code);
        Assert.True(failure.IsRetryable);
    }

    [Fact]
    public async Task No_answer_within_the_time_out_is_tried_again_and_then_reported()
    {
        Client.Server.Hangs().Hangs().Hangs();

        var call = Client.AskAsync();
        for (var attempt = 1; attempt <= 3; attempt++)
        {
            Assert.False(call.IsCompleted);
            Client.Time.Advance(TimeSpan.FromSeconds(10));
            Client.Time.Advance(TimeSpan.FromSeconds(5));
        }

        var failure = await Assert.ThrowsAsync<QueueException>(() => call);
        Assert.Equal(SqsErrorCode.TimedOut, failure.Code);
    }

    [Fact]
    public async Task A_receive_may_take_its_long_poll_beyond_the_time_out()
    {
        var answer = new TaskCompletionSource<HttpResponseMessage>();
        Client.Server.Then(answer.Task.WaitAsync);

        var call = Client.ReceiveAsync();
        Client.Time.Advance(TimeSpan.FromSeconds(24.9));
        answer.SetResult(new HttpResponseMessage { Content = new StringContent("{}") });

        Assert.Empty(await call);
    }

    [Fact]
    public async Task A_receive_under_way_is_not_cut_off_and_its_messages_are_returned()
    {
        using var stopping = new CancellationTokenSource();
        var answer = new TaskCompletionSource<HttpResponseMessage>();
        Client.Server.Then(answer.Task.WaitAsync);

        var call = Client.ReceiveAsync(stopping.Token);
        await stopping.CancelAsync();
        answer.SetResult(
            new HttpResponseMessage { Content = new StringContent("""{"Messages":[{"MessageId":"m","ReceiptHandle":"r","Body":"x"}]}""") });

        Assert.Equal("r", Assert.Single(await call).ReceiptHandle);
        await Assert.ThrowsAsync<OperationCanceledException>(() => Client.ReceiveAsync(stopping.Token));
    }

    [Fact]
    public async Task Other_calls_can_be_cancelled_under_way()
    {
        using var cancellation = new CancellationTokenSource();
        Client.Server.Hangs();

        var call = Client.Sqs.GetQueueUrlAsync("jobs", cancellation.Token).AsTask();
        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
    }

    [Fact]
    public async Task A_call_that_is_cancelled_while_it_waits_for_a_retry_reports_the_failure_behind_it()
    {
        using var cancellation = new CancellationTokenSource();
        Client.Server.Refuses(HttpStatusCode.BadRequest, "RequestThrottled");

        var call = Client.Sqs.GetQueueUrlAsync("jobs", cancellation.Token).AsTask();
        await cancellation.CancelAsync();

        var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        Assert.Equal("RequestThrottled", Assert.IsType<QueueException>(cancelled.InnerException).Code);
    }

    [Fact]
    public void Waits_are_drawn_below_a_bound_that_doubles_to_its_end()
    {
        var options = new SqsOptions { RetryDelay = TimeSpan.FromMilliseconds(100), MaxRetryDelay = TimeSpan.FromMilliseconds(350) };
        int[] bounds = [100, 200, 350, 350];
        for (var retry = 1; retry <= bounds.Length; retry++)
        {
            var retries = new Retries(options, Client.Time, new QueueTraffic());
            var waits = Enumerable.Range(0, 1000).Select(_ => retries.DrawWait(retry).TotalMilliseconds).ToList();

            Assert.InRange(waits.Min(), 0, bounds[retry - 1] * 0.01);
            Assert.InRange(waits.Max(), bounds[retry - 1] * 0.99, bounds[retry - 1]);
        }
    }

    public sealed class OverHttp() : RetryTests(SqsClientKind.Http);

    public sealed class OverAwsSdk() : RetryTests(SqsClientKind.AwsSdk);
}
