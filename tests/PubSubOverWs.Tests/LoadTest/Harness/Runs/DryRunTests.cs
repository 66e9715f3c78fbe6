using System.Text.RegularExpressions;
using PubSubOverWs.Tests.LoadTest.Commands;

namespace PubSubOverWs.Tests.LoadTest.Harness.Runs;

public sealed class DryRunTests
{
    private readonly TestTerminal _terminal = new();

    [Fact]
    public async Task A_dry_run_lists_levels_messages_time_files_processes_and_ports_and_starts_nothing()
    {
        Assert.Equal(0, await _terminal.RunAsync("run paper --dry-run"));

        Assert.Contains("users 50, 100, 500, 1000, 5000, 10000; arrival burst; seed 2015", _terminal.Output);
        Assert.Contains(
            "30 per arm and level, dealt over 5 blocks; 3 to 7 warm-ups per arm, level and block, until the arm is steady; at most 870 in "
                + "all", _terminal.Output);
        // 16,650 users over the levels; 30 measured iterations and up to 35 warm-ups in two arms, and 15 of the floor.
        Assert.Contains("messages   at most 2414250 of 100 bytes", _terminal.Output);
        Assert.Matches(@"time       about \d+ min .+, up to \d+ min .+ with all warm-ups", _terminal.Output);
        Assert.Contains(Path.Combine("results", "paper", "2026-01-01T00-00-00Z") + ": run.json", _terminal.Output);
        Assert.Contains("processes  direct server, pubsub server, LocalSqs, null echo", _terminal.Output);
        Assert.EndsWith("Nothing was started." + Environment.NewLine, _terminal.Output);
    }

    [Fact]
    public async Task Warm_ups_until_arms_are_steady_are_an_upper_bound()
    {
        Assert.Equal(0, await _terminal.RunAsync("run paper --dry-run --users 50 --set mostWarmUps=0 --set warmUps=3 --set floor=false"));
        var (fixedTime, fixedCount) = Estimate();
        Assert.Equal(0, await _terminal.RunAsync("run paper --dry-run --users 50 --set mostWarmUps=3 --set floor=false"));
        Assert.Equal((fixedTime, fixedCount), Estimate());
        Assert.Equal(2, Regex.Count(_terminal.Output, "; 3 warm-ups per arm, level and block; "));
        Assert.Equal(0, await _terminal.RunAsync("run paper --dry-run --users 50 --set mostWarmUps=20 --set floor=false"));

        // 30 measured iterations and, in each of 5 blocks, 20 warm-ups, of two arms.
        Assert.Contains("; 3 to 20 warm-ups per arm, level and block, until the arm is steady; at most 260 in all", _terminal.Output);
        Assert.Contains("messages   at most 13000 of 100 bytes", _terminal.Output);
        Assert.Contains($"{fixedTime}, up to ", _terminal.Output);
        Assert.Equal("90", fixedCount);
    }

    [Fact]
    public async Task A_dry_run_gives_the_number_of_load_processes_that_share_the_clients()
    {
        Assert.Equal(0, await _terminal.RunAsync("run request-reply --dry-run --workers 3"));

        Assert.Contains("LocalSqs, 3 load processes that share the clients\n", _terminal.Output);
    }

    [Fact]
    public async Task A_dry_run_names_the_browser_that_would_have_the_clients()
    {
        Assert.Equal(0, await _terminal.RunAsync("run paper --dry-run --users 50 --client browser"));

        Assert.Contains("null echo, Chromium with one page that has the clients", _terminal.Output);
    }

    [Fact]
    public async Task A_dry_run_on_AWS_states_the_cost_without_consent_to_it()
    {
        Assert.Equal(0, await _terminal.RunAsync("run paper --quick --dry-run --sqs aws --region eu-west-1"));

        Assert.Contains("pubsub server, Amazon SQS in eu-west-1, null echo", _terminal.Output);
        Assert.Matches(@"cost       [\d,]+ to [\d,]+ requests to SQS, \$0\.\d+ to \$0\.\d+ at \$0\.40 per million", _terminal.Output);
    }

    [Fact]
    public async Task The_cost_on_AWS_of_a_run_on_another_queue_is_stated_if_the_price_is_given()
    {
        Assert.Equal(0, await _terminal.RunAsync("run paper --dry-run --sqs-price 0.52"));

        Assert.Contains("at $0.52 per million", _terminal.Output);
        Assert.Contains("LocalSqs", _terminal.Output);
    }

    [Fact]
    public async Task A_dry_run_gives_the_parameters_of_a_fault_and_names_the_folder_after_it()
    {
        Assert.Equal(0, await _terminal.RunAsync("run faults --dry-run --fault churn"));

        Assert.Contains("fault      churn (every 1s, away 600ms); workload pairs, 20 messages of each user", _terminal.Output);
        // 1,000 users and 20 messages; 10 measured iterations and, under churn, a warm-up in each of 5 blocks, in three arms.
        Assert.Contains("messages   900000 of 100 bytes, each with a receipt", _terminal.Output);
        Assert.Contains("2000 connections at once", _terminal.Output);
        Assert.Contains(
            Path.Combine("results", "faults", "2026-01-01T00-00-00Z-churn")
                + ": run.json, iterations.csv, flows.csv, events.csv, measures.csv",
            _terminal.Output);
    }

    [Fact]
    public async Task Overload_has_one_more_server()
    {
        Assert.Equal(0, await _terminal.RunAsync("run faults --dry-run --fault overload --label mine"));

        Assert.Contains("processes  direct server, direct server with a buffer, pubsub server, LocalSqs", _terminal.Output);
        Assert.Contains("2026-01-01T00-00-00Z-mine:", _terminal.Output);
    }

    [Fact]
    public async Task A_label_becomes_part_of_the_folder()
    {
        Assert.Equal(0, await _terminal.RunAsync("run smoke --dry-run --label try-1"));

        Assert.Contains("2026-01-01T00-00-00Z-try-1: run.json", _terminal.Output);
    }

    [Fact]
    public async Task An_arm_that_is_left_out_takes_the_gates_of_the_scenario_about_it_with_it()
    {
        Assert.Equal(0, await _terminal.RunAsync("run smoke --dry-run --arms direct"));

        Assert.Contains("gate       direct.loss == 0", _terminal.Output);
        Assert.DoesNotContain("pubsub.loss", _terminal.Output);
    }

    private (string Time, string Count) Estimate()
    {
        var last = _terminal.Output[_terminal.Output.LastIndexOf("iterations ", StringComparison.Ordinal)..];
        return (Regex.Match(last, "time +about [^,\n]+").Value, Regex.Match(last, "(\\d+) in all").Groups[1].Value);
    }
}
