namespace PubSubOverWs.Experiment.Records;

/// <summary>What the requests to Amazon SQS were expected to cost before anything was started, and how many were made.</summary>
public sealed record QueueBill
{
    /// <summary>Dollars for a million requests.</summary>
    public required decimal PricePerMillion { get; init; }

    /// <summary>Requests, when every call carries ten messages.</summary>
    public required long ExpectedAtLeast { get; init; }

    /// <summary>Requests, when every call carries one.</summary>
    public required long ExpectedAtMost { get; init; }

    /// <summary>
    /// Calls of server and load runner, as they counted themselves at the end of each block: retries included; without what a server did
    /// while it ended, and without that of a server that died. Null: no block has ended.
    /// </summary>
    public long? Made { get; init; }

    public decimal Dollars(long requests) => requests * PricePerMillion / 1_000_000;
}
