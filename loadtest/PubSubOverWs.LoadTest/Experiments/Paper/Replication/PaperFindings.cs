using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.LoadTest.Experiments.Paper.Published;
using PubSubOverWs.Report.Costs;
using PubSubOverWs.Report.Standard.Rows;
using PubSubOverWs.Report.Standard.Sections;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Replication;

/// <summary>The findings, in a few sentences; reasons to discard a run come first.</summary>
internal static class PaperFindings
{
    /// <summary>Limits of every such run.</summary>
    public static string ReachOf(PaperModel model) => model.AgainstItself is not null
        ? "This is an A/A run: both arms run the same program, so differences are noise. It shows what the set-up can resolve, and "
            + "nothing about the servers."
        : model.Fault is { Profile: NoFault.Name }
        ? "This is the baseline for runs with a fault, not a replication of the paper: publishers send to subscribers on other "
            + "connections, and there is no fault."
        : model.Fault is not null
        ? "This is a demonstration of a mechanism, not a replication of the paper: a fault is injected, and its consequences were "
            + "predicted before the run."
        : model.Scenario.IsReplication
        ? "This is a replication without the authors' artefacts, on different hardware: it can test whether directions and ratios are "
            + "reproduced, but not milliseconds or Kbps."
        : "This is a scenario of its own: it is compared with no published figures, and its gates decide what it must hold.";

    public static IReadOnlyList<string> Write(PaperModel model) =>
        [.. Findings.Warnings(model.Facts), ReachOf(model), .. Measured(model), .. Limits(model), .. Costs(model)];

    /// <summary>Loss, latency and bytes, a sentence each where there is something to say; at least one.</summary>
    public static IEnumerable<string> Measured(PaperModel model) => model.Losses.Count == 0
        ? [Findings.Loss(model.Losses)]
        : new[] { model.Fault is { } fault ? FaultSection.Sentence(fault) : null,
            model.AgainstItself is { } found ? NoiseSection.Sentence(found) : null, Findings.Loss(model.Losses), Latency(model),
            model.AgainstItself is null ? Bytes(model) : null }.OfType<string>();

    /// <summary>Conclusions that the size and the set-up of this run do not allow.</summary>
    public static IEnumerable<string> Limits(PaperModel model)
    {
        if (model.Losses.Count == 0)
            yield break;
        if (model.Scenario.Fault.KillsServers)
            yield return "Bytes to clients, calls to the queue and messages dropped by servers are not counted here, because a killed "
                + "server loses its counts.";
        if (model.Fault is { } fault)
        {
            yield return Reach(model, fault);
            yield break;
        }

        if (model.Losses.Min(row => row.Iterations) is var least && least < Decision.LeastCount)
            yield return $"With {Format.Count(least, "iteration")} at the level with the fewest, that level is not judged: a verdict needs "
                + $"{Decision.LeastCount}, in {Comparison.LeastBlocks} blocks.";
        if (model.AgainstItself is not null)
            yield break;
        foreach (var sentence in PowerText.Write(model))
            yield return sentence;
        if (!model.Scenario.IsReplication)
            yield break;
        yield return model.NoiseFloor switch
        {
            null => "The noise floor was not measured, so nothing here is called reproduced or without a difference.",
            { Passes: false } => "The set-up failed its A/A run, so nothing here is called reproduced or without a difference.",
            var noise =>
                $"Two instances of one server may differ by up to {NoiseSection.Floor(noise.Loss, noise.Latency, noise.Bytes)}: no smaller "
                    + "effect is called reproduced, and none where that is not known.",
        };
    }

    /// <summary>The cost of the queue, where it was estimated.</summary>
    public static IEnumerable<string> Costs(PaperModel model)
    {
        if (model.Losses.Count > 0 && model.Bill is { } bill)
            yield return $"The queue was expected to cost {BillText.Expected(bill)}; {BillText.Made(bill)}.";
    }

    private static string Reach(PaperModel model, FaultFound fault)
    {
        FaultArm[] arms = [.. fault.Levels.SelectMany(level => level.Arms)];
        var actions = arms.Max(arm => arm.FaultActions) == 0
            ? ""
            : $", with {Format.Span(arms.Select(arm => (double)arm.FaultActions), actions => Format.Fixed(actions, 0))} fault actions";
        return $"Each arm has at least {Format.Count(arms.Min(arm => arm.Iterations), "iteration")}, in "
            + $"{Format.Count(model.Progress.BlocksWhole, "block")}{actions}, on one machine. Lines that compare arms need "
            + $"{Losses.LeastBlocks} blocks"
            + (model.Scenario.Fault.LeastFaultActions is > 0 and var least ? $", and every line {least} fault actions in each arm." : ".");
    }

