using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>A short run of every target; the long one is a program of its own (tests/PubSubOverWs.Fuzz).</summary>
public sealed class FuzzTests
{
    [Theory]
    [InlineData(ReaderTarget.Id, 50_000)]
    [InlineData(SessionTarget.Id, 10_000)]
    [InlineData(Framing.FramingTarget.Id, 7_000)]
    [InlineData(Framing.FramingTarget.LeanId, 7_000)]
    [InlineData(Framing.HandshakeTarget.Id, 3_000)]
    [InlineData(LocalSqsTarget.Id, 5_000)]
    [InlineData(AnswersTarget.Id, 5_000)]
    public async Task Random_input_is_taken_or_refused_in_order(string name, int count)
    {
        await using var target = await FuzzTargets.CreateAsync(name);

        var figures = await FuzzRun.RunAsync(target, seed: 2026, count);

        Assert.True(figures.Count >= count);
    }

    /// <summary>Steps that found something before a fix; another generator makes other steps of these numbers.</summary>
    [Theory]
    [InlineData(ReaderTarget.Id, 1, 11)]
    [InlineData(SessionTarget.Id, 1, 3348)]
    [InlineData(SessionTarget.Id, 2, 164)]
    [InlineData(LocalSqsTarget.Id, 1, 0)]
    [InlineData(AnswersTarget.Id, 1, 11)]
    [InlineData(AnswersTarget.Id, 1, 805)]
    public async Task Fixed_findings_stay_fixed(string name, int seed, int step)
    {
        await using var target = await FuzzTargets.CreateAsync(name);

        Assert.True(await FuzzRun.StepAsync(target, (ulong)seed, step) > 0);
    }

    [Fact]
    public async Task A_step_is_the_same_whenever_it_is_run()
    {
        await using var target = new ReaderTarget();

        Assert.Equal(await FuzzRun.StepAsync(target, seed: 7, step: 3), await FuzzRun.StepAsync(target, seed: 7, step: 3));
        Assert.Equal(new Draw(7, 3).Bytes(100), new Draw(7, 3).Bytes(100));
        Assert.NotEqual(new Draw(7, 3).Bytes(100), new Draw(7, 4).Bytes(100));
        Assert.NotEqual(new Draw(7, 3).Bytes(100), new Draw(8, 3).Bytes(100));
    }

    [Fact]
    public async Task The_command_reports_its_result_and_how_to_repeat_it()
    {
        var (wrong, one) = (new StringWriter(), new StringWriter());

        Assert.Equal(5, await FuzzCommand.RunAsync(["--target", "nothing"], wrong));
        Assert.Equal(0, await FuzzCommand.RunAsync(["--target", "reader", "--seed", "7", "--step", "3"], one));

        Assert.StartsWith("Write ", wrong.ToString(), StringComparison.Ordinal);
        Assert.Equal($"reader, seed 7, step 3: nothing found.{Environment.NewLine}", one.ToString());
        Assert.EndsWith(
            "Repeat it with --target reader --seed 7 --step 3.",
            new FuzzFailureException("reader", 7, 3, new InvalidOperationException("Why.")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_night_all_targets_run_for_longer_than_they_do_by_default()
    {
        var workflow = SourceTree.Read(".github/workflows/nightly.yml");
        var words = workflow[workflow.IndexOf("PubSubOverWs.Fuzz --", StringComparison.Ordinal)..]
            .Replace("\"$GITHUB_RUN_NUMBER\"", "1", StringComparison.Ordinal)
            .Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)[2..];

        var command = FuzzCommand.Parse(words);

        Assert.NotNull(command);
        Assert.Null(command.Target);
        var usual = new FuzzCommand();
        Assert.True(
            command.Frames > usual.Frames && command.Connections > usual.Connections && command.Requests > usual.Requests);
    }
}
