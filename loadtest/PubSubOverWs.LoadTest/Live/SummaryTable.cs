using System.Globalization;
using System.Text;

namespace PubSubOverWs.LoadTest.Live;

/// <summary>The few lines that a run ends with: per level and arm, how many iterations, what was lost, how long it took.</summary>
public static class SummaryTable
{
    public static string Of(IReadOnlyList<ArmProgress> arms)
    {
        var text = new StringBuilder();
        // direct+buffer is longer than the others.
        var width = Math.Max(7, arms.Select(arm => arm.Arm.Length).DefaultIfEmpty(0).Max());
        text.Append(
            string.Create(
                CultureInfo.InvariantCulture, $"{"users",7}  {"arm".PadRight(width)}  {"n",4}  {"loss",9}  {"latency, mean",14}"));
        foreach (var arm in arms)
            text.Append(Environment.NewLine).Append(string.Create(CultureInfo.InvariantCulture,
                $"{arm.Users,7}  {arm.Arm.PadRight(width)}  {arm.Iterations,4}  {ProgressText.Loss(arm.Loss),9}  "
                    + $"{ProgressText.Latency(arm.MeanLatency),14}"));
        return text.ToString();
    }
}
