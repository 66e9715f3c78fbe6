using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Relay;

/// <summary>Off (0), or an interval that the session clock, which ticks every 250 ms, can keep.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class HeartBeatRangeAttribute : ValidationAttribute
{
    private static readonly TimeSpan Shortest = TimeSpan.FromMilliseconds(500);

    public HeartBeatRangeAttribute()
        : base("The field {0} must be 0 (off) or between 00:00:00.5 and 01:00:00.")
    {
    }

    public override bool IsValid(object? value) =>
        value is TimeSpan interval && (interval == TimeSpan.Zero || (interval >= Shortest && interval <= TimeSpan.FromHours(1)));
}
