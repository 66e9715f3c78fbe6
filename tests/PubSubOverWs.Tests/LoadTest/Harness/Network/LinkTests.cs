using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class LinkTests : IDisposable
{
    private static readonly byte[] Hello = "hello"u8.ToArray();

    private readonly LinkRig _rig = new();

    public void Dispose() => _rig.Dispose();

    [Fact]
    public async Task Without_toxics_bytes_pass_at_once_and_so_does_the_end()
    {
        await _rig.SendAsync(Hello);
        Assert.Equal(Hello, await _rig.ReceiveAsync(5));

        await _rig.Sender.DisposeAsync();

        await _rig.Reading.Patiently();
        Assert.True(await _rig.Writing.Patiently());
        Assert.Equal(5, _rig.Passed);
    }

    [Fact]
    public async Task An_idle_link_holds_no_buffer()
    {
        await _rig.SendAsync(Hello);
        await _rig.ReceiveAsync(5);

        await Waiting.UntilAsync(() => _rig.Source.PendingRead == 0);
    }

    [Fact]
    public async Task Late_bytes_come_when_they_are_due_and_not_before()
    {
        _rig.Apply(new LatencyToxic(Passed.Seconds(2)));
        await _rig.SendAsync(Hello);
        await Waiting.UntilAsync(() => _rig.Time.TimersSet == 1);

        _rig.Time.Advance(Passed.Seconds(1.999));
        Assert.Equal(0, _rig.Passed);
        _rig.Time.Advance(Passed.Seconds(0.001));

        Assert.Equal(Hello, await _rig.ReceiveAsync(5));
    }

    [Fact]
    public async Task Small_messages_are_each_as_late_as_the_delay_however_many_are_under_way()
    {
        _rig.Apply(new LatencyToxic(Passed.Seconds(2)));
        for (var sent = 1; sent <= 100; sent++)
        {
            await _rig.SendAsync(Hello);
            // Else the clock goes on before the link has looked at it, for the chunk that it read or for its timer.
            await Waiting.UntilAsync(() =>
                _rig.Source.BytesRead == sent * Hello.Length && _rig.Source.PendingRead == 0 && _rig.Time.TimersSet == 1);
            _rig.Time.Advance(Passed.Seconds(0.001));
        }

        _rig.Time.Advance(Passed.Seconds(1.899));
        Assert.Equal(0, _rig.Passed);
        for (var due = 1; due <= 100; due++)
        {
            await Waiting.UntilAsync(() => _rig.Time.TimersSet == 1);
            _rig.Time.Advance(Passed.Seconds(0.001));
            await Waiting.UntilAsync(() => _rig.Passed >= due * Hello.Length);
            Assert.Equal(due * Hello.Length, _rig.Passed);
        }
    }

    [Fact]
    public async Task The_end_is_as_late_as_bytes_are()
    {
        _rig.Apply(new LatencyToxic(Passed.Seconds(2)));
        await _rig.Sender.DisposeAsync();
        await Waiting.UntilAsync(() => _rig.Time.TimersSet == 1);

        _rig.Time.Advance(Passed.Seconds(1.999));
        Assert.False(_rig.Writing.IsCompleted);
        _rig.Time.Advance(Passed.Seconds(0.001));

        Assert.True(await _rig.Writing.Patiently());
    }

    [Fact]
    public async Task The_thread_that_changes_the_toxics_does_not_write_the_delayed_bytes()
    {
        _rig.Apply(new LatencyToxic(Passed.Seconds(2)));
        await _rig.SendAsync(Hello);
        await Waiting.UntilAsync(() => _rig.Time.TimersSet == 1);
        // A thread of the pool would come back to it.
        var changing = new Thread(() => _rig.Apply());

        changing.Start();
        changing.Join();

        await _rig.ReceiveAsync(5);
        await Waiting.UntilAsync(() => _rig.Passed == 5);
        Assert.NotEqual(changing.ManagedThreadId, _rig.WrittenBy);
    }

    [Fact]
    public async Task The_end_comes_after_all_that_is_still_late()
    {
        _rig.Apply(new LatencyToxic(Passed.Seconds(2)));
        await _rig.SendAsync(Hello);
        await _rig.Sender.DisposeAsync();
        await _rig.Reading.Patiently();
        Assert.False(_rig.Writing.IsCompleted);

        Assert.Equal(Hello, await _rig.ReceiveAsync(5, step: Passed.Seconds(1)));
        Assert.True(await _rig.Writing.Patiently());
    }

    [Fact]
    public async Task Nothing_is_changed_by_slices_jitter_and_a_slow_wire()
    {
        var sent = new byte[200_000];
        new Random(3).NextBytes(sent);
        _rig.Apply(
            new SlicerToxic(700, 300, Passed.Seconds(0.001)), new LatencyToxic(Passed.Seconds(1), Passed.Seconds(1)),
            new BandwidthToxic(50_000));

        await _rig.SendAsync(sent);

        Assert.Equal(sent, await _rig.ReceiveAsync(sent.Length, step: Passed.Seconds(0.05)));
    }

    [Fact]
    public async Task A_slow_link_reads_no_more_than_its_queue_holds()
    {
        const int Most = Link.BytesInLine + Link.ChunkBytes;
        _rig.Apply(new LatencyToxic(Passed.Seconds(2)));

        await _rig.SendAsync(new byte[10 * Most]);

        await Waiting.UntilAsync(() => _rig.Source.BytesRead == Most);
        await Waiting.GiveWayAsync(1_000);
        Assert.Equal(Most, _rig.Source.BytesRead);
        Assert.Equal(10 * Most, (await _rig.ReceiveAsync(10 * Most, step: Passed.Seconds(1))).Length);
    }

    [Fact]
    public async Task Toxics_that_are_taken_back_hold_nothing_up_any_more()
    {
        _rig.Apply(new BandwidthToxic(1));
        await _rig.SendAsync(Hello);
        await Waiting.UntilAsync(() => _rig.Time.TimersSet == 1);
        _rig.Time.Advance(Passed.Seconds(2));
        Assert.Equal("he"u8.ToArray(), await _rig.ReceiveAsync(2));

        _rig.Apply();
        await _rig.SendAsync("!"u8.ToArray());

        Assert.Equal("llo!"u8.ToArray(), await _rig.ReceiveAsync(4));
        await Waiting.UntilAsync(() => _rig.Time.TimersSet == 0);
    }

    [Fact]
    public async Task A_new_toxic_applies_only_to_bytes_that_come_after_it()
    {
        await _rig.SendAsync(Hello);
        await _rig.ReceiveAsync(5);

        _rig.Apply(new LatencyToxic(Passed.Seconds(2)));
        await _rig.SendAsync(Hello);
        await Waiting.UntilAsync(() => _rig.Time.TimersSet == 1);

        Assert.Equal(5, _rig.Passed);
    }

    [Fact]
    public async Task A_limit_passes_its_bytes_and_ends_the_link()
    {
        _rig.Apply(new LimitToxic(3));

        await _rig.SendAsync(Hello);

        Assert.False(await _rig.Writing.Patiently());
        Assert.Equal("hel"u8.ToArray(), await _rig.ReceiveAsync(3));
        Assert.Equal(3, _rig.Passed);
    }

    [Fact]
    public async Task A_valve_that_is_shut_lets_nothing_through_not_even_the_end()
    {
        _rig.Valve.Shut();
        await _rig.SendAsync(Hello);
        await Waiting.UntilAsync(() => _rig.Source.BytesRead == 5);
        await _rig.Sender.DisposeAsync();
        Assert.Equal(0, _rig.Passed);
        Assert.False(_rig.Writing.IsCompleted);

        _rig.Valve.Open();

        Assert.Equal(Hello, await _rig.ReceiveAsync(5));
        Assert.True(await _rig.Writing.Patiently());
    }

    [Fact]
    public async Task A_source_that_breaks_is_not_taken_for_one_that_ends()
    {
        await Waiting.UntilAsync(() => _rig.Source.PendingRead == 0);

        await _rig.Source.DisposeAsync();

        await Assert.ThrowsAsync<IOException>(() => _rig.Reading.Patiently());
        await Assert.ThrowsAsync<IOException>(() => _rig.Writing.Patiently());
    }

    [Fact]
    public async Task A_sink_that_breaks_is_noticed()
    {
        _rig.Sink.Break();

        await _rig.SendAsync(Hello);

        await Assert.ThrowsAsync<IOException>(() => _rig.Reading.Patiently());
    }

    [Fact]
    public async Task A_link_that_is_cut_leaves_no_timer()
    {
        _rig.Apply(new LatencyToxic(TimeSpan.FromHours(1)));
        await _rig.SendAsync(Hello);
        await Waiting.UntilAsync(() => _rig.Time.TimersSet == 1);

        _rig.Cut();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _rig.Writing.Patiently());
        Assert.Equal(0, _rig.Time.TimersSet);
    }
}