    private static string? Latency(PaperModel model)
    {
        var rows = model.Latency.Rows.Where(row => row.Measured.Ratio is not null && row.Measured.Count > 0).Select(row => row.Measured)
            .ToArray();
        if (rows.Length == 0)
            return null;
        var (first, second) = model.Compared;
        var ratios = Format.Span(rows.Select(row => row.Ratio!.Value), Format.Short);
        return model.Fault is null
            ? $"{(model.AgainstItself is null ? "Pubsub" : second)}'s mean latency was {ratios} times {first}'s{Significance(model, rows)}."
            : $"Of delivered messages: {second}'s mean latency was {ratios} times {first}'s; the ratio of the medians over iterations, "
                + $"which a few slow ones do not affect, is {Robust(rows)}. Latencies under a fault are skewed: their means are shown and "
                + "not judged.";
    }

    // Levels that are too small for a verdict are not said to differ. An A/A run counts how often chance alone says so.
    private static string Significance(PaperModel model, Comparison[] rows)
    {
        Comparison[] judged =
            [.. rows.Where(row => model.AgainstItself is not null || RowJudge.TooSmall(row.Users, row.Count, row.Blocks) is null)];
        if (judged.Length == 0)
            return "";
        var higher = judged.Count(row => row.Judged.HolmP < Decision.Alpha && row.Judged.Sign > 0);
        var lower = judged.Count(row => row.Judged.HolmP < Decision.Alpha && row.Judged.Sign < 0);
        return $"; of {Format.Count(judged.Length, "level")} it was significantly higher at {higher} and significantly lower at {lower}";
    }

    private static string Robust(Comparison[] rows)
    {
        double[] ratios = [.. rows.Where(row => row.FirstMedian > 0).Select(row => row.SecondMedian!.Value / row.FirstMedian!.Value)];
        var ranks = rows.Select(row => row.Exploratory?.MannWhitney).OfType<RankTest>().ToArray();
        return (ratios.Length == 0 ? "not defined" : Format.Span(ratios, Format.Short))
            + (ranks.Length == 0 ? "" : $" (Mann-Whitney {string.Join(", ", ranks.Select(PText.Equation))})");
    }

    private static string? Bytes(PaperModel model)
    {
        var rows = model.Bytes.Rows.Where(row => row.Measured.Ratio is not null && row.Measured.Count > 0).ToArray();
        if (rows.Length == 0)
            return null;
        var (first, second) = model.Compared;
        double[] all =
        [
            .. from users in rows.Select(row => row.Measured.Users)
               let one = model.Egress.Single(row => row.Arm == first && row.Users == users).PerMessage.BytesOut
               let other = model.Egress.Single(row => row.Arm == second && row.Users == users).PerMessage.BytesOut
               where one > 0 && other is not null
               select other.Value / one.Value,
        ];
        return $"Per delivered message {second} sent its clients "
            + $"{Format.Span(rows.Select(row => row.Measured.Ratio!.Value), Format.Ratio)} "
            + $"times {first}'s bytes"
            + (all.Length == 0 ? "." : $", and {Format.Span(all, Format.Short)} times if its traffic to the queue is included.");
    }
}

/// <summary>The power of a run and the meaning of its ratios, said beside its results.</summary>
internal static class PowerText
{
    // From here on the load alone takes at least half of what an arm takes.
    private const double Mostly = 0.5;

    public static IEnumerable<string> Write(PaperModel model)
    {
        var known = (model.Resolved ?? []).Where(row => row.Detectable is not null).ToArray();
        if (known.Length > 0)
            yield return Detectable(model, known);
        if (Floor(model) is { Length: > 0 } floor)
            yield return floor;
    }

    private static string Detectable(PaperModel model, Resolution[] known)
    {
        var unit = model.Latency.Rows.Any(row => row.Measured.IsByBlocks) ? "blocks" : "iterations";
        var least = known.Min(row => row.Detectable!.Value);
        double[] claimed = [.. model.Latency.Rows.Select(row => row.Published).OfType<PublishedRow>().Where(row => row.Significant)
            .Select(row => Math.Abs(row.Ratio - 1))];
        var power =
            $"With a power of 80 % the test of {unit} (at 0.05, before Holm's correction, with the scatter of this run) detects a ratio of "
                + "mean latencies that differs from 1 by "
                + $"{Format.Span(known.Select(row => row.Detectable!.Value), value => Format.Percent(value, 1))}, depending on the level";
        if (claimed.Length == 0)
            return $"{power}.";
        var published = Format.Span(claimed, value => Format.Percent(value, 1));
        var reach = least > claimed.Max() ? "was out of reach at every level"
            : least > claimed.Min() ? "was out of reach at some levels"
            : "was within reach at the best of them";
        return $"{power}: the published {published} {reach}.";
    }

    private static string Floor(PaperModel model)
    {
        var shares = model.Floor.Where(row => row.OfFirst >= Mostly).ToArray();
        return shares.Length == 0
            ? ""
            : $"A null echo, which is the load without a server's work, took "
                + $"{string.Join(", ", shares.Select(row => $"{Format.Percent(row.OfFirst, 0)} of {model.Compared.First}'s mean latency at "
                    + $"{Format.Whole(row.Users)} users"))}. There R says more about the load than about the servers.";
    }
}
