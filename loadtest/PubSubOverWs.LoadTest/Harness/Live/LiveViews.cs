namespace PubSubOverWs.LoadTest.Harness.Live;

/// <summary>Several views of one run: each is shown everything.</summary>
public sealed class LiveViews(params IReadOnlyList<ILiveView> views) : ILiveView
{
    public Task WhileAsync(Func<Action<RunProgress>, Task> work)
    {
        return ShownBy(0, _ => { });

        Task ShownBy(int next, Action<RunProgress> show) =>
            next == views.Count ? work(show) : views[next].WhileAsync(one => ShownBy(next + 1, show + one));
    }

    public async Task BeforeTrialAsync(CancellationToken cancellationToken)
    {
        foreach (var view in views)
            await view.BeforeTrialAsync(cancellationToken);
    }
}
