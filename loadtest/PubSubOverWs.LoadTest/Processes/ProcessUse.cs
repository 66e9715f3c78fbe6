using System.Diagnostics;

namespace PubSubOverWs.LoadTest.Processes;

/// <summary>What a process has used so far. On Linux the CPU time comes in steps of 10 ms; <c>/stats</c> of a server is finer.</summary>
/// <param name="Cpu">User and kernel time of all its threads since it started.</param>
/// <param name="ResidentBytes">Memory held now.</param>
public readonly record struct ProcessUse(TimeSpan Cpu, long ResidentBytes)
{
    /// <summary>Zero for a process that has ended.</summary>
    public static ProcessUse Of(Process process)
    {
        try
        {
            process.Refresh();
            return new ProcessUse(process.TotalProcessorTime, process.WorkingSet64);
        }
        catch (InvalidOperationException)
        {
            return default;
        }
    }

    /// <summary>This program.</summary>
    public static ProcessUse OfThisProcess() => new(Environment.CpuUsage.TotalTime, Environment.WorkingSet);
}
