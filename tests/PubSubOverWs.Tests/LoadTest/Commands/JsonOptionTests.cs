using System.Text.Json;
using PubSubOverWs.Tests.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>What <c>--json</c> prints.</summary>
public sealed class JsonOptionTests : IDisposable
{
    private static readonly string[] Levels = ["good", "warning", "refusal"];

    private readonly TestTerminal _terminal = new();
    private readonly RecordedRun _run = new(rows: 4, complete: true);

    [Fact]
    public async Task A_report_is_printed_as_it_is_in_the_folder_and_what_it_says_to_people_goes_to_standard_error()
    {
        Assert.Equal(0, await _terminal.RunAsync("report", _run.Folder, "--json", "--gate", "pubsub.loss <= 1%"));

        Assert.Equal(await File.ReadAllTextAsync(Path.Combine(_run.Folder, "report.json")), _terminal.Output);
        Assert.Contains("gate       pubsub.loss <= 1%: passed", _terminal.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_report_whose_gate_fails_is_printed_and_ends_with_2()
    {
        Assert.Equal(2, await _terminal.RunAsync("report", _run.Folder, "--json", "--gate", "pubsub.duplicates > 0"));

        Assert.Equal(JsonValueKind.Object, Printed().ValueKind);
    }

    [Fact]
    public async Task A_comparison_is_printed_as_in_its_file()
    {
        using var other = new RecordedRun(rows: 4, complete: true, change: RecordedRun.ADayLater);
        var output = Path.Combine(other.Folder, "compared");

        Assert.Equal(0, await _terminal.RunAsync("compare", _run.Folder, other.Folder, "--json", "--out", output));

        Assert.Equal(await File.ReadAllTextAsync(Path.Combine(output, "compare.json")), _terminal.Output);
        Assert.True(File.Exists(Path.Combine(output, "compare.md")));
    }

    [Fact]
    public async Task Results_have_every_record_and_no_run_where_one_is_damaged()
    {
        var damaged = Directory.CreateDirectory(Path.Combine(_run.Folder, "damaged")).FullName;
        await File.WriteAllTextAsync(Path.Combine(damaged, "run.json"), "{");

        Assert.Equal(0, await _terminal.RunAsync("results", _run.Folder, "--json"));

        var records = Printed().GetProperty("records").EnumerateArray().ToArray();
        Assert.Equal([_run.Folder, damaged], records.Select(record => record.GetProperty("folder").GetString()));
        var run = records[0].GetProperty("run");
        Assert.Equal(("tiny", true), (run.GetProperty("scenario").GetString(), run.GetProperty("complete").GetBoolean()));
        Assert.Equal(["direct", "pubsub"], run.GetProperty("arms").EnumerateArray().Select(arm => arm.GetString()));
        Assert.Equal(JsonValueKind.Null, records[1].GetProperty("run").ValueKind);
        Assert.Equal(JsonValueKind.Null, records[0].GetProperty("damage").ValueKind);
        Assert.Contains("iterations.csv", records[1].GetProperty("damage").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_folder_without_records_is_an_empty_list()
    {
        var empty = Directory.CreateDirectory(Path.Combine(_run.Folder, "empty")).FullName;

        Assert.Equal(0, await _terminal.RunAsync("results", empty, "--json"));

        Assert.Empty(Printed().GetProperty("records").EnumerateArray());
    }

    [Fact]
    public async Task The_doctor_says_which_checks_it_made_and_whether_the_machine_can_run_the_scenario()
    {
        var code = await _terminal.RunAsync("doctor smoke --json");

        var document = Printed();
        Assert.Equal("smoke", document.GetProperty("scenario").GetString());
        Assert.Equal(code == 0, document.GetProperty("canRun").GetBoolean());
        Assert.Equal(
            ["descriptors", "ports", "memory", "disk", "cores", "pinning", "loopback", "servers", "lock"],
            document.GetProperty("findings").EnumerateArray().Select(finding => finding.GetProperty("name").GetString()));
        Assert.All(
            document.GetProperty("findings").EnumerateArray(),
            finding => Assert.Contains(finding.GetProperty("level").GetString(), Levels));
    }

    [Fact]
    public async Task A_dry_run_prints_its_plan_with_the_scenario_as_it_would_be_recorded()
    {
        Assert.Equal(0, await _terminal.RunAsync("run paper --dry-run --json --users 10,20 --iterations 4 --blocks 2 --out record"));

        var plan = Printed();
        Assert.Equal(Path.GetFullPath("record"), plan.GetProperty("folder").GetString());
        Assert.Equal(
            [10, 20], plan.GetProperty("scenario").GetProperty("users").EnumerateArray().Select(users => users.GetInt32()));
        Assert.Equal(20, plan.GetProperty("connections").GetInt32());
        Assert.True(plan.GetProperty("expectedSeconds").GetDouble() > 0);
        Assert.Contains("direct server", plan.GetProperty("processes").EnumerateArray().Select(process => process.GetString()));
        Assert.Equal(JsonValueKind.Null, plan.GetProperty("cost").ValueKind);
    }

    [Fact]
    public async Task The_plan_of_a_run_on_SQS_has_its_requests_and_dollars()
    {
        Assert.Equal(0, await _terminal.RunAsync("run smoke --dry-run --json --sqs aws --region eu-central-1"));

        var cost = Printed().GetProperty("cost");
        var (requests, price) = (cost.GetProperty("requestsAtMost").GetInt64(), cost.GetProperty("pricePerMillion").GetDecimal());
        Assert.InRange(cost.GetProperty("requestsAtLeast").GetInt64(), 1, requests);
        Assert.Equal(requests * price / 1_000_000, cost.GetProperty("dollarsAtMost").GetDecimal());
    }

    [Fact]
    public async Task A_run_that_is_not_dry_refuses_to_print_a_plan()
    {
        Assert.Equal(5, await _terminal.RunAsync("run smoke --json"));

        Assert.Equal(
            $"--json prints the plan of a run: add --dry-run, or read report.json in the folder of the record.{Environment.NewLine}",
            _terminal.Error);
    }

    public void Dispose() => _run.Dispose();

    /// <summary>All of standard output, which must be one document.</summary>
    private JsonElement Printed() => JsonSerializer.Deserialize<JsonElement>(_terminal.Output);
}
