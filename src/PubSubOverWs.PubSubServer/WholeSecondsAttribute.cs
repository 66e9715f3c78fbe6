using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.PubSubServer;

/// <summary>SQS takes times in whole seconds: half a second would silently become none.</summary>
[AttributeUsage(AttributeTargets.Property)]
internal sealed class WholeSecondsAttribute() : ValidationAttribute("{0} must be whole seconds.")
{
    public override bool IsValid(object? value) => value is not TimeSpan time || time.Ticks % TimeSpan.TicksPerSecond == 0;
}
