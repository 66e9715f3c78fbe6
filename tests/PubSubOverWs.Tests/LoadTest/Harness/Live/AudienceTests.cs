using PubSubOverWs.LoadTest.Harness.Live;

namespace PubSubOverWs.Tests.LoadTest.Harness.Live;

public sealed class AudienceTests
{
    private readonly FakeTime _time = new();
    private readonly Audience _audience;
    private long _version;

    public AudienceTests()
    {
        _audience = new Audience(_time);
        Show();
    }

    [Fact]
    public void Without_a_page_a_trial_begins_at_once() => Assert.True(CloseAsync().IsCompletedSuccessfully);

    [Fact]
    public async Task A_trial_begins_when_every_page_has_drawn_what_it_was_sent()
    {
        var (one, other) = (_audience.Join()!.Value, _audience.Join()!.Value);

        var closing = CloseAsync();
        _audience.Drawn(one, _version);
        Assert.False(closing.IsCompleted);
        _audience.Drawn(other, _version);

        await closing.Patiently();
        await Waiting.UntilAsync(() => _time.TimersSet == 0);
    }

    [Fact]
    public async Task A_page_that_takes_too_long_is_waited_for_once_and_again_when_it_has_drawn()
    {
        var slow = _audience.Join()!.Value;

        var closing = CloseAsync();
        _time.Advance(Audience.Patience);
        await closing.Patiently();
        Show();
        Assert.True(CloseAsync().IsCompletedSuccessfully);

        Show();
        _audience.Drawn(slow, _version);
        Show();
        Assert.False(CloseAsync().IsCompleted);
    }

    [Fact]
    public async Task A_page_that_is_closed_is_not_waited_for()
    {
        var page = _audience.Join()!.Value;
        var closing = CloseAsync();

        _audience.Leave(page);

        await closing.Patiently();
    }

    [Fact]
    public async Task While_a_trial_runs_nothing_is_answered_and_nothing_is_sent()
    {
        await CloseAsync();
        var answered = false;
        var answering = _audience.AnswerAsync(() => Task.FromResult(answered = true), isPage: false, CancellationToken.None);
        var news = _audience.NewsAsync(0, CancellationToken.None);
        await Waiting.GiveWayAsync(100);
        Assert.False(answered || answering.IsCompleted || news.IsCompleted);

        Show();

        await answering.Patiently();
        await news.Patiently();
        Assert.True(answered);
    }

    [Fact]
    public async Task A_trial_waits_for_an_answer_under_way_and_for_the_page_that_begins_with_it()
    {
        var content = new TaskCompletionSource();
        var answering = _audience.AnswerAsync(() => content.Task, isPage: true, CancellationToken.None);
        var closing = CloseAsync();

        content.SetResult();
        await answering.Patiently();
        Assert.False(closing.IsCompleted);
        _audience.Drawn(_audience.Join()!.Value, _version);

        await closing.Patiently();
    }

    [Fact]
    public async Task A_page_that_was_asked_for_and_never_came_is_waited_for_once()
    {
        await _audience.AnswerAsync(() => Task.CompletedTask, isPage: true, CancellationToken.None);

        var closing = CloseAsync();
        _time.Advance(Audience.Patience);
        await closing.Patiently();
        Show();

        Assert.True(CloseAsync().IsCompletedSuccessfully);
    }

    [Fact]
    public async Task A_run_that_is_stopped_while_a_page_draws_is_stopped_at_once_and_the_page_is_answered()
    {
        using var stop = new CancellationTokenSource();
        var page = _audience.Join()!.Value;
        var closing = _audience.CloseAsync(stop.Token);

        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => closing);
        _audience.Open();
        _audience.Drawn(page, _version);
        Assert.True(_audience.AnswerAsync(() => Task.CompletedTask, isPage: false, CancellationToken.None).IsCompletedSuccessfully);
    }

    [Fact]
    public void Too_many_pages_are_refused_until_one_is_closed()
    {
        var pages = Enumerable.Range(0, Audience.MaxPages).Select(_ => _audience.Join()).ToArray();

        Assert.DoesNotContain(null, pages);
        Assert.Null(_audience.Join());
        _audience.Leave(pages[0]!.Value);
        Assert.NotNull(_audience.Join());
    }

    private void Show() => _audience.Show(++_version);

    private Task CloseAsync() => _audience.CloseAsync(CancellationToken.None);
}
