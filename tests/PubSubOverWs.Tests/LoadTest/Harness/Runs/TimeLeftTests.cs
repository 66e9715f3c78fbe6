using PubSubOverWs.LoadTest.Experiments.Nodes;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

public sealed class TimeLeftTests
{
    private readonly TimeLeft _left = new(Some.Scenario);

    [Fact]
    public void A_kind_of_trial_that_was_seen_costs_its_mean_so_far()
    {
        _left.Took(Trial(Relays.Direct, 100), TimeSpan.FromSeconds(1));
        _left.Took(Trial(Relays.Direct, 100), TimeSpan.FromSeconds(3));

        Assert.Equal(
            TimeSpan.FromSeconds(6),
            _left.For([Trial(Relays.Direct, 100), Trial(Relays.Direct, 100), Trial(Relays.Direct, 100)], blocksToStart: 0));
    }

    [Fact]
    public void An_unseen_kind_of_trial_is_guessed_and_scaled_by_the_error_of_guesses_so_far()
    {
        var guess = new TimeLeft(Some.Scenario).For([Trial(Relays.PubSub, 1000)], blocksToStart: 0);
        _left.Took(Trial(Relays.Direct, 100), 2 * Guess(Relays.Direct, 100));

        Assert.Equal(2 * guess, _left.For([Trial(Relays.PubSub, 1000)], blocksToStart: 0));
    }

    [Fact]
    public void The_wait_for_a_queue_far_away_is_added_and_not_scaled()
    {
        var wait = TimeSpan.FromMinutes(1);
        var left = new TimeLeft(Some.Scenario, wait);
        left.Took(Trial(Relays.PubSub, 100), 2 * Guess(Relays.PubSub, 100) + wait);

        Assert.Equal(
            2 * Guess(Relays.PubSub, 1000) + wait,
            left.For([Trial(Relays.PubSub, 1000)], blocksToStart: 0));
        Assert.Equal(
            2 * Guess(Relays.Direct, 1000), left.For([Trial(Relays.Direct, 1000)], blocksToStart: 0));
    }

    [Fact]
    public void A_first_iteration_that_took_very_long_is_not_believed_for_all_others()
    {
        _left.Took(Trial(Arm.Floor.Name, 5), TimeSpan.FromSeconds(20));

        Assert.Equal(
            4 * Guess(Relays.PubSub, 1000), _left.For([Trial(Relays.PubSub, 1000)], blocksToStart: 0));
    }

    [Fact]
    public void A_level_takes_as_long_as_its_messages_are_due_and_no_deadline_if_losses_are_announced()
    {
        var nodes = (NodesScenario)ScenarioFiles.Load("nodes");

        Assert.Equal(
            TimeSpan.FromSeconds(nodes.FaultFor[1] - nodes.FaultFor[0]),
            Cost.Waiting(nodes, nodes.Levels[1]) - Cost.Waiting(nodes, nodes.Levels[0]));
        Assert.Equal(NodesScenario.SpreadAt(nodes.Levels[0]), Cost.Waiting(nodes, nodes.Levels[0]));
    }

    [Fact]
    public void Blocks_to_be_started_are_part_of_the_time_left() => Assert.Equal(3 * Cost.Block, _left.For([], blocksToStart: 3));

    [Fact]
    public void Each_further_server_of_a_block_takes_its_time() =>
        Assert.Equal(3 * (Cost.Block + 2 * Cost.FurtherServer), new TimeLeft(Some.Scenario, furtherServers: 2).For([], blocksToStart: 3));

    [Fact]
    public void More_users_are_guessed_to_take_longer() =>
        Assert.True(Guess(Relays.Direct, 10_000) > Guess(Relays.Direct, 5_000));

    private static TimeSpan Guess(string arm, int users) => Cost.Iteration(Some.Arm(arm), new LevelLoad(users, users));

    private static Trial Trial(string arm, int users) => new(Some.Arm(arm), Some.Level(users), 1, 1, 1, false);
}
