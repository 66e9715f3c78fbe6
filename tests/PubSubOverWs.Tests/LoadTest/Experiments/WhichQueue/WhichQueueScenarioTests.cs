using PubSubOverWs.LoadTest.Experiments.WhichQueue;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.WhichQueue;

public sealed class WhichQueueScenarioTests
{
    [Fact]
    public void Each_rate_is_a_level_of_what_is_relayed_and_of_other_trials_there_is_one()
    {
        var scenario = Parse(""" "trials": ["relayed", "alone", "power-cut"], "rates": [500, 2000], "faultRate": 300 """);

        Assert.Equal(["relayed-500", "relayed-2000", "alone-0", "power-cut-300"], scenario.Levels.Select(level => level.Key));
        Assert.Equal([1_000, 4_000, 10_000, 600], scenario.Levels.Select(scenario.Attempts));
    }

    [Fact]
    public void The_highest_rate_comes_first_so_that_servers_are_warm_for_the_others()
    {
        var scenario = Parse(""" "trials": ["relayed", "alone"], "rates": [500, 2000], "blocks": 2, "iterations": 2, "warmUps": 0 """);

        Assert.Equal(
            ["relayed-2000", "relayed-500", "alone-0", "relayed-2000", "relayed-500", "alone-0"],
            RunPlan.For(scenario).Select(step => step.Level.Key));
    }

    [Fact]
    public void A_direct_server_is_only_asked_to_relay_and_each_level_has_iterations_of_its_own()
    {
        var scenario = Parse(
            """
            "trials": ["relayed", "alone", "queue-killed", "power-cut"], "rates": [500], "arms": ["direct", "sqs"], "iterations": 3,
            "kills": 4, "cuts": 2, "blocks": 1, "warmUps": 1
            """);

        var plan = RunPlan.For(scenario);

        Assert.Equal(
            [("relayed-500", 4, 2), ("alone-0", 4, 1), ("queue-killed-500", 4, 1), ("power-cut-500", 2, 1)],
            plan.GroupBy(step => step.Level.Key).Select(level => (level.Key, level.Count(), level.First().Arms.Count)));
        Assert.Equal([2, 3, 4, 2], scenario.Levels.Select(level => plan.Count(step => step.Level.Equals(level) && !step.WarmUp))
            .Select((count, i) => i == 0 ? count - 1 : count));
    }

    [Theory]
    [InlineData("relayed", null)]
    [InlineData("alone", null)]
    [InlineData("relay-killed", FaultActionKind.KillServer)]
    [InlineData("queue-killed", FaultActionKind.KillQueue)]
    [InlineData("power-cut", FaultActionKind.CutPower)]
    public void A_fault_comes_in_the_second_third_of_a_trial_at_the_same_moment_in_all_arms(string trial, FaultActionKind? kind)
    {
        var scenario = Parse($""" "trials": ["{trial}"], "rates": [500], "for": "3s" """);
        var level = scenario.Levels.Single();

        var plans = scenario.Arms.Where(arm => scenario.Has(arm, level))
            .Select(arm => scenario.Plan(new Trial(arm, level, Block: 1, Iteration: 7, Order: 1, WarmUp: false))).ToArray();

        Assert.All(plans, plan => Assert.Equal(kind, plan?.Actions.Single().Kind));
        Assert.All(plans, plan => Assert.Equal(plans[0]?.Actions[0].At, plan?.Actions[0].At));
        Assert.Equal(kind is null, scenario.DisturbanceAt(level) is null);
        if (plans[0] is { } one)
            Assert.InRange(one.Actions[0].At, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(2));
    }

    [Theory]
    [InlineData(""" "trials": ["speed"] """, "The trial 'speed' is not known")]
    [InlineData(""" "trials": ["relayed"] """, "rates")]
    [InlineData(""" "trials": ["alone"], "aloneMessages": 105 """, "a multiple of ten")]
    [InlineData(""" "trials": ["alone"], "arms": ["nats+current"] """, "name its path with --nats-server, or omit nats+current")]
    [InlineData(""" "trials": ["queue-killed"], "redis": "redis://127.0.0.1:6379" """, "does not start that of redis: omit its address")]
    [InlineData(""" "trials": ["alone"], "redis": "redis://me:secret@127.0.0.1" """, "without a password")]
    [InlineData(""" "trials": ["alone"], "redis": "localhost:6379" """, "must be like redis://HOST:PORT")]
    [InlineData(""" "trials": ["alone"], "redis": "http://localhost:6379" """, "must be like redis://HOST:PORT")]
    [InlineData(""" "trials": ["alone"], "rabbitmq": "foo" """, "must be like amqp://HOST:PORT")]
    [InlineData(""" "trials": ["alone"], "arms": ["sqs"], "nats": "nats://localhost:4222" """, "and not the arm nats: add it")]
    [InlineData(""" "trials": ["alone"], "arms": ["direct"] """, "No arm of scenario 'x' has a queue")]
    [InlineData(""" "trials": ["relayed"], "rates": [1], "users": 20 """, "2 to 2 messages in a trial")]
    public void What_cannot_be_asked_is_refused(string keys, string sentence) => Assert.Contains(
        sentence, Assert.Throws<ScenarioException>(() => Parse(keys)).Message, StringComparison.Ordinal);

    private static WhichQueueScenario Parse(string keys) =>
        (WhichQueueScenario)ScenarioJson.Parse($$"""{ "name": "x", "experiment": "which-queue", {{keys}} }""", "x.json");
}
