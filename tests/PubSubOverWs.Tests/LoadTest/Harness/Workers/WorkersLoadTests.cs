using System.Net;
using System.Text.Json;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workers;

/// <summary>The load of a run whose clients are in two load processes.</summary>
public sealed class WorkersLoadTests
{
    private readonly FakeTime _time = new();
    private readonly TaskCompletionSource[] _sent = [new(), new()];
    private readonly TaskCompletionSource[] _nothingLeft = [new(), new()];
    private readonly TaskCompletionSource _mayLeave = new();
    private readonly OrderTaker[] _processes = [new(), new()];
    private readonly TwoWorkers _load;

    public WorkersLoadTests()
    {
        for (var i = 0; i < _processes.Length; i++)
        {
            var process = i;
            _processes[i].Answers = order => AnswerAsync(process, order);
        }

        _load = new TwoWorkers(
            [.. _processes.Select((process, i) => new LoadWorker(new LoadShare(i, 2), process, _time))]);
    }

    [Fact]
    public async Task Each_process_gets_its_share_and_all_the_orders_of_a_trial()
    {
        await EnterAsync();
        Assert.Equal(5 + 6, _load.Connected);
        _load.Begin(firstDue: 1_234);
        foreach (var one in _sent.Concat(_nothingLeft))
            one.SetResult();
        await _load.Waiting.Reached.Patiently();
        Assert.Equal(2, _load.TimesSent);
        await Task.WhenAll(_load.Participants.Select(one => one.StopSendingAsync())).Patiently();
        foreach (var one in _load.Participants)
            one.Leave();
        _mayLeave.SetResult();
        await Task.WhenAll(_load.Participants.Select(one => one.EndAsync())).Patiently();

        Assert.Equal(["7", "8"], _load.Accounts);
        Assert.Equal(
            """/enter {"experiment":"test","plan":"a plan","share":{"index":1,"of":2},"servers":[]}""", _processes[1].Orders[0]);
        Assert.Equal(["""/begin {"firstDue":1234}""", "/wait {}", "/stop {}", "/leave {}"], _processes[1].Orders.Skip(1));
    }

    [Fact]
    public async Task A_process_with_a_clock_of_its_own_is_told_the_due_time_by_it_as_it_was_read_last_and_its_stamps_are_those_of_the_run()
    {
        foreach (var reading in (ClockReading[])[new(10, 1_010, 3), new(100, 1_101, 4), new(1_100, 2_102, 5)])
            _processes[1].Clock.Enqueue(reading);
        await EnterAsync();
        _load.Begin(firstDue: 200);
        foreach (var one in _sent.Concat(_nothingLeft))
            one.SetResult();
        await _load.Waiting.Reached.Patiently();
        _mayLeave.SetResult();
        foreach (var one in _load.Participants)
            one.Leave();
        await Task.WhenAll(_load.Participants.Select(one => one.EndAsync())).Patiently();

        Assert.Contains("""/begin {"firstDue":200}""", _processes[0].Orders);
        Assert.Contains("""/begin {"firstDue":1201}""", _processes[1].Orders);
        Assert.Same(WorkerClock.Same, _load.Clocks[0]);
        Assert.Equal((200, 700), (_load.Clocks[1].Here(1_201), _load.Clocks[1].Here(1_701)));
    }

    [Fact]
    public async Task A_process_that_ends_while_it_sends_ends_the_wait_for_all_and_is_named()
    {
        await EnterAsync();
        _load.Begin(firstDue: 0);
        Assert.Equal([TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(9)], new[] { _load.DueAt(0), _load.DueAt(1) });
        _processes[1].End("ended unexpectedly with exit code 137");

        await _load.Waiting.Reached.Patiently();
        Assert.Equal(TimeSpan.Zero, _load.DueAt(1));
        var failure = await Assert.ThrowsAsync<ChildException>(
            () => Task.WhenAll(_load.Participants.Select(one => one.StopSendingAsync())).Patiently());
        Assert.StartsWith("Load process 2 of 2 ended unexpectedly with exit code 137 before it had answered 'begin', ", failure.Message);
        // What was asked of the other one is given up.
        await _load.Participants[0].EndAsync().Patiently();
    }

    [Fact]
    public async Task A_process_that_cannot_have_its_clients_connect_ends_the_wait_for_those_of_the_others()
    {
        _processes[1].Answers = _ => Task.FromResult(
            new HttpResponseMessage(HttpStatusCode.InternalServerError) { Content = new StringContent("no files") });
        _processes[0].Answers = _ => new TaskCompletionSource<HttpResponseMessage>().Task;

        var failure = await Assert.ThrowsAsync<ChildException>(() => EnterAsync());
        Assert.StartsWith("Load process 2 of 2 could not do 'enter', ", failure.Message);
        Assert.EndsWith(": no files", failure.Message);
        Assert.False(_load.Participants[0].IsIn);
    }

    [Fact]
    public async Task Connections_that_are_cut_by_the_run_fail_nothing()
    {
        await EnterAsync();
        _load.Begin(firstDue: 0);
        foreach (var one in _load.Participants)
        {
            one.Leave();
            one.Abort();
        }

        await Task.WhenAll(_load.Participants.Select(one => one.EndAsync())).Patiently();
        Assert.Equal(0, _load.TimesSent);
        Assert.Equal(TimeSpan.FromSeconds(9), _load.DueAt(1));
        Assert.StartsWith(
            "Load process 1 of 2 answered 'leave' with something that cannot be used (nothing came in time)",
            Assert.Throws<ChildException>(() => _load.Accounts).Message);
    }

    private Task EnterAsync() => Task.WhenAll(_load.Participants.Select(one => one.EnterAsync(_time))).Patiently();

    private async Task<HttpResponseMessage> AnswerAsync(int process, string order)
    {
        object answer = order == WorkerOrders.Enter ? new Entered(5 + process) : Done.Value;
        if (order == WorkerOrders.Begin)
            await _sent[process].Task;
        if (order == WorkerOrders.Wait)
            await _nothingLeft[process].Task;
        if (order == WorkerOrders.Leave)
        {
            await _mayLeave.Task;
            answer = new Left(1, JsonSerializer.SerializeToElement(7 + process));
        }

        return new HttpResponseMessage(HttpStatusCode.OK)
        { Content = new StringContent(JsonSerializer.Serialize(answer, answer.GetType(), WorkerOrders.Json)) };
    }

    private sealed class TwoWorkers(IReadOnlyList<LoadWorker> workers)
        : WorkersLoad("a plan", "test", new ServerGroup([]), workers, clients: 11, [TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(9)])
    {
        private int _timesSent;

        public int TimesSent => Volatile.Read(ref _timesSent);

        public IReadOnlyList<WorkerClock> Clocks => [.. Parts.Select(part => part.Clock)];

        public int Connected => Parts.Sum(part => part.Connected);

        public IReadOnlyList<string> Accounts => [.. Parts.Select(part => part.Left.Account.GetRawText())];

        protected override TimeSpan Deadline => TimeSpan.FromSeconds(1);

        public override void Send(long send) => throw new NotSupportedException();

        public override void Sent() => Interlocked.Increment(ref _timesSent);

        public override Observed Observe(long start, long firstDue) => throw new NotSupportedException();
    }
}
