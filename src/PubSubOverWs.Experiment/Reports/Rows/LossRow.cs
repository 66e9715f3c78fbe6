using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Statistics;

namespace PubSubOverWs.Experiment.Reports.Rows;

/// <summary>Where the messages of one arm at one level ended, over all iterations that count.</summary>
/// <param name="Arm">direct or pubsub.</param>
/// <param name="Level">At which level.</param>
/// <param name="Iterations">n.</param>
/// <param name="Buckets">The sum.</param>
/// <param name="WithLoss">Iterations that lost anything.</param>
/// <param name="WithLossShare">The exact 95 % interval of the share of such iterations.</param>
/// <param name="Dispersion">variance/mean of the losses over iterations; null: nothing lost, or n below 2.</param>
/// <param name="MessageShare">The exact 95 % interval of the loss of a message; null where losses come together, or there are none.</param>
/// <param name="Anomalies">Duplicates and the like.</param>
/// <param name="Drops">What the server says it dropped; null: not known of every iteration.</param>
public sealed record LossRow(
    string Arm,
    [property: JsonPropertyName("users")] Level Level,
    int Iterations,
    Buckets Buckets,
    int WithLoss,
    Interval? WithLossShare,
    double? Dispersion,
    Interval? MessageShare,
    Anomalies Anomalies,
    ServerDrops? Drops)
{
    /// <summary>The level, where the only factor is the number of users.</summary>
    [JsonIgnore]
    public int Users => Level.Number;

    /// <summary>Iterations after which the queue was not shown to be empty: the guarantee loss is claimed only where it is 0.</summary>
    [JsonIgnore]
    public int NotDrained { get; init; }

    /// <summary>One of each level and each arm that has iterations that count: the part of a report that takes no time.</summary>
    public static IReadOnlyList<LossRow> All(RunFolder folder) =>
    [
        .. from level in folder.Run.Scenario.Levels
           from arm in folder.Run.Scenario.ShownArms
           let one = ArmLevel.Of(folder, arm, level)
           where one.Rows.Count > 0
           let row = DetailBuilder.Losses(one)
           // A disturbance takes messages together, however evenly it does so over the iterations.
           select folder.Run.Scenario.Disturbance is null ? row : row with { MessageShare = null },
    ];
}
