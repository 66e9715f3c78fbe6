using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Faults;

/// <summary>
/// Makes a queue, its dead-letter queue and its parked queue again, under the same names and with the same settings, when the process that
/// had them in memory was killed: the pubsub server does not, because they may have been deleted on purpose.
/// </summary>
/// <param name="sqs">A client of where they are.</param>
/// <param name="name">Of the queue; the others are this with <c>-dead</c> and <c>-parked</c>.</param>
public sealed class QueueCopy(ISqs sqs, string name)
{
    private readonly string _dead = name + "-dead";
    private readonly string _parked = name + "-parked";
    private (QueueSettings Dead, QueueSettings Live, QueueSettings Parked) _settings;

    /// <summary>While they are there: keeps how they are set up.</summary>
    /// <exception cref="ChildException">The queue cannot be asked.</exception>
    public Task ReadAsync(CancellationToken cancellationToken) => WithAsync("asked how it is set up before it is killed", async () =>
        _settings = (
            await SettingsAsync(_dead, cancellationToken), await SettingsAsync(name, cancellationToken),
            await SettingsAsync(_parked, cancellationToken)));

    /// <summary>Makes them as they were.</summary>
    /// <exception cref="ChildException">The queue cannot be reached, or refused.</exception>
    public Task MakeAsync(CancellationToken cancellationToken) => WithAsync("made again after it was killed", async () =>
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
