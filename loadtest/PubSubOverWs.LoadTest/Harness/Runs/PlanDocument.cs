namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>What a run would do, for programs. <see cref="DryRunText"/> says it to people.</summary>
/// <param name="Plan">The version of the format.</param>
/// <param name="Scenario">With all changes of the command line.</param>
/// <param name="Folder">Of the record.</param>
/// <param name="Trials">Arms in iterations that are still to run, with all warm-ups that arms may have.</param>
/// <param name="Messages">Sent in all of them.</param>
/// <param name="ExpectedSeconds">An estimate from users and levels, of all of them.</param>
/// <param name="Connections">The most that are open at once.</param>
/// <param name="Processes">Servers, queues and browsers, those that are already running too.</param>
/// <param name="Cost">Of the queue; null: it is free, and no price was given.</param>
public sealed record PlanDocument(
    int Plan, Scenario Scenario, string Folder, int Trials, long Messages, double ExpectedSeconds, int Connections,
    IReadOnlyList<string> Processes, PlannedCost? Cost)
{
    private const int Version = 1;

    public static PlanDocument From(RunJob job) => new(
        Version,
        job.Scenario,
        job.Folder,
        job.Trials.Count,
        job.Trials.Sum(trial => job.Scenario.Sends(trial.Level)),
        Math.Ceiling(job.Expected.TotalSeconds),
        job.Scenario.MaxUsers * job.Scenario.ConnectionsPerUser,
        [.. job.Processes],
        job.Bill is { } bill ? PlannedCost.From(bill) : null);
}

/// <summary>The expected cost of a queue: least where every call carries ten messages, most where every call carries one.</summary>
/// <param name="PricePerMillion">Dollars for a million requests.</param>
public sealed record PlannedCost(
    decimal PricePerMillion, long RequestsAtLeast, long RequestsAtMost, decimal DollarsAtLeast, decimal DollarsAtMost)
{
    public static PlannedCost From(QueueBill bill) => new(
        bill.PricePerMillion, bill.ExpectedAtLeast, bill.ExpectedAtMost, bill.Dollars(bill.ExpectedAtLeast),
        bill.Dollars(bill.ExpectedAtMost));
}
