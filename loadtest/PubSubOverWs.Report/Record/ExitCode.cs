namespace PubSubOverWs.Record;

/// <summary>The exit codes of all commands; docs/reference/record.md lists them for scripts.</summary>
public enum ExitCode
{
    /// <summary>All well: every gate passed.</summary>
    Success = 0,

    /// <summary>An unexpected error.</summary>
    Crash = 1,

    /// <summary>A gate failed, or the run is invalid.</summary>
    GateFailed = 2,

    /// <summary>The user stopped the run.</summary>
    Aborted = 3,

    /// <summary>
    /// Bad usage, scenario or record folder, port in use, no credentials, not enough descriptors, or another run holds the lock.
    /// </summary>
    BadUsage = 5,

    /// <summary>The run ended and there is not one measured iteration.</summary>
    NothingMeasured = 8,

    /// <summary>Two records that may not be compared, or too few repetitions to compare them.</summary>
    NotComparable = 9,

    /// <summary>A server or the queue could not be reached.</summary>
    Unreachable = 10,
}
