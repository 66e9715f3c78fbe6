using Amazon.Runtime;

namespace PubSubOverWs.Sqs;

/// <summary>Has the SDK connect as <see cref="SqsOverHttp"/> does, through a handler that counts.</summary>
internal sealed class CountedHttpClients(HttpMessageHandler handler, Uri endpoint, SqsTraffic traffic) : HttpClientFactory, IDisposable
{
    // The client's own time-out would cut off long polls: each attempt has a token with its own time-out.
    private readonly HttpClient _client = new(new CountingHandler(handler, endpoint, traffic)) { Timeout = Timeout.InfiniteTimeSpan };

    public override HttpClient CreateHttpClient(IClientConfig clientConfig) => _client;

    public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => false;

    public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => false;

    public void Dispose() => _client.Dispose();
}
