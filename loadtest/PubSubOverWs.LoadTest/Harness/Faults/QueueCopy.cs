using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Faults;

/// <summary>
/// Creates a queue, its dead-letter queue and its parked queue again, with the same names and settings, after the process that had them in
/// memory was killed. The pubsub server does not, because they may have been deleted on purpose.
/// </summary>
/// <param name="name">The name of the queue; the others have <c>-dead</c> and <c>-parked</c> added.</param>
public sealed class QueueCopy(ISqs sqs, string name)
{
    private readonly string _dead = name + "-dead";
    private readonly string _parked = name + "-parked";
    private (QueueSettings Dead, QueueSettings Live, QueueSettings Parked) _settings;

    /// <summary>Keeps their settings, while they exist.</summary>
    /// <exception cref="ChildException">The queue cannot be reached, or refused.</exception>
    public Task ReadAsync(CancellationToken cancellationToken) => WithAsync("asked for its settings before it is killed", async () =>
        _settings = (
            await SettingsAsync(_dead, cancellationToken), await SettingsAsync(name, cancellationToken),
            await SettingsAsync(_parked, cancellationToken)));

    /// <summary>Creates them with those settings.</summary>
    /// <exception cref="ChildException">The queue cannot be reached, or refused.</exception>
    public Task MakeAsync(CancellationToken cancellationToken) => WithAsync("created again after it was killed", async () =>
    {
        await sqs.CreateQueueAsync(_dead, _settings.Dead, cancellationToken);
        await sqs.CreateQueueAsync(name, _settings.Live, cancellationToken);
        await sqs.CreateQueueAsync(_parked, _settings.Parked, cancellationToken);
    });

    private async Task WithAsync(string what, Func<Task> calls)
    {
        try
        {
            await calls();
        }
        catch (SqsException failure)
        {
            throw new ChildException($"The queue {name} could not be {what}: {failure.Message}");
        }
    }

    private async Task<QueueSettings> SettingsAsync(string queue, CancellationToken cancellationToken) =>
        (await sqs.GetQueueAttributesAsync(await sqs.GetQueueUrlAsync(queue, cancellationToken), cancellationToken)).Settings;
}
