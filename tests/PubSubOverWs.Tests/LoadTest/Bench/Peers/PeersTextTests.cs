using PubSubOverWs.LoadTest.Bench.Peers;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.Tests.LoadTest.Bench.Peers;

public sealed class PeersTextTests
{
    private static readonly RowFigures Cpu = new(
        "cpu",
        [
            new("framework", 1, 9), new("lean", 1, 4), new("kestrel-echo", 1, 10), new("kestrel-echo", 2, 10), new("lean", 2, 5),
            new("framework", 2, 9),
        ]);

    private static readonly PeersReport Report = new()
    {
        Started = new DateTimeOffset(2026, 11, 26, 3, 0, 0, TimeSpan.Zero),
        Machine = new MachineRecord
        {
            Cpu = "A CPU",
            Cores = 2,
            MemoryBytes = 8_000_000_000,
            Os = "Linux",
            Architecture = "x64",
            Runtime = ".NET 10",
            CollectorMode = "workstation",
            Commit = "abc",
        },
        Plan = new PeersPlan { Pairs = 2 },
        Servers =
        [
            new("framework", null, null), new("lean", null, null), new("kestrel-echo", null, null),
            new("nats-server", null, "not here: apt-get install nats-server"), new("mosquitto", "2.0.11", null),
        ],
        Rows = [Cpu with { Failed = new Dictionary<string, string> { ["mosquitto"] = "mosquitto did not start: because." } }],
    };

    [Fact]
    public void A_table_has_ratios_to_each_peer_what_is_missing_and_the_goals() => Assert.Equal(
        [
            "CPU of the server per round trip, one message per write, us; less is better",
            "  server                          mean   framework / it          lean / it",
            "  framework                       9.00",
            "  lean                            4.50",
            "  kestrel-echo                   10.00   0.90 (0.90 to 0.90)     0.45 (-0.19 to 1.09)",
            "  nats-server             not here: apt-get install nats-server",
            "  mosquitto 2.0.11        mosquitto did not start: because.",
            "  goal: framework / kestrel-echo at most 0.95: 0.90 (0.90 to 0.90), met",
        ],
        PeersText.Table(Report, Report.Rows[0]));

    [Fact]
    public void It_says_first_how_long_it_takes_on_which_machine_and_what_is_missing() => Assert.Equal(
        [
            "peers: 2 pairs, legs of 5 s, about 3 min; rows: 9",
            "  A CPU, 2 cores, 8 GB, Linux, .NET 10, commit abc",
            "  beside mosquitto 2.0.11",
            "  nats-server is not here: apt-get install nats-server",
        ],
        PeersText.Beginning(Report, TimeSpan.FromSeconds(121)));

    [Fact]
    public void Markdown_is_one_table_with_its_date_and_machine()
    {
        string[] lines = [.. PeersText.Markdown(Report)];

        Assert.Equal("2026-11-26, A CPU, 2 cores, 8 GB, Linux, .NET 10, commit abc,", lines[0]);
        Assert.Equal("beside mosquitto 2.0.11:", lines[1]);
        Assert.StartsWith("2 pairs of 5 s; 100 connections", lines[2], StringComparison.Ordinal);
        Assert.Contains("|  | kestrel-echo | 10.00 | 0.90 (0.90 to 0.90) | 0.45 (-0.19 to 1.09) |", lines);
        Assert.Contains("|  | nats-server | not here: apt-get install nats-server |  |  |", lines);
    }

    [Fact]
    public void Markdown_of_rows_without_peers_names_none()
    {
        var alone = Report with { Servers = [new("framework", null, null), new("lean", null, null)], Rows = [] };
        string[] lines = [.. PeersText.Markdown(alone)];

        Assert.Equal("2026-11-26, A CPU, 2 cores, 8 GB, Linux, .NET 10, commit abc:", lines[0]);
        Assert.StartsWith("2 pairs of 5 s; 100 connections", lines[1], StringComparison.Ordinal);
    }

    [Fact]
    public void Lines_fit_a_terminal_of_100_columns() => Assert.All(
        PeersText.Table(Report, Report.Rows[0])
            .Append(PeersText.Leg(10, "nginx with nchan", [(PeerRow.IdleMemory, 17.5), (PeerRow.IdleCpu, 15), (PeerRow.Connects, 12_345)])),
        line => Assert.InRange(line.Length, 1, 100));
}
