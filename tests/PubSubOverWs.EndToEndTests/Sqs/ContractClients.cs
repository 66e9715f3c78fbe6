using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Sqs;

/// <summary>The contract on one endpoint, over each client.</summary>
/// <param name="endpoint">Where, as whom.</param>
/// <param name="differences">What this endpoint is known not to do, by whatever it is called.</param>
public sealed class ContractClients(ContractEndpoint endpoint, IReadOnlyDictionary<string, string> differences) : IDisposable
{
    private readonly Dictionary<SqsClientKind, ContractRun> _runs = Enum.GetValues<SqsClientKind>()
        .ToDictionary(client => client, client => new ContractRun(endpoint, options => Connect(options, client), differences));

    public Task CheckAsync(SqsClientKind client, BehaviourName behaviour) => _runs[client].CheckAsync($"{behaviour}");

    public void Dispose()
    {
        foreach (var run in _runs.Values)
            run.Dispose();
    }

    private static ISqs Connect(SqsOptions options, SqsClientKind client)
    {
        options.Client = client;
        return SqsClient.Create(options, TimeProvider.System);
    }
}
