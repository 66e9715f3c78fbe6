using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>What the user asked of <c>run</c>, before anything is looked up.</summary>
public sealed record RunRequest
{
    /// <summary>A name or a path; null only with <see cref="Resume"/> and <see cref="SelfTest"/>.</summary>
    public string? Scenario { get; init; }

    public ScenarioChanges Changes { get; init; } = new();

    public string? Out { get; init; }

    public string? Label { get; init; }

    /// <summary>What the folder's name ends with: <see cref="Label"/>, or the fault that was asked for. Null: nothing.</summary>
    public string? FolderLabel => Label ?? Changes.Fault;

    /// <summary>The record folder of an interrupted run.</summary>
    public string? Resume { get; init; }

    public bool DryRun { get; init; }

    /// <summary>Measures nothing: faults are injected, and the accounting must find them.</summary>
    public bool SelfTest { get; init; }

    public Uri? Direct { get; init; }

    public Uri? PubSub { get; init; }

    /// <summary>How to get into <see cref="Direct"/> and <see cref="PubSub"/>; servers that the run starts let everybody in.</summary>
    public ServerAccess Access { get; init; } = ServerAccess.None;

    /// <summary>
    /// The queue that the pubsub server gets; of a server that is already there, the queue that is asked whether it is empty.
    /// </summary>
    public QueueTarget Queue { get; init; } = QueueTarget.Embedded;

    /// <summary><see cref="QueueTarget.SqsClient"/> was asked for, and not left alone.</summary>
    public bool NamesSqsClient { get; init; }

    /// <summary>
    /// Dollars for a million requests to SQS; null: the bill is of interest on AWS only, at <see cref="QueueBills.DefaultPrice"/>.
    /// </summary>
    public decimal? PricePerMillion { get; init; }

    /// <summary>The user has said that what AWS asks for may be spent.</summary>
    public bool MayCostMoney { get; init; }

    /// <summary>The record folder that gates which name a baseline hold the run against; null: none.</summary>
    public string? Baseline { get; init; }

    /// <summary>Where the gates go as JUnit XML; null: nowhere.</summary>
    public string? JUnit { get; init; }

    public bool Plain { get; init; }

    /// <summary>Servers that the run did not start cannot be started afresh: they are one block.</summary>
    public bool OwnServersOnly => Direct is null && PubSub is null;
}
