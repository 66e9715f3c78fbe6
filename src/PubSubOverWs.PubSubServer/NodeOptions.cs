using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.PubSubServer;

/// <summary>How this server shares its work with others, section <c>Sqs:Nodes</c>.</summary>
internal sealed class NodeOptions : IValidatableObject
{
    /// <summary>
    /// False: this server is alone with its queue. True: it is one node of all servers that have the same <c>Sqs:Queue</c>: it has a queue
    /// of its own, and an SNS topic of that name reaches them all.
    /// </summary>
    public bool Enabled { get; set; }

    /// <summary>How often a node announces all its subscriptions, 100 ms to 1 min. Changes are announced at once.</summary>
    [Range(typeof(TimeSpan), "00:00:00.100", "00:01:00")]
    public TimeSpan AnnounceEvery { get; set; } = TimeSpan.FromSeconds(2);

    /// <summary>
    /// A node is considered dead when nothing was heard from it for this time; others then read its queue. 1 s to 10 min, and at least
    /// three times <see cref="AnnounceEvery"/>.
    /// </summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:10:00")]
    public TimeSpan DeadAfter { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// A node is certainly dead when nothing was heard from it for this time: it gets no more messages of topics, those in its queue are
    /// dropped, and the queue is deleted once nothing came into it for the same time. A live node has disconnected its topic subscribers
    /// before that. 1 min to 1 h, and at least twice <see cref="DeadAfter"/>. It must be longer than a publish can take to get there.
    /// </summary>
    [Range(typeof(TimeSpan), "00:01:00", "01:00:00")]
    public TimeSpan DeleteAfter { get; set; } = TimeSpan.FromMinutes(2);

    /// <summary>The times must fit each other.</summary>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (DeadAfter < 3 * AnnounceEvery)
            yield return new ValidationResult(
                $"DeadAfter is {DeadAfter:c}: it must be at least three times AnnounceEvery, {AnnounceEvery:c}.", [nameof(DeadAfter)]);
        if (DeleteAfter < 2 * DeadAfter)
            yield return new ValidationResult(
                $"DeleteAfter is {DeleteAfter:c}: it must be at least twice DeadAfter, {DeadAfter:c}.", [nameof(DeleteAfter)]);
    }
}
