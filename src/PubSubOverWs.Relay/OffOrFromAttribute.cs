using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Relay;

/// <summary>Off (0), or a time between two bounds.</summary>
/// <param name="least">As TimeSpan writes it.</param>
/// <param name="most">As TimeSpan writes it.</param>
[AttributeUsage(AttributeTargets.Property)]
public sealed class OffOrFromAttribute(
    string least, string most) : ValidationAttribute($"The field {{0}} must be 0 (off) or between {least} and {most}.")
{
    public override bool IsValid(object? value) =>
        value is TimeSpan time && (time == TimeSpan.Zero || (time >= TimeSpan.Parse(least, null) && time <= TimeSpan.Parse(most, null)));
}
