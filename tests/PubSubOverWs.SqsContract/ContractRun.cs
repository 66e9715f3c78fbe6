using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// Tries the contract on one endpoint through one client. Its queues and topics have names of this run only, and are deleted after each
/// behaviour.
/// </summary>
public sealed class ContractRun : IDisposable
{
    private readonly string _prefix = $"contract-{Guid.NewGuid():N}";
    private readonly RawSqs _raw;
    private readonly ISqs _sqs;
    private readonly RawSns _rawSns;
    private readonly SnsOverHttp _sns;
    private readonly IReadOnlyDictionary<string, string> _differences;
    private int _queues;

    /// <param name="endpoint">The endpoint to try.</param>
    /// <param name="connect">Makes the client, given <see cref="ContractEndpoint.ClientOptions"/>. It is disposed with this.</param>
    /// <param name="differences">
    /// The known differences of this endpoint: the name of each behaviour, and the reason. They are tried too, and must fail: if one holds,
    /// the list is out of date.
    /// </param>
    /// <exception cref="ArgumentException">A difference names no behaviour.</exception>
    public ContractRun(ContractEndpoint endpoint, Func<SqsOptions, ISqs> connect, IReadOnlyDictionary<string, string> differences)
    {
        if (differences.Keys.Except(Contract.Behaviours.Select(behaviour => behaviour.Name)).FirstOrDefault() is { } unknown)
            throw new ArgumentException($"No behaviour is called '{unknown}'.", nameof(differences));
        (_raw, _rawSns) = (new RawSqs(endpoint), new RawSns(endpoint));
        _sqs = connect(endpoint.ClientOptions);
        _sns = new SnsOverHttp(endpoint.TopicOptions, TimeProvider.System);
        _differences = differences;
    }

    /// <summary>Tries the behaviour of that name. Throws when the endpoint behaves otherwise, or a known difference is none.</summary>
    public async Task CheckAsync(string name)
    {
        var behaviour = Contract.Behaviours.Single(behaviour => behaviour.Name == name);
        await using var trial = new Trial(
            _sqs, _raw, new TopicTrial(_sns, _rawSns), () => $"{_prefix}-{Interlocked.Increment(ref _queues)}");
        if (!_differences.TryGetValue(name, out var reason))
        {
            await behaviour.TryAsync(trial);
            return;
        }
        var attempt = behaviour.TryAsync(trial);
        await attempt.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Assert.False(
            attempt.IsCompletedSuccessfully, $"'{name}' holds: take it off the list of known differences, where it says '{reason}'.");
    }

    public void Dispose()
    {
        _raw.Dispose();
        _rawSns.Dispose();
        _sns.Dispose();
        (_sqs as IDisposable)?.Dispose();
    }
}
