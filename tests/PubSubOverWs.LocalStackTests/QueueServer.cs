using System.Text.Json;
using PubSubOverWs.SqsContract;
using Testcontainers.LocalStack;

namespace PubSubOverWs.LocalStackTests;

/// <summary>
/// The queue server of all tests of this project: the one that <see cref="NamedEndpoint"/> names, otherwise LocalStack in a container.
/// </summary>
public sealed class QueueServer : IAsyncLifetime
{
    /// <summary>The version whose differences are known; docker-compose.yml has the same.</summary>
    public const string Image = "localstack/localstack:4.12.0";

    private LocalStackContainer? _container;
    private ContractEndpoint? _endpoint;

    public ContractEndpoint Endpoint => _endpoint ?? throw new InvalidOperationException(Docker.Missing);

    /// <summary>What it is known to do otherwise than SQS.</summary>
    public IReadOnlyDictionary<string, string> Differences { get; private set; } = KnownDifferences.Of(null);

    public async Task InitializeAsync()
    {
        _endpoint = NamedEndpoint.Find() ?? await StartAsync();
        if (_endpoint is not null)
            Differences = KnownDifferences.Of(await FindVersionAsync(_endpoint.Address));
    }

    public async Task DisposeAsync()
    {
        if (_container is not null)
            await _container.DisposeAsync();
    }

    private async Task<ContractEndpoint?> StartAsync()
    {
        // Asked for also when every test is skipped.
        if (Docker.Missing is not null)
            return null;
        _container = new LocalStackBuilder(Image)
            .WithEnvironment("SERVICES", "sqs,sns")
            // SQS keeps a deleted name, and refuses a second purge, for 60 s; LocalStack does so when it is told to.
            .WithEnvironment("SQS_DELAY_RECENTLY_DELETED", "1")
            .WithEnvironment("SQS_DELAY_PURGE_RETRY", "1")
            .Build();
        await _container.StartAsync();
        return new ContractEndpoint(new Uri(_container.GetConnectionString()));
    }

    /// <summary>Of LocalStack; null: it is another server.</summary>
    private static async Task<string?> FindVersionAsync(Uri address)
    {
        using var http = new HttpClient();
        using var answer = await http.GetAsync(new Uri(address, "/_localstack/health"));
        if (!answer.IsSuccessStatusCode || answer.Content.Headers.ContentType?.MediaType != "application/json")
            return null;
        using var health = JsonDocument.Parse(await answer.Content.ReadAsStreamAsync());
        return health.RootElement.GetProperty("version").GetString();
    }
}

/// <summary>Tests that share one server, one after the other.</summary>
[CollectionDefinition(nameof(OneServer))]
public sealed class OneServer : ICollectionFixture<QueueServer>;
