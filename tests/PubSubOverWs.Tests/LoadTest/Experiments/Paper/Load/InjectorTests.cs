using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

/// <summary>Faults that a self-test injects: how they are drawn, done and counted, and that the accounting finds them.</summary>
public sealed class InjectorTests
{
    private const long Stamp = 7;

    private readonly Ledger _ledger = new();

    private static readonly IReadOnlyList<InjectedFault>[] Users = [.. Enumerable.Range(0, 500)
        .Select(seed => InjectionPlan.Draw(10, new Random(seed)))];

    private static readonly IterationPlan Plan =
        new() { Run = "run", Iteration = 1, Users = 60, Messages = 10, Receipts = true, Deadline = TimeSpan.FromSeconds(2) };

    [Theory]
    [InlineData(InjectedFault.None, "0+ 1+")]
    [InlineData(InjectedFault.Lose, "1+")]
    [InlineData(InjectedFault.LoseWithReceipt, "1+")]
    [InlineData(InjectedFault.LoseReceipt, "0+ 1+")]
    [InlineData(InjectedFault.Refuse, "1+")]
    [InlineData(InjectedFault.Duplicate, "0+ 0+ 1+")]
    [InlineData(InjectedFault.Swap, "1+ 0+")]
    [InlineData(InjectedFault.Corrupt, "0- 1+")]
    [InlineData(InjectedFault.Misdirect, "0+ other+ 1+")]
    public void Each_fault_is_injected_into_its_message_and_counted(InjectedFault action, string arrivals)
    {
        var user = InjectedUser.With(_ledger, action, InjectedFault.None);

        user.Bring(0, Stamp);
        user.Bring(1, Stamp);
        user.End();

        Assert.Equal(arrivals, Arrivals(user.Log));
        Assert.Equal(action == InjectedFault.None ? 0 : 1, Enum.GetValues<InjectedFault>().Sum(one => _ledger[one]));
        Assert.Equal(action == InjectedFault.None ? 0 : 1, _ledger[action]);
        Assert.Empty(_ledger.NotInjected);
    }

    [Theory]
    [InlineData(InjectedFault.Lose, true, null)]
    [InlineData(InjectedFault.LoseWithReceipt, false, null)]
    [InlineData(InjectedFault.LoseReceipt, false, null)]
    [InlineData(InjectedFault.Refuse, false, "the receipt said shed")]
    public void A_receipt_is_kept_swallowed_or_turned_into_a_refusal(InjectedFault action, bool taken, string? refusal)
    {
        var user = InjectedUser.With(_ledger, action);

        user.Bring(0, Stamp);

        Assert.Equal((taken, refusal), (user.Log.Messages[0].Taken, user.Log.Messages[0].Refusal?.Detail));
        Assert.Equal(taken || refusal is not null ? Stamp : null, user.Log.Messages[0].ReceiptAt);
    }

    [Fact]
    public void A_delayed_message_comes_when_the_connection_ends()
    {
        var user = InjectedUser.With(_ledger, InjectedFault.Delay);
        user.Bring(0, Stamp);
        Assert.Empty(user.Log.Arrived);

        user.End(stamp: 100);

        Assert.Equal(100, user.Log.Arrived.Single().Stamp);
        Assert.Equal(1, _ledger[InjectedFault.Delay]);
    }

    [Fact]
    public void Faults_of_the_server_itself_are_not_counted_as_injected_and_stay_as_they_are()
    {
        var user = InjectedUser.With(_ledger, InjectedFault.None, InjectedFault.Duplicate, InjectedFault.None, InjectedFault.Lose);
        user.Bring(0);
        user.BringMessage(0);
        user.Bring(2);
        user.Bring(1);
        user.BringReceipt(3, outcome: "shed");
        user.Take([.. "MESSAGE\nid:somebody\n\n"u8, 0]);
        user.End();

        Assert.Equal("0+ 0+ 2+ 1+ somebody-", Arrivals(user.Log));
        Assert.Equal(0, Enum.GetValues<InjectedFault>().Sum(action => _ledger[action]));
        Assert.Equal(
            ["delivered an unknown message", "delivered out of order", "delivered twice", "never delivered", "refused"],
            _ledger.NotInjected.Keys.Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_message_near_the_deadline_counts_as_a_fault_of_the_server()
    {
        var user = InjectedUser.With(_ledger, InjectedFault.None);
        user.Bring(0, stamp: TimeProvider.System.TimestampFrequency * 6);
        user.End();

        Assert.Equal("delivered slowly", _ledger.NotInjected.Single().Key);
    }

    [Fact]
    public void Every_fault_is_drawn_and_about_half_of_the_messages_are_untouched()
    {
        var drawn = Users.SelectMany(faults => faults).CountBy(action => action).ToDictionary();

        Assert.All(Enum.GetValues<InjectedFault>(), action => Assert.InRange(drawn[action], 10, 4_000));
        Assert.InRange(drawn[InjectedFault.None], 2_000, 3_000);
    }

    [Fact]
    public void A_swapped_message_is_followed_by_an_untouched_one() => Assert.All(Users, faults =>
        Assert.All(faults.Index().Where(one => one.Item == InjectedFault.Swap),
            one => Assert.Equal(InjectedFault.None, faults[one.Index + 1])));

    [Fact]
    public void Only_the_last_message_is_delayed() =>
        Assert.All(Users, faults => Assert.DoesNotContain(InjectedFault.Delay, faults.SkipLast(1)));

    [Fact]
    public void The_same_seed_draws_the_same() => Assert.Equal(Users[7], InjectionPlan.Draw(10, new Random(7)));

    [Fact]
    public void A_single_message_is_never_swapped() =>
        Assert.DoesNotContain(Enumerable.Range(0, 500), seed => InjectionPlan.Draw(1, new Random(seed))[0] == InjectedFault.Swap);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(2015)]
    [InlineData(int.MaxValue)]
    public void All_that_is_injected_is_found(int seed)
    {
        var injection = new FaultInjection(Plan, seed);
        var users = Enumerable.Range(0, Plan.Users).Select(i => InjectedUser.Of(Plan, i, injection)).ToList();
        for (var sequence = 0; sequence < Plan.Messages; sequence++)
            users.ForEach(user => user.Bring(sequence));
        users.ForEach(user => user.End(stamp: 3 * TimeProvider.System.TimestampFrequency));

        var findings = new ObservationBuilder([.. users.Select(user => user.Log)], Plan, startStamp: 0, firstDueStamp: 0);

        var attempts = Accountant.Classify(findings.Observations, Plan.Deadline, default);
        Assert.Equal(
            injection.Ledger.Expect(attempts.Count), new Account(Accountant.Sum(attempts, findings.Acknowledged), findings.Anomalies));
        Assert.Empty(injection.Ledger.NotInjected);
        Assert.Equal(Plan.Users * Plan.Messages, attempts.Count);
    }

    /// <summary>The sequence of each, and whether it came whole.</summary>
    private static string Arrivals(ClientLog log) => string.Join(' ', log.Arrived.Select(arrived => arrived.MessageId switch
    {
        "run-1-1-0" or "run-1-1" => "other",
        var id when log.Messages.Any(message => message.Id == id) => id![(id!.LastIndexOf('-') + 1)..],
        var id => id,
    } + (arrived.Intact ? "+" : "-")));
}
