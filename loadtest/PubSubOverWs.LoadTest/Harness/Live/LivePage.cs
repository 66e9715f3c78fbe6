using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>
/// The page of <c>run --live</c>: shows a run in browsers of this machine, by server-sent events. It listens on 127.0.0.1, and only reads.
/// </summary>
public sealed class LivePage : ILiveView, IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly LiveState _state = new();
    private readonly Audience _audience;
    private readonly TimeProvider _time;
    private readonly CancellationTokenSource _stopping = new();
    private string? _report;

    private LivePage(WebApplication app, TimeProvider time)
    {
        _app = app;
        _time = time;
        _audience = new Audience(time);
        _audience.Show(_state.Version);
        app.UseLoopbackHost();
        new LiveRoutes(_state, _audience, () => _report, _stopping.Token).Map(app);
    }

    public Uri Address => new(_app.Urls.Single());

    /// <param name="port">0: any that is free.</param>
    /// <exception cref="RefusalException">The port cannot be listened on.</exception>
    public static async Task<LivePage> StartAsync(int port, TimeProvider time, CancellationToken cancellationToken)
    {
        var app = LoopbackServer.CreateForPages(port, 8 * Audience.MaxPages);
        var page = new LivePage(app, time);
        try
        {
            await app.StartAsync(cancellationToken);
            return page;
        }
        catch (Exception error) when (error is IOException or SocketException)
        {
            await app.DisposeAsync();
            throw new RefusalException(
                $"The live page cannot listen on port {port} of 127.0.0.1 ({error.GetBaseException().Message.TrimEnd('.')}): "
                    + "give --live another port, or none for one that is free.", error);
        }
    }

    /// <summary>Says what is run, once it is known.</summary>
    public void Begin(LiveRun run) => Change(() => _state.Begin(run));

    public async Task WhileAsync(Func<Action<RunProgress>, Task> work)
    {
        try
        {
            await work(progress => Change(() => _state.Add(progress)));
        }
        finally
        {
            _audience.Open();
        }
    }

    public Task BeforeTrialAsync(CancellationToken cancellationToken) => _audience.CloseAsync(cancellationToken);

    /// <summary>The run has ended, and its report is made.</summary>
    /// <param name="stays"><see cref="StayAsync"/> follows.</param>
    public void End(ExitCode code, string folder, bool stays)
    {
        _report = Path.Combine(folder, "report.html");
        var text = code switch
        {
            ExitCode.Success => "The run has ended, and nothing that was asked of it failed.",
            ExitCode.GateFailed => "The run has ended; a gate failed or the run is not valid, and the report says which.",
            _ => string.Create(CultureInfo.InvariantCulture, $"The run has ended with exit code {(int)code}."),
        };
        Change(() => _state.End(new LiveEnd(text, File.Exists(_report), stays)));
    }

    /// <summary>Completes when the program is stopped.</summary>
    public async Task StayAsync(CancellationToken stopping) =>
        await Task.Delay(Timeout.InfiniteTimeSpan, _time, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    /// <summary>Ends the page; open ones are told.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_stopping.IsCancellationRequested)
            return;
        Change(() => _state.End(new LiveEnd(
            "The run was stopped, or it failed: the terminal says why. What was recorded is kept.", HasReport: false, Stays: false)));
        await _audience.CloseAsync(CancellationToken.None);
        _audience.Open();
        await _stopping.CancelAsync();
        await _app.StopAsync();
        await _app.DisposeAsync();
        _stopping.Dispose();
    }

    private void Change(Action change)
    {
        change();
        _audience.Show(_state.Version);
    }
}
