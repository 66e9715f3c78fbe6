using PubSubOverWs.Tests.Record;
using YamlDotNet.RepresentationModel;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class InitCommandTests : IDisposable
{
    private readonly TestTerminal _terminal = new();
    private readonly TemporaryFolder _folder = new();

    [Fact]
    public async Task The_scenario_that_is_written_runs_with_its_gates_and_in_its_quick_form()
    {
        Assert.Equal(0, await _terminal.RunAsync("init", "mine", "--out", _folder.Path));

        Assert.Equal(0, await _terminal.RunAsync("run", _folder.Of("mine.json"), "--dry-run", "--no-pin"));
        Assert.Contains("scenario   mine: direct, pubsub; users 50, 500; ", _terminal.Output, StringComparison.Ordinal);
        Assert.Contains("gate       direct.loss == 0", _terminal.Output, StringComparison.Ordinal);
        Assert.Equal(0, await _terminal.RunAsync("run", _folder.Of("mine.json"), "--dry-run", "--no-pin", "--quick"));
        Assert.Empty(_terminal.Error);
        Assert.True(File.Exists(_folder.Of("scenario.schema.json")));
    }

    [Fact]
    public async Task The_workflow_installs_the_program_runs_the_scenario_and_keeps_its_record()
    {
        var steps = await StepsAsync();

        Assert.Matches(
            @"^dotnet tool install pubsub-over-ws --version \d\S+ --tool-path ""\$RUNNER_TEMP/tools"" --source ""\$SOURCE""$",
            steps[2]["run"].ToString());
        Assert.StartsWith(
            "\"$RUNNER_TEMP/tools/pubsub-over-ws\" run mine.json --quick --out ", steps[3]["run"].ToString(), StringComparison.Ordinal);
        Assert.Equal("${{ runner.temp }}/mine\n${{ runner.temp }}/mine.xml\n", steps[4]["with"]["path"].ToString());
        // These tests were not installed from a package that could be copied.
        Assert.Matches(@"\nmissing +\S+pubsub-over-ws\S+\.nupkg, which the workflow installs: ", _terminal.Output);
    }

    [Fact]
    public async Task In_a_clone_of_the_program_the_workflow_builds_it()
    {
        var project = Directory.CreateDirectory(_folder.Of("loadtest/PubSubOverWs.LoadTest"));
        await File.WriteAllTextAsync(Path.Combine(project.FullName, "PubSubOverWs.LoadTest.csproj"), "<Project />");

        var steps = await StepsAsync();

        Assert.StartsWith(
            "dotnet run -c Release --project loadtest/PubSubOverWs.LoadTest -- run mine.json --quick ", steps[2]["run"].ToString(),
            StringComparison.Ordinal);
        Assert.DoesNotContain("nupkg", _terminal.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Nothing_is_replaced()
    {
        Assert.Equal(0, await _terminal.RunAsync("init", "mine", "--out", _folder.Path));

        Assert.Equal(5, await _terminal.RunAsync("init", "mine", "--out", _folder.Path));
        Assert.EndsWith(
            "mine.json is there already, and is not replaced: choose another name, or remove it.", _terminal.Error.Trim(),
            StringComparison.Ordinal);
        Assert.Equal(0, await _terminal.RunAsync("init", "other", "--out", _folder.Path));
    }

    [Theory]
    [InlineData("../mine")]
    [InlineData("my.json")]
    public async Task A_name_that_could_lead_elsewhere_is_refused(string name)
    {
        Assert.Equal(5, await _terminal.RunAsync("init", name, "--out", _folder.Path));
        Assert.StartsWith($"'{name}' cannot name a scenario: ", _terminal.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_name_of_a_scenario_of_the_program_is_refused_for_its_reports_mean_something_else()
    {
        Assert.Equal(5, await _terminal.RunAsync("init", "paper", "--out", _folder.Path));
        Assert.StartsWith("'paper' is a scenario of ", _terminal.Error, StringComparison.Ordinal);
    }

    private async Task<YamlSequenceNode> StepsAsync()
    {
        Assert.Equal(0, await _terminal.RunAsync("init", "mine", "--out", _folder.Path));
        var yaml = new YamlStream();
        using (var reader = File.OpenText(_folder.Of(Path.Combine(".github", "workflows", "mine.yml"))))
            yaml.Load(reader);
        return (YamlSequenceNode)yaml.Documents[0].RootNode["jobs"]["mine"]["steps"];
    }

    public void Dispose() => _folder.Dispose();
}
