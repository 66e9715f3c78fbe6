using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Standard.Sections;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>The report of the first experiment: the paper's tables, and of a run under a fault what it did.</summary>
internal static class PaperReport
{
    public static Analysis Analysis { get; } = new([])
    {
        Replicates = () => PublishedPaper.Load().Citation,
        OwnReport = Make,
        Listed = folder =>
            [.. FaultFound.Of(folder, Validity.IsValid(folder))?.Levels.Select(level => level.PubSubLosesLess.ForList()) ?? []],
    };

    private static ReportFiles Make(RunFolder folder)
    {
        var model = PaperBuilder.Build(folder);
        return new ReportFiles(Markdown(model), ReportJson.Write(model), PaperHtml.Write(model), PaperCsv.Write(model))
        {
            Verdicts =
            [
                .. model.Hypotheses.Select(one => new ReportVerdict(one.Id, one.Text, one.Sentence)),
                .. (model.Fault?.Levels ?? []).SelectMany(OfFault),
            ],
        };
    }

    private static IEnumerable<ReportVerdict> OfFault(FaultLevel level)
    {
        var (at, less) = ($"{Format.Whole(level.Users)} users", level.PubSubLosesLess);
        yield return new($"prediction at {at}", Word(level.Outcome.Word), $"{at}: the prediction: {level.Outcome.Text}.");
        yield return new($"H1b at {at}", Word(less.Word), $"{at}: H1b {less.Text}.");

        static string Word<T>(T word) where T : struct, Enum => Kebab.Of(word).Replace('-', ' ');
    }

    // First what was found, then the tables, then everything a reader may doubt.
    private static string Markdown(PaperModel model) => MarkdownText.Write(
        TermSection.Linked(
        [
            .. HeadSection.Of(model), .. FaultSection.Of(model.Fault), .. HeadSection.Noise(model), .. TableSection.Of(model),
            .. LossSection.Of(model.Losses, model.Events, model.Scenario.Disturbance is not null), .. CostSection.Of(model),
            .. CheckSection.Of(model.Facts), .. PaperSection.Of(model),
        ]),
        Mark(model.Scenario));

    /// <summary>Warnings that no reader of a single table may miss.</summary>
    private static string Mark(OneWayScenario scenario)
    {
        var marks = new List<string>();
        if (scenario.QueueLatency.IsSimulated)
            marks.Add("simulated distance");
        if (scenario.PubSubNodes > 1)
            marks.Add($"pubsub: {Format.Whole(scenario.PubSubNodes)} nodes");
        return marks.Count == 0 ? "" : $" ({string.Join(", ", marks)})";
    }
}
