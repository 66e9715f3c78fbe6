using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;
using Xunit.Abstractions;

namespace PubSubOverWs.EndToEndTests.Sqs;

/// <summary>The contract on one endpoint, over each client.</summary>
/// <param name="endpoint">Where, as whom.</param>
/// <param name="differences">What this endpoint is known not to do, by whatever it is called.</param>
public sealed class ContractClients(ContractEndpoint endpoint, IReadOnlyDictionary<string, string> differences) : IDisposable
{
    private readonly Dictionary<SqsClientKind, ContractRun> _runs = Enum.GetValues<SqsClientKind>()
        .ToDictionary(client => client, client => new ContractRun(endpoint, options => Connect(options, client), differences));

    /// <summary>Over all clients at the same time: most of it is waiting, and each has queues of its own.</summary>
    public async Task CheckAsync(BehaviourName behaviour)
    {
        var failures = await Task.WhenAll(_runs.Select(async run =>
            (Client: run.Key, Failure: await Xunit.Record.ExceptionAsync(() => run.Value.CheckAsync($"{behaviour}")))));

        Assert.All(failures, one => Assert.True(one.Failure is null, $"Over {one.Client}: {one.Failure}"));
    }

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

/// <summary>The name of a behaviour as a row of a theory. Of a string xunit would show no more than 50 characters.</summary>
public sealed class BehaviourName(string name) : IXunitSerializable
{
    private string _name = name;

    /// <summary>For <see cref="Deserialize"/>.</summary>
    public BehaviourName()
        : this("")
    {
    }

    public static TheoryData<BehaviourName> All => [.. Contract.Behaviours.Select(behaviour => new BehaviourName(behaviour.Name))];

    public void Deserialize(IXunitSerializationInfo info) => _name = info.GetValue<string>("name");

    public void Serialize(IXunitSerializationInfo info) => info.AddValue("name", _name);

    public override string ToString() => _name;
}
