using PubSubOverWs.LoadTest.Bench;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.Tests.LoadTest.Bench;

public class BenchRulesTests
{
    private static readonly MachineFacts Machine = new(
        OSPlatformKind.Linux, Descriptors: 20_000, HardDescriptors: 20_000, Ports: 28_000, MemoryBytes: 1L << 33, Cores: 2,
        HasTaskset: true,
        SourceAddresses: true, Loopback: true, LockHolder: null, MissingServers: []);

    [Fact]
    public void A_machine_with_enough_of_everything_is_taken() => BenchRules.Check(new BenchPlan(), Machine);

    [Fact]
    public void Too_few_descriptors_for_the_idle_connections_are_refused()
    {
        var few = Machine with { Descriptors = 1_024 };

        BenchRules.Check(new BenchPlan { Kinds = [BenchKind.Relay, BenchKind.PubSub] }, few);
        Assert.Contains("run `ulimit -n 10256`", Refusal(new BenchPlan(), few), StringComparison.Ordinal);
    }

    [Fact]
    public void More_under_way_than_the_sockets_hold_is_refused() =>
        Assert.Contains(
            "under way on a connection", Refusal(new BenchPlan { Depth = 100, PayloadBytes = 1_000 }, Machine), StringComparison.Ordinal);

    [Fact]
    public void Queue_messages_that_do_not_go_in_tens_are_refused() =>
        Assert.StartsWith(
            "--queue-messages 105 is no multiple of ten", Refusal(new BenchPlan { QueueMessages = 105 }, Machine),
            StringComparison.Ordinal);

    [Fact]
    public void Full_load_stays_on_this_machine() =>
        Assert.StartsWith(
            "--beside http://queue.example/: the bench puts full load on it",
            Refusal(new BenchPlan { Beside = new Uri("http://queue.example") }, Machine), StringComparison.Ordinal);

    [Fact]
    public void A_missing_server_is_named() =>
        Assert.StartsWith(
            "localsqs not found", Refusal(new BenchPlan(), Machine with { MissingServers = ["localsqs"] }), StringComparison.Ordinal);

    [Fact]
    public void A_file_in_no_folder_is_refused_before_the_load_starts() =>
        Assert.Contains(
            "there is no folder", Refusal(new BenchPlan { Out = "no-such-folder/figures.json" }, Machine), StringComparison.Ordinal);

    private static string Refusal(BenchPlan plan, MachineFacts machine) =>
        Assert.Throws<RefusalException>(() => BenchRules.Check(plan, machine)).Message;
}
