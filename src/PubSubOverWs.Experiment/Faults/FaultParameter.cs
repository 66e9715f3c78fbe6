using System.Globalization;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>A parameter of a profile as it stands in a scenario.</summary>
/// <param name="Key">Its name.</param>
/// <param name="Text">Its value.</param>
/// <param name="IsNumber">True: a JSON number; false: a text.</param>
public readonly record struct FaultParameter(string Key, string Text, bool IsNumber = false)
{
    public static FaultParameter Of(string key, TimeSpan value) => new(key, Duration.Text(value));

    public static FaultParameter Of(string key, long value) => new(key, value.ToString(CultureInfo.InvariantCulture), IsNumber: true);

    public static FaultParameter Of(string key, double value) =>
        new(key, value.ToString("R", CultureInfo.InvariantCulture), IsNumber: true);

    public override string ToString() => $"{Key} {Text}";
}
