using System.Xml.Linq;
using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.LoadTest.Experiments.Paper.Replication;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Report;
using PubSubOverWs.Report.Standard.Figures;

namespace PubSubOverWs.Tests.Report.Standard.Figures;

public sealed class DrawingTests
{
    private static readonly PaperModel Model = PaperReport.Build(SmallRun.Folder);

    [Theory]
    [InlineData("latency")]
    [InlineData("loss")]
    public void A_level_has_a_mark_and_an_interval_for_each_arm_and_a_hollow_mark_for_the_published_value(string id)
    {
        var drawing = Drawings(SmallRun.Folder, id).Single();
        foreach (var arm in new[] { "first", "second" })
        {
            Assert.Equal(2, Marks(drawing, $"mark {arm}"));
            Assert.Equal(2, Marks(drawing, $"mark {arm} hollow"));
            Assert.Equal(2, Marks(drawing, $"interval {arm}"));
        }
    }

    [Fact]
    public void Every_iteration_that_counts_is_a_mark_and_warm_up_is_not()
    {
        var latency = IterationFigure.Draw(Model.Points.Iterations, Model.Compared).Drawings
            .Where(one => !one.Attribute("id")!.Value.EndsWith("-loss", StringComparison.Ordinal)).ToArray();
        Assert.Equal(["iterations-50", "iterations-500"], latency.Select(one => one.Attribute("id")!.Value));
        Assert.All(latency, one => Assert.Equal((30, 30), (Marks(one, "mark first"), Marks(one, "mark second"))));
    }

    [Fact]
    public void Loss_of_iterations_is_drawn_if_there_is_any() =>
        Assert.Contains(
            IterationFigure.Draw(Model.Points.Iterations, Model.Compared).Drawings,
            one => one.Attribute("id")!.Value == "iterations-500-loss");

    [Fact]
    public void Servers_started_afresh_are_a_line_between_blocks()
    {
        var drawings = IterationFigure.Draw(Model.Points.Iterations, Model.Compared).Drawings;
        Assert.NotEmpty(drawings);
        Assert.All(drawings, one => Assert.Equal(4, Marks(one, "border")));
    }

    [Fact]
    public void Percentiles_have_one_drawing_for_each_level() =>
        Assert.Equal(
            ["percentiles-50", "percentiles-500"],
            PercentileFigure.Draw(Model.LatencyShapes, Model.Compared).Drawings.Select(one => one.Attribute("id")!.Value));

    [Fact]
    public void A_bucket_that_has_any_message_is_seen_and_an_empty_one_is_not()
    {
        var drawing = BucketFigure.Draw(Model.Losses).Drawings.Single();
        Assert.Equal(4, Marks(drawing, "mark bucket delivered"));
        Assert.Equal(1, Marks(drawing, "mark bucket lost-unacknowledged"));
        Assert.Equal(0, Marks(drawing, "mark bucket late"));
        Assert.InRange(
            (double)drawing.Descendants("rect").Single(one => one.Attribute("class")!.Value == "mark bucket lost-unacknowledged")
                .Attribute("width")!, 1.9, 3);
    }

    [Fact]
    public void Each_block_of_the_run_shows_every_row_and_every_event()
    {
        var events = new EventRow[]
        {
            new(TimeSpan.Zero, "started", "direct", ""), new(TimeSpan.FromSeconds(1), "died", "pubsub", "exit code 1"),
        };
        var figure = TimelineFigure.Draw(Model.Points with { Events = events }, Model.Scenario);
        Assert.Equal(5, figure.Drawings.Count);
        Assert.Equal(SmallRun.Folder.Rows.Count, figure.Drawings.Descendants("rect").Count());
        Assert.Equal(1, figure.Drawings.Sum(one => Marks(one, "mark other event fault")));
        Assert.Equal(1, figure.Drawings.Sum(one => Marks(one, "mark second event")));
    }

    [Fact]
    public void Every_drawing_is_an_image_with_a_title_and_a_description()
    {
        foreach (var drawing in AllDrawings(SmallRun.Folder))
        {
            Assert.Equal("img", drawing.Attribute("role")!.Value);
            Assert.Equal(
                [drawing.Element("title")!.Attribute("id")!.Value, drawing.Element("desc")!.Attribute("id")!.Value],
                drawing.Attribute("aria-labelledby")!.Value.Split(' '));
            Assert.All([drawing.Element("title")!, drawing.Element("desc")!], words => Assert.NotEmpty(words.Value));
        }
    }

    [Fact]
    public void Every_figure_has_its_table() =>
        Assert.All(Figures(SmallRun.Folder), figure => Assert.NotEmpty(figure.Elements("details").Descendants("table")));

    [Fact]
    public void One_level_of_one_iteration_that_the_paper_does_not_have_can_be_drawn()
    {
        var scenario = new OneWayScenario { Name = "smoke", Users = [7], Iterations = 1, Blocks = 1, WarmUps = 0, Floor = false };
        Assert.All(AllDrawings(SmallRun.Of(scenario)),
            drawing => Assert.DoesNotContain("NaN", drawing.ToString(), StringComparison.Ordinal));
        Assert.Equal(1, Marks(Drawings(SmallRun.Of(scenario), "latency").Single(), "mark first"));
    }

    private static int Marks(XElement drawing, string style) =>
        drawing.Descendants().Count(one => (string?)one.Attribute("class") == style);

    private static IEnumerable<XElement> Drawings(RunFolder folder, string figure) =>
        Figures(folder).Single(one => one.Attribute("id")!.Value == figure).Elements("div")
            .Single(one => one.Attribute("class")!.Value == "drawings").Elements("svg");

    private static IEnumerable<XElement> AllDrawings(RunFolder folder) =>
        Figures(folder).SelectMany(figure => Drawings(folder, figure.Attribute("id")!.Value));

    private static IEnumerable<XElement> Figures(RunFolder folder) =>
        XDocument.Parse(ReportFolder.Make(folder).Html["<!DOCTYPE html>\n".Length..]).Descendants("figure");
}
