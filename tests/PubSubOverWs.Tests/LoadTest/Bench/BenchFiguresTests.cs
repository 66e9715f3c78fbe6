using PubSubOverWs.LoadTest.Bench;
using PubSubOverWs.Tests.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Bench;

public class BenchFiguresTests
{
    [Fact]
    public void A_leg_reports_messages_per_second_and_microseconds_per_message()
    {
        var leg = new Leg(
            "pubsub", Messages: 50_000, Seconds: 2, ServerCpuSeconds: 1, QueueCpuSeconds: 0.5, LoadCpuSeconds: 0.25, Missing: 0);

        Assert.Equal((25_000, 20, 10, 5), (leg.MessagesPerSecond, leg.ServerMicroseconds, leg.QueueMicroseconds, leg.LoadMicroseconds));
        Assert.Equal("  pubsub          25,000      20.00     10.00     5.00", BenchText.Line(leg));
    }

    [Fact]
    public void Messages_that_did_not_come_back_are_reported()
    {
        var leg = new Leg("direct", Messages: 1, Seconds: 1, ServerCpuSeconds: 1, QueueCpuSeconds: null, LoadCpuSeconds: 1, Missing: 3);

        Assert.EndsWith("3 messages did not come back", BenchText.Line(leg), StringComparison.Ordinal);
    }

    [Fact]
    public void The_median_ratio_is_over_pairs_in_their_order()
    {
        var figures = new RelayFigures(
            177, 223, 200, [Direct(12), Echo(10), Direct(30), Echo(20), Direct(11), Echo(10), Direct(13), Echo(10)]);

        Assert.Equal([1.2, 1.5, 1.1, 1.3], figures.Ratios, (expected, actual) => Math.Abs(expected - actual) < 1e-12);
        Assert.Equal(1.25, figures.MedianRatio!.Value, 12);
        Assert.Equal("  server CPU per message, direct / echo: median 1.25 of 4 pairs (1.10 to 1.50)", BenchText.Verdict(figures));
    }

    [Fact]
    public void A_queue_leg_reports_its_send_take_and_through_rates_and_those_per_core_second()
    {
        var leg = new QueueLeg(
            "localsqs", "http", Messages: 60_000, SendSeconds: 1, TakeSeconds: 2, SendCpuSeconds: 0.5, TakeCpuSeconds: 1.5,
            new ClientUse(3, 120_000_000), new PacedFigures(0.7, 2, 90));

        Assert.Equal((60_000, 30_000, 20_000), (leg.SendsPerSecond, leg.TakesPerSecond, leg.ThroughPerSecond));
        Assert.Equal((120_000, 40_000), (leg.SendsPerCoreSecond, leg.TakesPerCoreSecond));
        // Shorter than a tick of the system's CPU clock: not infinitely many, which JSON could not even say.
        Assert.Null((leg with { SendCpuSeconds = 0 }).SendsPerCoreSecond);
    }

    [Fact]
    public void Two_queue_servers_are_compared_pair_by_pair()
    {
        QueueLeg Local(double seconds) => new("localsqs", "http", 1_000, seconds, seconds, 1, 1, Use, Paced);
        QueueLeg Other(double seconds) => new("127.0.0.1:1", "http", 1_000, seconds, seconds, null, null, Use, Paced);
        var figures = new QueueFigures([Local(1), Other(2), Local(2), Other(2), Local(1), Other(3)], 1_000, 0.005, 1_000_000, 1 << 28);

        Assert.Equal([2, 1, 3], figures.Ratios);
        Assert.Equal(
            [
                "  messages/s through, LocalSqs / the other: median 2.00 of 3 pairs (1.00 to 3.00)",
                "  1,000 long polls that wait: 0.50 % of a core",
                "  1,000,000 messages of 100 B in the queue: 256 MiB resident",
            ],
            BenchText.Verdicts(figures));
    }

    [Fact]
    public void The_clients_are_compared_with_each_other_leg_by_leg()
    {
        QueueLeg Through(string client, double seconds, double cpu) =>
            new("localsqs", client, 1_000, seconds, seconds, 1, 1, new ClientUse(cpu, 2_000_000),
                new PacedFigures(P50: seconds, P99: 4, Microseconds: 50));
        var figures = new QueueFigures(
            [Through("aws-sdk", 2, 3), Through("http", 1, 1), Through("http", 1, 1), Through("aws-sdk", 4, 2)], 1_000, 0.005, 1_000_000,
            1 << 28);

        Assert.Equal((3_000, 2_000), (figures.Legs[0].ClientMicroseconds, figures.Legs[0].ClientBytes));
        Assert.Equal([3, 2], figures.OfClients(leg => leg.ClientMicroseconds));
        Assert.Equal(
            [
                "  messages/s through, aws-sdk / http: median 0.38 of 2 pairs (0.25 to 0.50)",
                "  CPU of the client per message, aws-sdk / http: median 2.50 of 2 pairs (2.00 to 3.00)",
                "  allocated by the client per message, aws-sdk / http: median 1.00 of 2 pairs (1.00 to 1.00)",
                "  paced p50, aws-sdk / http: median 3.00 of 2 pairs (2.00 to 4.00)",
                "  paced p99, aws-sdk / http: median 1.00 of 2 pairs (1.00 to 1.00)",
                "  paced CPU of the client per message, aws-sdk / http: median 1.00 of 2 pairs (1.00 to 1.00)",
            ],
            BenchText.Verdicts(figures).Take(6));
    }

    [Fact]
    public void One_server_alone_has_no_ratio()
    {
        var figures = new RelayFigures(177, 223, 177, [Direct(12)]);

        Assert.Null(figures.MedianRatio);
        Assert.Null(BenchText.Verdict(figures));
        Assert.Null(new IdleFigures([new IdleServer("direct", 1, 0, 1, 1, 1)]).Ratio);
    }

    [Fact]
    public void The_memory_of_an_idle_connection_is_the_memory_added_divided_by_the_connections()
    {
        var direct = new IdleServer(
            "direct", 10, ResidentBytesBefore: 1_000, ResidentBytesAfter: 1_000 + (10 * 1_536), FirstConnectSeconds: 2,
            ConnectSeconds: 0.5);
        var echo = new IdleServer(
            "null-echo", 10, ResidentBytesBefore: 5_000, ResidentBytesAfter: 5_000 + (10 * 1_024), FirstConnectSeconds: 1,
            ConnectSeconds: 1);

        Assert.Equal("  direct         1.5 KiB a connection        20 connects/s (5 by fresh processes)", BenchText.Line(direct));
        Assert.Equal("  memory of an idle connection, direct / echo: 1.50", BenchText.Verdict(new IdleFigures([direct, echo])));
    }

    private static ClientUse Use => new(1, 1);

    private static PacedFigures Paced => new(1, 1, 1);

    private static Leg Direct(double microseconds) => new("direct", 1, 1, microseconds / 1e6, null, 0, 0);

    private static Leg Echo(double microseconds) => new("null-echo", 1, 1, microseconds / 1e6, null, 0, 0);
}
