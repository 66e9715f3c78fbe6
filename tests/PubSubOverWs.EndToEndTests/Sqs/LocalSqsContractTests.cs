using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Sqs;

public sealed class LocalSqsContractTests(LocalSqsContractTests.Server server) : IClassFixture<LocalSqsContractTests.Server>
{
    /// <summary>Behaviours in which LocalSqs differs from SQS, and why.</summary>
    private static readonly Dictionary<string, string> Differences = [];

    [Theory]
    [MemberData(nameof(BehaviourName.All), MemberType = typeof(BehaviourName))]
    public Task LocalSqs_keeps_the_contract(BehaviourName behaviour) => server.Contract.CheckAsync(behaviour);

    /// <summary>The contract on LocalSqs as a process, for all rows.</summary>
    public sealed class Server : IAsyncLifetime
    {
        public ContractEndpoint Endpoint { get; private set; } = null!;

        public ContractClients Contract { get; private set; } = null!;

        public async Task InitializeAsync()
        {
            Endpoint = new ContractEndpoint((await TestServers.SharedQueueAsync()).Address);
            Contract = new ContractClients(Endpoint, Differences);
        }

        public Task DisposeAsync()
        {
            Contract.Dispose();
            return Task.CompletedTask;
        }
    }
}

/// <summary>A list of known differences cannot be out of date.</summary>
public sealed class ContractRunTests(LocalSqsContractTests.Server server) : IClassFixture<LocalSqsContractTests.Server>
{
    private const string Holds = "Queues: A queue is found by its name";

    [Fact]
    public async Task A_known_difference_that_no_longer_exists_is_a_failure_that_names_it()
    {
        using var contract = Run(Holds, "it did not once");

        var failure = await Assert.ThrowsAnyAsync<Exception>(() => contract.CheckAsync(Holds));

        Assert.Equal($"'{Holds}' holds: take it off the list of known differences, where it says 'it did not once'.", failure.Message);
    }

    [Fact]
    public void A_difference_that_names_no_behaviour_is_refused() =>
        Assert.Throws<ArgumentException>(() => Run("Queues: They are blue", "no reason"));

    [Fact]
    public async Task An_endpoint_that_is_not_there_keeps_nothing()
    {
        var nobody = new ContractEndpoint(new Uri("http://127.0.0.1:9"));
        using var contract = new ContractRun(
            nobody, options => new SqsOverHttp(options, TimeProvider.System), new Dictionary<string, string>());

        Assert.Equal(SqsErrorCode.Unreachable, (await Assert.ThrowsAsync<QueueException>(() => contract.CheckAsync(Holds))).Code);
    }

    private ContractRun Run(string difference, string reason) => new(
        server.Endpoint, options => new SqsOverHttp(options, TimeProvider.System),
        new Dictionary<string, string> { [difference] = reason });
}
