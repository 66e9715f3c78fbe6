using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Misbehaving.Load;

/// <summary>
/// The clients that misbehave, as an iteration sees them: their process starts with it, and they misbehave from half-way until nothing is
/// sent any more. What they have left in their queues is then taken, so that the next trial does not meet it.
/// </summary>
/// <param name="target">Where they connect.</param>
/// <param name="way">What they do.</param>
/// <param name="count">How many there are.</param>
internal sealed class OtherClients(ClientTarget target, Misbehaviour way, int count) : IParticipant
{
    private readonly CancellationTokenSource _stopping = new();
    private readonly StompConnection _cleaner = new(target);
    private ChildServer? _process;
    private Task _beginning = Task.CompletedTask;
    private Task _ending = Task.CompletedTask;
    private bool _isDisposed;

    /// <summary>The queues that they alone consume.</summary>
    public IReadOnlyList<string> Queues { get; } = way == Misbehaviour.None ? [] : MisbehavingClients.QueuesOf(way, count);

    /// <summary>False: its clients are none of those that are measured.</summary>
    public bool IsIn => false;

    /// <summary>Why they did not misbehave as they should; null: they did.</summary>
    public ConnectFailure? Failure { get; private set; }

    /// <summary>How often the server cut one of them, or did not let one in.</summary>
    public int Cut { get; private set; }

    public Task EnterAsync(TimeProvider time) => way == Misbehaviour.None ? Task.CompletedTask : TryAsync(async () =>
        _process = await MisbehavingProgram.StartAsync(target.Address, way, count, _stopping.Token));

    /// <summary>They begin. Never waits.</summary>
    public void Begin()
    {
        if (_process is { } process)
            _beginning = TryAsync(() => MisbehavingProgram.BeginAsync(process, _stopping.Token));
    }

    /// <summary>What is measured from now on is beside them.</summary>
    public void MustHaveBegun()
    {
        if (!_beginning.IsCompleted)
            Failure ??= new ConnectFailure(Cause.Deadline, "clients had not begun to misbehave: give them more time with 'settle'");
    }

    public Task StopSendingAsync() => _ending = TryAsync(async () =>
    {
        if (_process is not { } process)
            return;
        await _beginning;
        Cut = await MisbehavingProgram.CutAsync(process, _stopping.Token);
        await process.StopAsync();
        if (Queues.Count > 0)
            await CleanAsync();
    });

    public void Leave()
    {
        if (Queues.Count > 0)
            _cleaner.Leave();
    }

    public async Task EndAsync()
    {
        await _ending;
        if (_process is { } process)
            await process.DisposeAsync();
    }

    /// <summary>Also after it was disposed.</summary>
    public void Abort()
    {
        if (_isDisposed)
            return;
        _stopping.Cancel();
        _cleaner.Abort();
    }

    public void Dispose()
    {
        _isDisposed = true;
        _cleaner.Dispose();
        _stopping.Dispose();
    }

    private async Task CleanAsync()
    {
        var failure = await _cleaner.OpenAsync() ?? await _cleaner.LogInAsync();
        for (var i = 0; i < Queues.Count && failure is null; i++)
            failure = await _cleaner.SubscribeAsync(StompMessages.Subscribe(Invariant($"s{i}"), Queues[i]), (_, _) => { });
        if (failure is not null)
            throw new ChildException($"What misbehaving clients have left in their queues could not be taken: {failure.Detail}.");
        do
        {
            while (_cleaner.TryRead(out _))
            {
            }
        }
        while (await _cleaner.ReceiveAsync());
    }

    private async Task TryAsync(Func<Task> work)
    {
        try
        {
            await work();
        }
        catch (ChildException failed)
        {
            Failure ??= new ConnectFailure(Cause.ServerClosed, failed.Message);
        }
        catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
        {
            // The trial was stopped.
        }
    }
}
