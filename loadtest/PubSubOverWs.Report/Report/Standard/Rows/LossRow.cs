using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Report.Standard.Rows;

/// <summary>Outcomes of the messages of one arm at one level, over all measured iterations.</summary>
/// <param name="Arm">Its name.</param>
/// <param name="Level">At which level.</param>
/// <param name="Iterations">n.</param>
/// <param name="Buckets">The sum.</param>
/// <param name="WithLoss">Iterations that lost anything.</param>
/// <param name="WithLossShare">The exact 95 % interval of the share of such iterations.</param>
/// <param name="Dispersion">variance/mean of the losses over iterations; null: nothing lost, or n below 2.</param>
/// <param name="MessageShare">The exact 95 % interval of the loss of a message; null where losses are clustered, or absent.</param>
/// <param name="Anomalies">Duplicates and the like.</param>
/// <param name="Drops">As the server reports them; null: not known of every iteration.</param>
public sealed record LossRow(
    string Arm, [property: JsonPropertyName("users")] Level Level, int Iterations, Buckets Buckets, int WithLoss, Interval? WithLossShare,
    double? Dispersion, Interval? MessageShare, Anomalies Anomalies, ServerDrops? Drops)
{
    /// <inheritdoc cref="Level.Number"/>
    [JsonIgnore]
    public int Users => Level.Number;

    /// <summary>Iterations after which the queue was not shown to be empty: guarantee loss is claimed only if there is none.</summary>
    [JsonIgnore]
    public int NotDrained { get; init; }

    /// <summary>One for each level and arm; quick, unlike a whole report.</summary>
    public static IReadOnlyList<LossRow> All(RunFolder folder) =>
    [
        .. from one in ArmLevel.Measured(folder)
           let row = DetailBuilder.Losses(one)
           // A disturbance takes messages together, even where it does so evenly over the iterations.
           select folder.Run.Scenario.Disturbance is null ? row : row with { MessageShare = null },
    ];
}
