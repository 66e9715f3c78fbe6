using System.Globalization;
using System.Text.Json;
using System.Xml.Linq;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report;
using PubSubOverWs.Tests.Report.Standard;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Replication;

public sealed class PaperHtmlTests
{
    private const string Hostile = "<script>alert(1)</script> & \"quoted\" \u0001 \uD800";

    [Fact]
    public void A_page_has_findings_limits_method_validity_run_and_machine_in_this_order()
    {
        var sections = Page(SmallRun.Folder).Descendants("h2").Select(heading => heading.Value).ToList();
        string[] order = ["Findings", "Limits", "What is judged and what is shown", "Validity: all checks pass", "The run",
            "The machine"];
        Assert.Equal(order, sections.Where(order.Contains));
        Assert.Equal(order[..3], sections[..3]);
    }

    [Fact]
    public void The_lead_of_a_page_is_three_findings_of_report_json()
    {
        using var json = JsonDocument.Parse(ReportFolder.Make(SmallRun.Folder).Json);
        var findings = json.RootElement.GetProperty("findings").EnumerateArray().Select(one => one.GetString()!).ToArray();
        var lead = Page(SmallRun.Folder).Descendants("p").Single(part => (string?)part.Attribute("class") == "found").Value;
        Assert.Equal(string.Join(' ', findings[1..4]), lead);
    }

    [Fact]
    public void Every_finding_of_report_json_stands_in_the_page()
    {
        var page = Page(SmallRun.Folder).Value;
        using var json = JsonDocument.Parse(ReportFolder.Make(SmallRun.Folder).Json);
        var findings = json.RootElement.GetProperty("findings");
        Assert.NotEqual(0, findings.GetArrayLength());
        Assert.All(findings.EnumerateArray(),
            one => Assert.Contains(one.GetString()!, page, StringComparison.Ordinal));
    }

    [Fact]
    public void A_page_asks_for_nothing_from_anywhere()
    {
        var page = Page(SmallRun.Folder);
        string[] loading = ["script", "img", "iframe", "object", "embed", "use", "image"];
        Assert.DoesNotContain(page.Descendants(), element => loading.Contains(element.Name.LocalName));
        Assert.All(page.Descendants().Attributes("href"), link => Assert.Matches("^(#|data:,$)", link.Value));
        Assert.DoesNotContain("http", page.Descendants("style").Single().Value, StringComparison.Ordinal);
    }

    [Fact]
    public void Links_and_labels_point_at_existing_ids_and_each_id_is_unique()
    {
        var page = Page(SmallRun.Folder);
        var ids = page.Descendants().Attributes("id").Select(id => id.Value).ToArray();
        Assert.Distinct(ids);
        Assert.All(page.Descendants("a").Attributes("href"), link => Assert.Contains(link.Value[1..], ids));
        Assert.All(page.Descendants().Attributes("aria-labelledby").SelectMany(label => label.Value.Split(' ')),
            id => Assert.Contains(id, ids));
    }

    [Fact]
    public void Labels_events_and_machines_are_text_and_never_markup()
    {
        var run = SmallRun.Folder.Run with { Label = Hostile, Machine = SmallRun.Folder.Run.Machine with { Cpu = Hostile } };
        var page = Page(SmallRun.Folder with { Run = run, Events = [new EventRow(TimeSpan.Zero, "failure", Hostile, Hostile)] });
        Assert.Empty(page.Descendants("script"));
        Assert.Contains(
            "<script>alert(1)</script> & \"quoted\" \uFFFD \uFFFD", page.Descendants("h1").Single().Value, StringComparison.Ordinal);
    }

    [Fact]
    public void The_same_folder_gives_the_same_page_in_every_culture()
    {
        var first = ReportFolder.Make(SmallRun.Folder);
        // Made up: a machine need not know any other.
        var culture = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        culture.NumberFormat.NumberDecimalSeparator = ",";
        culture.NumberFormat.NegativeSign = "~";
        var before = Thread.CurrentThread.CurrentCulture;
        try
        {
            Thread.CurrentThread.CurrentCulture = culture;
            Assert.Equal(first.Named, ReportFolder.Make(SmallRun.Folder).Named);
        }
        finally
        {
            Thread.CurrentThread.CurrentCulture = before;
        }
    }

    [Fact]
    public void A_run_in_which_nothing_was_measured_has_a_page_without_figures()
    {
        var page = Page(SmallRun.Folder with { Rows = [] });
        Assert.Empty(page.Descendants("figure"));
        Assert.Contains("Nothing was measured.", page.Value, StringComparison.Ordinal);
    }

    [Fact]
    public void An_invalid_run_warns_before_anything_else()
    {
        var page = Page(SmallRun.Folder with { Run = SmallRun.Folder.Run with { Checks = new RunChecks(QueueAlive: false) } });
        var warning = page.Descendants().First(part => (string?)part.Attribute("class") == "warning");
        Assert.StartsWith("THIS RUN IS INVALID", warning.Value, StringComparison.Ordinal);
        Assert.DoesNotContain(warning.ElementsBeforeSelf("h2"), _ => true);
    }

    [Fact]
    public void The_tests_are_shown_with_t_degrees_of_freedom_p_and_verdict()
    {
        var columns = Page(SmallRun.Folder).Descendants("thead")
            .Select(head => string.Join('|', head.Descendants("th").Select(cell => cell.Value)));
        Assert.Equal(6, columns.Count(head => head.EndsWith("difference, 95 %|R, 95 %|t|df|p|Holm p|g|verdict", StringComparison.Ordinal)));
    }

    private static XElement Page(RunFolder folder)
    {
        var html = ReportFolder.Make(folder).Html;
        Assert.StartsWith("<!DOCTYPE html>\n", html, StringComparison.Ordinal);
        Assert.DoesNotContain('\r', html);
        return XDocument.Parse(html["<!DOCTYPE html>\n".Length..]).Root!;
    }
}
