namespace PubSubOverWs.Tests.Record.Files;

/// <summary>Writes gigabytes, and so only where <c>LARGE_RECORD</c> names a folder that is not there yet.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LargeRecordFactAttribute : FactAttribute
{
    public LargeRecordFactAttribute()
    {
        if (Folder is null)
            Skip = "Writes a record of 36,000,000 samples into the folder that LARGE_RECORD names, when it does.";
    }

    public static string? Folder { get; } = Environment.GetEnvironmentVariable("LARGE_RECORD");
}
