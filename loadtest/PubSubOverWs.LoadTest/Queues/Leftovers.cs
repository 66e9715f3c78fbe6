using PubSubOverWs.LoadTest.Runs;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Queues;

/// <summary>The queues that runs made and that are still there: of a run that goes on, or left behind by one that was killed.</summary>
public sealed class Leftovers(ISqs sqs, TimeProvider time)
{
    /// <summary>All of them, by name, and so by the time of their run. Queues that no run named are not looked at.</summary>
    /// <exception cref="SqsException">The queue server did not answer, or refused.</exception>
    public async Task<IReadOnlyList<Leftover>> FindAsync(CancellationToken cancellationToken)
    {
        var found = new List<Leftover>();
        foreach (var url in await sqs.ListQueuesAsync(RunToken.QueuePrefix, cancellationToken))
        {
            if (RunToken.Named(NameIn(url)) && await LookAsync(url, cancellationToken) is { } leftover)
                found.Add(leftover);
        }

        return [.. found.OrderBy(one => one.Name, StringComparer.Ordinal)];
    }

    /// <summary>False: it was gone already.</summary>
    /// <exception cref="ArgumentException">No run named it.</exception>
    /// <exception cref="SqsException">The queue server did not answer, or refused.</exception>
    public async Task<bool> DeleteAsync(Leftover leftover, CancellationToken cancellationToken)
    {
        if (!RunToken.Named(NameIn(leftover.Url)))
            throw new ArgumentException($"{leftover.Url} is no queue of a run.", nameof(leftover));
        try
        {
            await sqs.DeleteQueueAsync(leftover.Url, cancellationToken);
            return true;
        }
        catch (SqsException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return false;
        }
    }

    // Lists lag behind: a queue that was just deleted may still be in one.
    private async Task<Leftover?> LookAsync(string url, CancellationToken cancellationToken)
    {
        try
        {
            var attributes = await sqs.GetQueueAttributesAsync(url, cancellationToken);
            return new Leftover(NameIn(url), url, time.GetUtcNow() - attributes.CreatedAt, attributes.Visible + attributes.InFlight + attributes.Delayed);
        }
        catch (SqsException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
            return null;
        }
    }

    private static string NameIn(string url) => url[(url.LastIndexOf('/') + 1)..];
}
