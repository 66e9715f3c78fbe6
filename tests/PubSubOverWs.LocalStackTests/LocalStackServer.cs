using PubSubOverWs.SqsContract;
using Testcontainers.LocalStack;

namespace PubSubOverWs.LocalStackTests;

/// <summary>LocalStack in a container, for all tests of this project.</summary>
public sealed class LocalStackServer : IAsyncLifetime
{
    /// <summary>The last that asks for no account; docker-compose.yml has the same.</summary>
    public const string Image = "localstack/localstack:4.14.0";

    private LocalStackContainer? _container;

    public ContractEndpoint Endpoint =>
        new(new Uri((_container ?? throw new InvalidOperationException(Docker.Missing)).GetConnectionString()));

    public async Task InitializeAsync()
    {
        // Asked for also when every test is skipped.
        if (Docker.Missing is not null)
            return;
        _container = new LocalStackBuilder(Image)
            .WithEnvironment("SERVICES", "sqs,sns")
            // SQS keeps a deleted name, and refuses a second purge, for 60 s; LocalStack does so when it is told to.
            .WithEnvironment("SQS_DELAY_RECENTLY_DELETED", "1")
            .WithEnvironment("SQS_DELAY_PURGE_RETRY", "1")
            .Build();
        await _container.StartAsync();
    }

    public async Task DisposeAsync()
    {
        if (_container is not null)
            await _container.DisposeAsync();
    }
}
