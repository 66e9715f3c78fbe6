using System.Net.Http.Headers;
using System.Text;

namespace PubSubOverWs.SqsContract;

/// <summary>Calls in the Query protocol written by hand, beside <see cref="RawSqs"/>.</summary>
public sealed class RawSns(ContractEndpoint endpoint) : IDisposable
{
    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = !endpoint.Address.IsLoopback, AllowAutoRedirect = false });

    /// <summary>A correctly signed call.</summary>
    /// <param name="action">Such as <c>Publish</c>.</param>
    /// <param name="parameters">Names that need no escapes, and any values.</param>
    public Task<RawAnswer> CallAsync(string action, params (string Name, string Value)[] parameters) =>
        CallAsync(endpoint, "sns", action, parameters);

    /// <summary>The same call, signed by another key or for another service; null: not signed.</summary>
    public async Task<RawAnswer> CallAsync(
        ContractEndpoint? signer, string service, string action, params (string Name, string Value)[] parameters)
    {
        var form = $"Action={action}&Version=2010-03-31"
            + string.Concat(parameters.Select(parameter => $"&{parameter.Name}={Uri.EscapeDataString(parameter.Value)}"));
        using var request = new HttpRequestMessage(HttpMethod.Post, endpoint.TopicAddress)
        { Content = new ByteArrayContent(Encoding.ASCII.GetBytes(form)) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/x-www-form-urlencoded");
        if (signer is not null)
            signer.Sign(request, form, service);
        using var response = await _http.SendAsync(request);
        return await RawAnswer.OfAsync(response, CancellationToken.None);
    }

    public void Dispose() => _http.Dispose();
}
