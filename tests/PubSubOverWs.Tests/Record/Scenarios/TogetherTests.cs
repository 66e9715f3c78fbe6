using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record.Scenarios;

/// <summary>An experiment whose arms and levels run at once.</summary>
public sealed class TogetherTests
{
    private static readonly Factor Depth = new("depth", "m deep");

    private static readonly ScenarioKind Kind = new(
        "divers", [new Arm("red", "sea"), new Arm("blue", "sea")], [new Contrast("red", "blue")], [Depth], [CommonKeys.Name], [],
        () => new Divers { Name = "divers" });

    private static readonly Divers Scenario = new()
    {
        Name = "divers",
        Arms = Kind.Arms,
        Iterations = 3,
        Blocks = 2,
        WarmUps = 1,
        Floor = false,
    };

    [Fact]
    public void A_block_has_its_iterations_one_after_the_other_each_with_every_level() => Assert.Equal(
        ["1:1w 1:5w 1:9w 1:1 1:5 1:9 1:1 1:5 1:9", "2:1w 2:5w 2:9w 2:1 2:5 2:9"],
        RunPlan.For(Scenario.Checked()).GroupBy(step => step.Block).Select(block => string.Join(
            ' ', block.Select(step => $"{step.Block}:{step.Level.Key}{(step.WarmUp ? "w" : "")}"))));

    [Fact]
    public void So_many_trials_in_the_order_of_the_plan_are_one_round_with_each_arm_at_each_level()
    {
        var rounds = Trial.From(Scenario, RunPlan.For(Scenario)).Chunk(Scenario.TrialsAtOnce).ToArray();

        Assert.Equal(5, rounds.Length);
        Assert.All(rounds, round =>
        {
            Assert.Equal(6, round.Select(trial => (trial.Arm.Name, trial.Level)).Distinct().Count());
            Assert.Single(round.Select(trial => (trial.Block, trial.WarmUp)).Distinct());
        });
    }

    [Fact]
    public void A_round_of_which_a_row_is_missing_runs_again_with_its_block()
    {
        var plan = RunPlan.For(Scenario);
        var rows = plan.SelectMany(step => step.Arms.Select(arm => Some.Row(arm, 50, step.Block, step.Iteration) with
        {
            Level = step.Level,
        })).SkipLast(1).ToArray();

        var resumed = ResumedPlan.From(Scenario, plan, rows);

        Assert.Equal([2], resumed.Blocks);
        Assert.Equal(plan.Where(step => step.Block == 2).Select(step => step.Level), resumed.Remaining.Select(step => step.Level));
    }

    [Fact]
    public void All_users_of_a_round_are_connected_at_once() => Assert.Equal(2 * (1 + 5 + 9), Scenario.MaxUsers);

    [Fact]
    public void Arms_that_run_at_once_share_their_servers_and_have_no_floor()
    {
        Assert.Contains(
            "must share their servers",
            Assert.Throws<ScenarioException>(() => (Scenario with { Floor = true }).Checked()).Message, StringComparison.Ordinal);
        Assert.Throws<ScenarioException>(() => (Scenario with { Apart = true }).Checked());
    }

    private sealed record Divers : Scenario, ISimultaneousTrials
    {
        public bool Apart { get; init; }

        public override ScenarioKind Kind => TogetherTests.Kind;

        public override IReadOnlyList<string> DefaultArms => ["red", "blue"];

        public override IReadOnlyList<Level> Levels { get; } =
            [.. new[] { 1, 5, 9 }.Select(depth => new Level([new Setting(Depth, depth)]))];

        public override Arrival Arrivals => new(TimeSpan.FromSeconds(1));

        public NetworkConditions NetworkAt(Level level) => NetworkConditions.Undisturbed;

        public override ServerSetUp SetUp(Arm arm) => new() { SharedAs = Apart ? null : "sea" };

        public override LevelLoad LoadAt(Level level) => new(level.Number, 10);

        internal override void CheckLevels(string prefix)
        {
        }
    }
}
