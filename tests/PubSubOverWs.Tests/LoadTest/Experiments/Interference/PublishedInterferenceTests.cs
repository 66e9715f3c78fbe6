using PubSubOverWs.LoadTest.Experiments.Interference;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Interference;

public sealed class PublishedInterferenceTests
{
    private readonly PublishedInterference _published = PublishedInterference.Load();

    [Fact]
    public void Three_of_the_six_cells_missed_the_rate_of_their_stream_by_more_than_a_fifth() => Assert.Equal(
        [(1, "1 MB every 500 us"), (10, "10 KB every 500 us"), (10, "1 MB every 500 us")],
        _published.Cells.Where(cell => cell.Share < 0.8).Select(cell => (cell.RequestEveryMs, cell.Published)));

    // 19710 KB, 154350 KB, 787 MB and 7520 MB are printed.
    [Fact]
    public void Messages_that_arrived_are_the_printed_sizes() => Assert.Equal(
        [0, 19_710, 787, 0, 154_350, 7_520],
        _published.Cells.Select(cell => cell.Published.StartsWith("10 KB", StringComparison.Ordinal)
            ? cell.ArrivedMessages * 10
            : cell.ArrivedMessages));

    [Fact]
    public void Messages_that_were_asked_for_are_the_time_of_the_requests_by_the_period() => Assert.All(
        _published.Cells.Where(cell => cell.AskedMessages > 0),
        cell => Assert.Equal(1_000 * cell.RequestEveryMs * 1_000 / 500, cell.AskedMessages));
}
