using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.TestHost;
using Microsoft.Extensions.DependencyInjection;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.Sqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>The server without a socket, our client before it, and a clock that the test moves.</summary>
public sealed class LocalSqsHost : IAsyncLifetime
{
    private WebApplication? _app;
    private SqsOverHttp? _sqs;
    private SnsOverHttp? _sns;
    private string? _url;

    public FakeTime Time { get; } = new();

    public ISqs Sqs => _sqs!;

    public ISns Sns => _sns!;

    /// <summary>Of the queue <c>jobs</c>.</summary>
    public string Url => _url!;

    public async Task InitializeAsync()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseTestServer();
        builder.Services.AddSingleton<TimeProvider>(Time);
        builder.AddLocalSqs();
        _app = builder.Build();
        _app.UseLocalSqs();
        await _app.StartAsync();
        var options = new SqsOptions { Endpoint = "http://localhost", AccessKey = "test", SecretKey = "test", MaxAttempts = 1 };
        _sqs = new SqsOverHttp(options, Time, CreateHandler());
        _sns = new SnsOverHttp(options, Time, traffic: null, CreateHandler());
        _url = await Sqs.CreateQueueAsync("jobs", new PubSubOverWs.Sqs.QueueSettings(), CancellationToken.None);
    }

    public async Task DisposeAsync()
    {
        _sqs!.Dispose();
        _sns!.Dispose();
        await _app!.DisposeAsync();
    }

    /// <summary>Connections of another client's own.</summary>
    public HttpMessageHandler CreateHandler() => _app!.GetTestServer().CreateHandler();

    public HttpClient CreateClient() => _app!.GetTestClient();

    public async Task<EntryResult> SendAsync(string body, TimeSpan? delay = null) =>
        (await Sqs.SendAsync(Url, [new SendEntry(Encoding.UTF8.GetBytes(body), delay)], CancellationToken.None))[0];

    public async Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        TimeSpan wait = default, TimeSpan? visibility = null, string? from = null) =>
        await Sqs.ReceiveAsync(
            from ?? Url, new ReceiveRequest { WaitTime = wait, Visibility = visibility }, CancellationToken.None);

    /// <summary>Empties the queue <c>jobs</c>.</summary>
    public async Task PurgeAsync()
    {
        using var answer = await PostAsync("PurgeQueue", """{"QueueUrl":"$URL"}""");
        answer.EnsureSuccessStatusCode();
    }

    /// <summary>Completes when the counts of a queue are so.</summary>
    public Task UntilAsync(
        string queueUrl, Func<PubSubOverWs.Sqs.QueueAttributes, bool> isSo, [CallerArgumentExpression(nameof(isSo))] string what = "") =>
        Waiting.UntilAsync(async () => isSo(await Sqs.GetQueueAttributesAsync(queueUrl, CancellationToken.None)), what);

    /// <summary>A call as any client might write it, signed.</summary>
    public async Task<HttpResponseMessage> PostAsync(string operation, string json)
    {
        using var request = CreateRequest(operation, json);
        await SignAsync(request);
        return await SendAsync(request);
    }

    /// <summary>The same, before it is signed.</summary>
    public HttpRequestMessage CreateRequest(string operation, string json)
    {
        var content = new StringContent(json.Replace("$URL", Url, StringComparison.Ordinal));
        content.Headers.ContentType = new("application/x-amz-json-1.0");
        var request = new HttpRequestMessage(HttpMethod.Post, "http://localhost/") { Content = content };
        request.Headers.TryAddWithoutValidation("X-Amz-Target", "AmazonSQS." + operation);
        request.Headers.TryAddWithoutValidation(
            "X-Amz-Date", Time.GetUtcNow().ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture));
        return request;
    }

    /// <summary>A call of SNS as any client might write it, before it is signed.</summary>
    public HttpRequestMessage CreateSnsRequest(string form)
    {
        var request = CreateRequest("", form);
        request.Content!.Headers.ContentType = new("application/x-www-form-urlencoded", "utf-8");
        request.Headers.Remove("X-Amz-Target");
        return request;
    }

    /// <summary>The same, signed, and the answer.</summary>
    public async Task<HttpResponseMessage> PostSnsAsync(string form)
    {
        using var request = CreateSnsRequest(form);
        await SignAsync(request, signedHeaders: "content-type;host;x-amz-date", service: "sns");
        return await SendAsync(request);
    }

    public static async Task SignAsync(
        HttpRequestMessage request, string accessKey = "test", string secretKey = "test",
        string signedHeaders = "host;x-amz-date;x-amz-target",
        string service = "sqs") =>
        request.Headers.TryAddWithoutValidation(
            "Authorization",
            (await SeenRequest.ReadAsync(request)).Authorize(signedHeaders, accessKey, secretKey, "eu-north-1", service));

    public async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request)
    {
        using var client = CreateClient();
        return await client.SendAsync(request);
    }

    /// <summary>The answer to a signed call as JSON, also when it is an error.</summary>
    public async Task<JsonElement> AnswerAsync(string operation, string json)
    {
        using var response = await PostAsync(operation, json);
        using var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        return answer.RootElement.Clone();
    }
}
