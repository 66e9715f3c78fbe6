using System.Globalization;
using System.Text;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>
/// What a self-test injected and what was found of it: a row for each counter of flows.csv that is not 0, two columns for each arm.
/// </summary>
public static class SelfTestTable
{
    public static string Of(IReadOnlyList<SelfTestArm> arms)
    {
        var text = new StringBuilder($"{"",-22}");
        foreach (var arm in arms)
            text.Append(CultureInfo.InvariantCulture, $"{arm.Arm + ", injected",18}{"found",8}");
        foreach (var row in arms.SelectMany(arm => arm.Counters).GroupBy(counter => counter.Name)
            .Where(row => row.Any(counter => counter.Injected + counter.Found > 0)))
        {
            text.AppendLine().Append(CultureInfo.InvariantCulture, $"{row.Key,-22}");
            foreach (var counter in row)
                text.Append(CultureInfo.InvariantCulture, $"{counter.Injected,18}{counter.Found,8}");
        }
        return text.ToString();
    }
}
