using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>Keeps hidden what is still here: renews the visibility of each lease at a third of it, in batches.</summary>
internal sealed class Renewal(
    ISqs sqs, QueueUrls urls, Leases leases, Dispatcher dispatcher, QueueMeter meter, TimeSpan visibility, TimeProvider time)
{
    private const int CallsAtOnce = 4;

    /// <summary>Ends when <paramref name="stopping"/> fires.</summary>
    public async Task RunAsync(CancellationToken stopping)
    {
        using var timer = new PeriodicTimer(leases.RenewalTick, time);
        try
        {
            while (await timer.WaitForNextTickAsync(stopping))
                await RenewDueAsync();
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
    }

    /// <summary>Renews what is due. What could not be renewed because the queue is away is due again after another third.</summary>
    public async Task RenewDueAsync()
    {
        var options = new ParallelOptions { MaxDegreeOfParallelism = CallsAtOnce };
        await Parallel.ForEachAsync(leases.TakeDue().Chunk(SqsLimits.MaxBatchEntries), options, async (batch, _) => await RenewAsync(batch));
    }

    private async Task RenewAsync(Lease[] batch)
    {
        var entries = Array.ConvertAll(batch, lease => new VisibilityEntry(lease.Received.ReceiptHandle, visibility));
        try
        {
            var results = await sqs.ChangeMessageVisibilityBatchAsync(urls.Url, entries, CancellationToken.None);
            for (var i = 0; i < batch.Length; i++)
            {
                // Refused for good: received again by another, deleted meanwhile, or held for the 12 h that SQS allows.
                if (results[i].Failure is not { SenderFault: true })
                    continue;
                meter.AddStaleReceipts(1);
                dispatcher.Lost(batch[i]);
            }
        }
        catch (SqsException)
        {
            // Said by whoever watches the queue.
        }
    }
}
