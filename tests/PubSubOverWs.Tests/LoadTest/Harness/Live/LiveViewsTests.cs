using PubSubOverWs.LoadTest.Harness.Live;

namespace PubSubOverWs.Tests.LoadTest.Harness.Live;

public sealed class LiveViewsTests
{
    private static readonly RunProgress First = new(1, 2, null, null, TimeSpan.Zero, TimeSpan.Zero, []);
    private static readonly RunProgress Second = First with { Done = 2 };

    private readonly List<string> _order = [];

    [Fact]
    public async Task Every_view_is_shown_the_same_progress_in_the_same_order()
    {
        View one = new("one", _order), other = new("other", _order);

        await new LiveViews(one, other).WhileAsync(show =>
        {
            show(First);
            show(Second);
            return Task.CompletedTask;
        });

        Assert.Equal([First, Second], one.Shown);
        Assert.Equal(one.Shown, other.Shown);
    }

    [Fact]
    public async Task A_trial_waits_for_every_view()
    {
        await new LiveViews(new View("one", _order), new View("other", _order)).BeforeTrialAsync(CancellationToken.None);

        Assert.Equal(["one", "other"], _order);
    }

    [Fact]
    public Task A_failure_of_the_run_is_that_of_its_views() => Assert.ThrowsAsync<InvalidOperationException>(
        () => new LiveViews(new View("one", _order)).WhileAsync(_ => throw new InvalidOperationException()));

    private sealed class View(string name, List<string> order) : ILiveView
    {
        public List<RunProgress> Shown { get; } = [];

        public Task WhileAsync(Func<Action<RunProgress>, Task> work) => work(Shown.Add);

        public Task BeforeTrialAsync(CancellationToken cancellationToken)
        {
            order.Add(name);
            return Task.CompletedTask;
        }
    }
}
