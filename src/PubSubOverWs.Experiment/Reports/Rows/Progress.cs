namespace PubSubOverWs.Experiment.Reports.Rows;

/// <summary>How much of a run there is.</summary>
/// <param name="Label">What the user called it.</param>
/// <param name="Started">UTC.</param>
/// <param name="Ended">UTC; null: it was killed, or goes on.</param>
/// <param name="Complete">False: interrupted.</param>
/// <param name="Resumed">How often it was resumed.</param>
/// <param name="Planned">Rows the plan asks for: arms times iterations, with warm-up and floor.</param>
/// <param name="Recorded">Rows there are, superseded ones not counted.</param>
/// <param name="BlocksPlanned">Blocks the plan asks for.</param>
/// <param name="BlocksWhole">Blocks of which every row is there.</param>
/// <param name="Superseded">Rows of cut blocks that ran again: kept, and used by nothing.</param>
public sealed record Progress(
    string? Label,
    DateTimeOffset Started,
    DateTimeOffset? Ended,
    bool Complete,
    int Resumed,
    int Planned,
    int Recorded,
    int BlocksPlanned,
    int BlocksWhole,
    int Superseded);
