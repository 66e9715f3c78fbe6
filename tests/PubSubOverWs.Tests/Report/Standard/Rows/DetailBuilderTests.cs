using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Report.Metrics;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Report.Standard.Rows;

public sealed class DetailBuilderTests
{
    [Fact]
    public void Losses_that_come_together_get_no_interval_on_messages()
    {
        var together = DetailBuilder.Losses(Level(Lost(0), Lost(0), Lost(0), Lost(30)));
        Assert.Equal(30, together.Dispersion);
        Assert.Null(together.MessageShare);
        Assert.Equal((1, 4), (together.WithLoss, together.Iterations));

        var apart = DetailBuilder.Losses(Level(Lost(3), Lost(2), Lost(3), Lost(2)));
        Assert.NotNull(apart.MessageShare);
        Assert.True(apart.MessageShare.Value.Contains(10 / 400.0));
    }

    [Fact]
    public void Percentiles_are_medians_over_iterations_and_missing_where_one_lacks_them()
    {
        var rows = new[] { 10_000.0, 30_000, 20_000 }.Select((mean, i) => Some.Row(Relays.Direct, 100, 1, i + 1, mean)).ToArray();
        Assert.Equal(19.999, DetailBuilder.LatencyShape(Level(rows)).P50);
        Assert.Equal(60, DetailBuilder.LatencyShape(Level(rows)).Max);

        rows[1] = rows[1] with { FromSent = rows[1].FromSent with { P50 = null } };
        Assert.Null(DetailBuilder.LatencyShape(Level(rows)).P50);
    }

    [Fact]
    public void Cpu_is_per_delivered_message_and_unknown_where_a_part_is()
    {
        var known = DetailBuilder.Load(Some.Run, Level(Lost(0), Lost(0)));
        Assert.Equal((50, null, 60), (known.ServerCpuUs, known.QueueCpuUs, known.LoadCpuUs));

        var unknown = DetailBuilder.Load(Some.Run, Level(Lost(0), Lost(0) with { Cpu = default }));
        Assert.Null(unknown.ServerCpuUs);
    }

    [Fact]
    public void The_asked_rate_stands_beside_the_reached_one_in_open_loop_work_only()
    {
        var spread = Some.RunOf(Some.Scenario with { Arrival = Arrival.Parse("spread:2s") });
        var load = DetailBuilder.Load(spread, Level(Lost(0) with { Burst = TimeSpan.FromSeconds(4) }));
        Assert.Equal((50, 25), (load.AskedPerSecond, load.ReachedPerSecond));
        Assert.Null(DetailBuilder.Load(Some.Run, Level(Lost(0))).AskedPerSecond);
    }

    [Fact]
    public void Egress_counts_bytes_to_the_queue_and_bytes_to_clients()
    {
        var row = Some.Row(Relays.PubSub, 100, 1, 1);
        var egress = DetailBuilder.Egress(new ArmLevel(Relays.PubSub, Some.Level(100), [row, row with { Iteration = 2 }]));
        Assert.Equal(200, egress.Delivered);
        Assert.Equal(254 + 546, egress.PerMessage.BytesOut);
        Assert.Null(new EgressRow(Relays.PubSub, 100, 0, default, default).PerMessage.BytesOut);
    }

    [Fact]
    public void Egress_and_drops_are_unknown_where_one_iterations_are()
    {
        var untold = Lost(1) with { ClientBytes = null, Queue = null, Drops = null };
        var egress = DetailBuilder.Egress(Level(Lost(0), untold));
        Assert.Equal((null, null, null), (egress.Clients, egress.Queue, egress.PerMessage.BytesOut));
        Assert.Null(DetailBuilder.Losses(Level(Lost(0), untold)).Drops);
        Assert.Null(MessageMetrics.Bytes.Shown(Some.Scenario, untold));
        Assert.Null(MessageMetrics.KbpsOverBurst.Shown(Some.Scenario, untold));
    }

    [Fact]
    public void Metrics_of_an_iteration_that_delivered_nothing_are_missing_and_not_zero()
    {
        var none = Lost(100);
        Assert.Null(MessageMetrics.Bytes.Shown(Some.Scenario, none));
        Assert.Equal(100, MessageMetrics.Loss.Shown(Some.Scenario, none));
        Assert.Null(MessageMetrics.KbpsOverBurst.Shown(Some.Scenario, none with { Burst = TimeSpan.Zero }));
    }

    [Fact]
    public void Bandwidth_is_over_the_deadline_or_over_the_arms_own_duration()
    {
        var row = Lost(0) with { ClientBytes = new ClientBytes(0, 0, 0, 25_000), Burst = TimeSpan.FromSeconds(2) };
        Assert.Equal(20, MessageMetrics.KbpsOverDeadline.Shown(Some.Scenario, row));
        Assert.Equal(100, MessageMetrics.KbpsOverBurst.Shown(Some.Scenario, row));
    }

    private static ArmLevel Level(params IterationRow[] rows) => new(Relays.Direct, Some.Level(100), rows);

    private static IterationRow Lost(int lost) => Some.Row(Relays.Direct, 100, 1, 1) with
    {
        Buckets = new Buckets
        { Attempts = 100, Delivered = 100 - lost, LostUnacknowledged = lost, Causes = new CauseCounts(Deadline: lost) },
    };
}
