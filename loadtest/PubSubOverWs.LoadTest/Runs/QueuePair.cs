using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>The queue of one block with its dead-letter queue: the pubsub server makes them, this deletes them, whatever became of the block.</summary>
public sealed class QueuePair : IDisposable
{
    /// <summary>Long enough for a queue far away, short enough for somebody who pressed Ctrl-C.</summary>
    private static readonly TimeSpan DeleteTimeout = TimeSpan.FromSeconds(10);

    private readonly SqsOverHttp _sqs;
    private readonly TimeProvider _time;

    /// <param name="name">Of the queue; its dead-letter queue is this with <c>-dead</c>.</param>
    /// <param name="endpoint">Where it is.</param>
    /// <param name="isLocalSqs">True: the embedded one, with the key that it knows by default. False: the keys are those of the environment.</param>
    /// <param name="time">The clock.</param>
    public QueuePair(string name, Uri endpoint, bool isLocalSqs, TimeProvider time)
    {
        Name = name;
        _time = time;
        _sqs = Connect(endpoint, isLocalSqs, time);
    }

    public string Name { get; }

    public ISqs Sqs => _sqs;

    /// <exception cref="SqsException">No region can be found.</exception>
    public static SqsOverHttp Connect(Uri endpoint, bool isLocalSqs, TimeProvider time) => new(
        new SqsOptions
        {
            Endpoint = endpoint.ToString(),
            AccessKey = isLocalSqs ? FleetSettings.LocalKey : null,
            SecretKey = isLocalSqs ? FleetSettings.LocalKey : null,
            MaxAttempts = 3,
        },
        time);

    /// <summary>Deletes both queues, also when the run was asked to stop. Null: they are gone; else why they may not be.</summary>
    public async Task<string?> DeleteAsync()
    {
        using var timeout = new CancellationTokenSource(DeleteTimeout, _time);
        try
        {
            foreach (var name in new[] { Name, Name + "-dead" })
                await DeleteAsync(name, timeout.Token);
            return null;
        }
        catch (SqsException failure)
        {
            return failure.Message;
        }
        catch (OperationCanceledException)
        {
            return $"The queue did not answer within {DeleteTimeout.TotalSeconds:0} s.";
        }
    }

    public void Dispose() => _sqs.Dispose();

    private async Task DeleteAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await _sqs.DeleteQueueAsync(await _sqs.GetQueueUrlAsync(name, cancellationToken), cancellationToken);
        }
        catch (SqsException failure) when (failure.Code == SqsErrorCode.QueueDoesNotExist)
        {
            // The block ended before the server had made it.
        }
    }
}
