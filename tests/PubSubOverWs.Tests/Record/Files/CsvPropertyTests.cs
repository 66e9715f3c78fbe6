using System.Text;
using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using Outcome = PubSubOverWs.Record.Accounting.Outcome;

namespace PubSubOverWs.Tests.Record.Files;

/// <summary>Whatever is recorded is read back as it was.</summary>
public sealed class CsvPropertyTests
{
    private static readonly Flow[] Flows =
        [new("request", "client", "server", LatencyFrom.Due), new("reply", "server", "client", LatencyFrom.Sent)];

    [Fact]
    public void Any_attempt_is_read_back_from_samples_as_it_was() =>
        Prop.ForAll(Attempts().ArrayOf().ToArbitrary(), RoundTripsAsSamples).QuickCheckThrowOnFailure();

    [Fact]
    public void Any_row_is_read_back_from_iterations_as_it_was() =>
        Prop.ForAll(Rows().ToArbitrary(), RoundTripsAsRow).QuickCheckThrowOnFailure();

    [Fact]
    public void A_line_of_samples_reads_the_same_with_and_without_strings() =>
        Prop.ForAll(SampleLines().ToArbitrary(), line =>
        {
            if (!new SampleLine(Flows).TryParse(Encoding.UTF8.GetBytes(line), out var quick))
                return;
            var lines = new Lines(new MemoryStream(Encoding.UTF8.GetBytes($"{Csv.Line(SampleCsv.Header)}\n{line}\n")));
            var table = new CsvTable(lines, "samples.csv.gz", SampleCsv.Header);
            Assert.True(lines.TryNext());
            Assert.Equal(SampleCsv.Parse(Flows, table.Row()), quick);
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(2000));

    [Fact]
    public void The_samples_of_a_run_are_read_without_strings() => Prop.ForAll(Attempts().ToArbitrary(), one =>
    {
        var usual = one with
        {
            MessageId = "r1-7-3",
            CorrelationId = one.CorrelationId is null ? null : "r1-7",
            Due = one.Due.Duration(),
            Sent = one.Sent?.Duration(),
            Receipt = one.Receipt?.Duration(),
            Received = one.Received?.Duration()
        };
        var sample = new Sample(Relays.Direct, 7, usual);
        Assert.True(new SampleLine(Flows).TryParse(Encoding.UTF8.GetBytes(SampleCsv.Line(Flows, sample)), out var read));
        Assert.Equal(sample, read);
    }).QuickCheckThrowOnFailure();

    private static bool RoundTripsAsSamples(Attempt[] attempts)
    {
        using var folder = new TemporaryFolder();
        using (var writer = RecordWriter.Create(folder.Path, Some.Underway))
        {
            var row = Some.Row(Relays.Direct, 1, 1, 1) with
            { Buckets = new Buckets { Attempts = attempts.Length, Delivered = attempts.Length } };
            writer.Add(row, [.. attempts.Select(one => one with { Flow = 0 })], []);
        }

        return SampleFile.Read(folder.Path, Some.Scenario.Flows)
            .SequenceEqual(attempts.Select(one => new Sample(Relays.Direct, 1, one with { Flow = 0 })));
    }

    private static bool RoundTripsAsRow(IterationRow row)
    {
        using var folder = new TemporaryFolder();
        using (var writer = RecordWriter.Create(folder.Path, Some.Underway))
            writer.Add(row, [.. Enumerable.Range(0, (int)row.Buckets.Attempts).Select(Some.Attempt)], []);
        return RecordReader.Read(folder.Path).Rows.Single() == row;
    }

    private static Gen<Attempt> Attempts() =>
        from id in Text()
        from publisher in Gen.Choose(0, int.MaxValue)
        from recipient in Gen.Choose(0, int.MaxValue)
        from due in Times()
        from sent in Optional(Times())
        from receipt in Optional(Times())
        from received in Optional(Times())
        from outcome in Gen.Elements(Enum.GetValues<Outcome>())
        from cause in Gen.Elements(Enum.GetValues<Cause>())
        from flow in Gen.Choose(0, 1)
        from tied in Text()
        select new Attempt(id, publisher, recipient, due, sent, receipt, received, outcome, cause)
        { Flow = flow, CorrelationId = tied.Length == 0 ? null : tied };

    private static Gen<IterationRow> Rows() =>
        from delivered in Gen.Choose(0, 5)
        from late in Gen.Choose(0, 5)
        from refused in Gen.Choose(0, 5)
        from counts in Gen.Choose(0, int.MaxValue).ListOf(8)
        from times in Times().ListOf(4)
        from cpu in Optional(Times()).ListOf(4)
        from lag in Optional(Times())
        from mean in Optional(Numbers())
        from told in Gen.Elements(true, false).ListOf(3)
        from state in Gen.Elements(Enum.GetValues<DrainState>())
        select Some.Row(Relays.PubSub, 7, 2, 3) with
        {
            Start = times[0],
            Connect = times[1].Duration(),
            Burst = times[2].Duration(),
            Drain = times[3].Duration(),
            DrainState = state,
            ScheduleLagP99 = lag,
            LateSends = late,
            Buckets = new Buckets
            {
                Attempts = delivered + late + refused,
                Delivered = delivered,
                Late = late,
                Refused = refused,
                Causes = new CauseCounts(Deadline: late, HandshakeRejected: refused),
            },
            Anomalies = new Anomalies(counts[0], counts[1], counts[2], counts[3]),
            Drops = told[0] ? new ServerDrops(counts[0], 0, counts[1]) : null,
            ClientBytes = told[1] ? new ClientBytes(counts[2], 0, counts[3], long.MaxValue) : null,
            Queue = told[2]
                ? new QueueTraffic(new(counts[4], counts[5], 0, 1, 2), counts[6], new(3, 4, counts[7], 5, 6), long.MaxValue)
                : null,
            Cpu = new CpuTimes(cpu[0], cpu[1], cpu[2], cpu[3]),
            Collections = counts[1],
            FromSent = new LatencySummary { Count = delivered + late + refused, Mean = mean, StandardDeviation = mean, P99 = mean },
        };

    // Mostly right, so that a line is seldom refused for its first cell.
    private static Gen<string> SampleLines() =>
        from attempt in Attempts()
        from other in Gen.Frequency(
            (6, Gen.Constant("")), (1, Gen.Elements(",", "-", ".", "\"", "+1", "12345678901234567890", "1.25", "NaN", "\r", " ")))
        from at in Gen.Choose(0, 200)
        let line = SampleCsv.Line(Flows, new Sample(Relays.PubSub, 12, attempt))
        select line.Insert(at % (line.Length + 1), other);

    private static Gen<string> Text() =>
        Gen.Elements('a', 'Z', '0', ',', '"', ' ', '\'', ';', 'é', '-').ArrayOf().Select(letters => new string(letters));

    // A decade of ticks, before and after the start.
    private static Gen<TimeSpan> Times() => Gen.Choose(int.MinValue, int.MaxValue).Select(ticks => TimeSpan.FromTicks(ticks * 1_000_003L));

    private static Gen<double> Numbers() =>
        from a in Gen.Choose(int.MinValue, int.MaxValue) from b in Gen.Choose(1, int.MaxValue) select (double)a / b;

    private static Gen<T?> Optional<T>(Gen<T> values)
        where T : struct => Gen.Frequency((1, Gen.Constant<T?>(null)), (4, values.Select(value => (T?)value)));
}
