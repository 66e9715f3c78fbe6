using System.Net;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workers;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workers;

/// <summary>A load process that answers, or does not, as a test has it.</summary>
public sealed class LoadWorkerTests : IDisposable
{
    private const string Consequence = ", so the iteration does not count and the run ends";

    private readonly FakeTime _time = new();
    private readonly OrderTaker _process = new();
    private readonly LoadWorker _worker;

    public LoadWorkerTests() =>
        _worker = new LoadWorker(new LoadShare(1, 3), _process, _time);

    [Fact]
    public async Task An_order_is_a_POST_to_its_name_and_its_answer_is_JSON()
    {
        _process.Answers = _ => Text("""{"connected":7}""");

        Assert.Equal(new Entered(7), await AskAsync());
        Assert.Equal("""/enter {"firstDue":5}""", Assert.Single(_process.Orders));
    }

    [Fact]
    public async Task A_process_that_has_ended_is_named_with_its_exit_code_and_its_last_words()
    {
        _process.End("ended unexpectedly with exit code 137", " Its last output: first | last");

        Assert.Equal(
            $"Load process 2 of 3 ended unexpectedly with exit code 137 before it had answered 'enter'{Consequence}. Its last output: "
                + "first | last",
            await RefusedAsync());
    }

    [Fact]
    public async Task A_connection_that_breaks_because_the_process_ends_is_told_from_one_that_breaks_by_itself()
    {
        _process.Answers = _ => Task.FromException<HttpResponseMessage>(new HttpRequestException("reset"));
        var dying = RefusedAsync();
        _process.End("ended unexpectedly with exit code 134");
        Assert.Equal(
            $"Load process 2 of 3 ended unexpectedly with exit code 134 before it had answered 'enter'{Consequence}.", await dying);

        using var other = new OrderTaker { Answers = _process.Answers };
        using var alive = new LoadWorker(new LoadShare(0, 3), other, _time);
        var broken = Assert.ThrowsAsync<ChildException>(() => AskAsync(alive));
        Assert.Equal(
            $"Load process 1 of 3 answered 'enter' with something that cannot be used (reset){Consequence}.",
            (await broken.WhileAsync(() => _time.Advance(TimeSpan.FromSeconds(1)))).Message);
    }

    [Fact]
    public async Task What_a_process_answers_is_not_read_without_end()
    {
        _process.Answers = _ => Task.FromResult(new HttpResponseMessage(HttpStatusCode.OK) { Content = new StreamContent(new Endless()) });

        Assert.Equal(
            $"Load process 2 of 3 answered 'enter' with something that cannot be used (it is longer than 128 MiB){Consequence}.",
            await RefusedAsync());
    }

    [Fact]
    public async Task A_process_that_hangs_is_waited_for_no_longer_than_its_order_may_take()
    {
        var asking = RefusedAsync();
        await Waiting.UntilAsync(() => _process.Orders.Count == 1);
        _time.Advance(TimeSpan.FromSeconds(9));
        Assert.False(asking.IsCompleted);

        Assert.Equal(
            $"Load process 2 of 3 did not answer 'enter' within 10 s{Consequence}.",
            await asking.WhileAsync(() => _time.Advance(TimeSpan.FromSeconds(1))));
    }

    [Theory]
    [InlineData("nonsense")]
    [InlineData("")]
    [InlineData("{}")]
    [InlineData("""{"connected":"many"}""")]
    public async Task An_answer_that_is_not_the_expected_one_is_refused(string answer)
    {
        _process.Answers = _ => Text(answer);

        Assert.Matches("^Load process 2 of 3 answered 'enter' with something that cannot be used \\(.+\\), so ", await RefusedAsync());
    }

    [Fact]
    public async Task What_a_process_says_when_it_cannot_do_what_it_is_told_is_passed_on()
    {
        _process.Answers = _ => Text("SocketException: too many open files", HttpStatusCode.InternalServerError);

        Assert.Equal(
            $"Load process 2 of 3 could not do 'enter'{Consequence}: SocketException: too many open files", await RefusedAsync());
    }

    [Fact]
    public async Task A_run_that_is_interrupted_does_not_wait_for_the_answer()
    {
        using var stopping = new CancellationTokenSource();
        var asking = AskAsync(_worker, stopping.Token);
        await Waiting.UntilAsync(() => _process.Orders.Count == 1);
        await stopping.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => asking.Patiently());
    }

    public void Dispose()
    {
        _worker.Dispose();
        _process.Dispose();
    }

    private static Task<HttpResponseMessage> Text(string text, HttpStatusCode status = HttpStatusCode.OK) =>
        Task.FromResult(new HttpResponseMessage(status) { Content = new StringContent(text) });

    private static Task<Entered> AskAsync(LoadWorker worker, CancellationToken cancellationToken = default) =>
        worker.AskAsync<Entered>(WorkerOrders.Enter, new BeginOrder(5), TimeSpan.FromSeconds(10), cancellationToken);

    private Task<Entered> AskAsync() => AskAsync(_worker).Patiently();

    private async Task<string> RefusedAsync() => (await Assert.ThrowsAsync<ChildException>(() => AskAsync(_worker))).Message;
}

/// <summary>Bytes without end.</summary>
internal sealed class Endless : Stream
{
    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count)
    {
        buffer.AsSpan(offset, count).Fill((byte)' ');
        return count;
    }

    public override void Flush() => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
