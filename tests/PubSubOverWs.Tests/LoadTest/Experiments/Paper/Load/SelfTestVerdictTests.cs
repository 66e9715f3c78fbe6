using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.Record;
using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

public sealed class SelfTestVerdictTests
{
    private static readonly Account Injected = new(
        new Buckets
        {
            Attempts = 100,
            Acknowledged = 75,
            Delivered = 60,
            Late = 10,
            Refused = 10,
            LostAcknowledged = 10,
            LostUnacknowledged = 10,
            Causes = new CauseCounts(Shed: 10, Deadline: 30),
        },
        new Anomalies(4, 3, 2, 5));

    private static readonly Dictionary<string, long> Nothing = [];

    private static readonly SelfTestArm Passed = new("direct", Account.Clean(100), Injected, Injected, Nothing);

    public static TheoryData<string, Account> Blindness => new()
    {
        { "0 duplicates where 4 were", Injected with { Anomalies = Injected.Anomalies with { Duplicates = 0 } } },
        { "0 reorderings where 3 were", Injected with { Anomalies = Injected.Anomalies with { Reorderings = 0 } } },
        { "0 unexpected where 2 were", Injected with { Anomalies = Injected.Anomalies with { Unexpected = 0 } } },
        { "4 corrupted where 5 were", Injected with { Anomalies = Injected.Anomalies with { Corrupted = 4 } } },
        { "70 delivered where 60 were injected, 0 late where 10 were",
            Injected with { Buckets = Injected.Buckets with { Delivered = 70, Late = 0 } } },
        { "76 acknowledged where 75 were", Injected with { Buckets = Injected.Buckets with { Acknowledged = 76 } } },
        { "11 lostAcknowledged where 10 were injected, 9 lostUnacknowledged",
            Injected with { Buckets = Injected.Buckets with { LostAcknowledged = 11, LostUnacknowledged = 9 } } },
        { "1 causeNoSubscriber where 0 were",
            Injected with { Buckets = Injected.Buckets with { Causes = Injected.Buckets.Causes with { NoSubscriber = 1 } } } },
    };

    [Fact]
    public void The_self_test_passes_if_all_injected_faults_are_found()
    {
        var (exitCode, sentence) = SelfTestVerdict.Judge([Passed, Passed with { Arm = "pubsub" }]);

        Assert.Equal(ExitCode.Success, exitCode);
        Assert.StartsWith("Self-test passed: ", sentence, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Blindness))]
    public void An_accounting_that_misses_one_kind_in_one_arm_ends_with_2_and_the_kind_is_named(string kind, Account found)
    {
        var (exitCode, sentence) = SelfTestVerdict.Judge([Passed, Passed with { Arm = "pubsub", Found = found }]);

        Assert.Equal(2, (int)exitCode);
        Assert.StartsWith($"Self-test failed: pubsub has {kind}", sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Faults_of_the_server_itself_fail_the_self_test_and_are_not_blamed_on_the_accounting()
    {
        var lost = Passed with { NotInjected = new Dictionary<string, long> { ["never delivered"] = 3, ["delivered twice"] = 1 } };

        var (exitCode, sentence) = SelfTestVerdict.Judge([lost]);

        Assert.Equal(ExitCode.GateFailed, exitCode);
        Assert.StartsWith(
            "Self-test failed: direct had faults that were not injected (delivered twice 1, never delivered 3)", sentence,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Anomalies_before_anything_is_injected_fail_the_self_test()
    {
        var ghost = Passed with { Untouched = Account.Clean(100) with { Anomalies = new Anomalies(1, 0, 0, 0) } };

        var (exitCode, sentence) = SelfTestVerdict.Judge([ghost]);

        Assert.Equal(ExitCode.GateFailed, exitCode);
        Assert.Contains(
            "had acknowledged 100, delivered 100, duplicates 1 before anything was injected", sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void A_kind_of_fault_that_was_never_injected_fails_the_self_test()
    {
        var without = Injected with { Anomalies = Injected.Anomalies with { Reorderings = 0 } };

        var (exitCode, sentence) = SelfTestVerdict.Judge([Passed with { Injected = without, Found = without }]);

        Assert.Equal(
            (ExitCode.GateFailed, "Self-test failed: direct got no reorderings: use another --seed."), (exitCode, sentence));
    }

    // Only this tells an accounting that counts receipts from one that takes what was delivered for acknowledged.
    [Fact]
    public void The_self_test_fails_unless_a_receipt_alone_was_lost()
    {
        var without = Injected with { Buckets = Injected.Buckets with { Acknowledged = 80 } };

        var (exitCode, sentence) = SelfTestVerdict.Judge([Passed with { Injected = without, Found = without }]);

        Assert.Equal(
            (ExitCode.GateFailed, "Self-test failed: direct got no lost receipts: use another --seed."), (exitCode, sentence));
    }

    [Fact]
    public void The_table_has_a_row_for_each_counter_that_is_not_0()
    {
        var lines = SelfTestTable.Text([Passed, Passed with { Arm = "pubsub" }]).Split(Environment.NewLine);

        Assert.Equal("                        direct, injected   found  pubsub, injected   found", lines[0]);
        Assert.Equal("duplicates                             4       4                 4       4", lines[^4]);
        Assert.DoesNotContain(lines, line => line.StartsWith("deadLettered", StringComparison.Ordinal));
    }
}
