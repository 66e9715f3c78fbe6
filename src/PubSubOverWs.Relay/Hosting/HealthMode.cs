using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Configuration;

namespace PubSubOverWs.Relay;

/// <summary>
/// A server that is called with <c>--health</c> starts nothing: it asks the one beside it, at the address on which it would listen itself
/// with these settings, whether it is ready. For containers that have no shell and no other program to ask with.
/// </summary>
internal sealed class HealthMode(IConfiguration configuration)
{
    public const string Flag = "--health";

    public const string Usage = Flag + "        ask the server beside it whether it is ready; start nothing";

    // Shorter than a container's own patience with its health check, so that the sentence is still heard.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(4);

    /// <summary>
    /// Where a server with these settings can be asked: its first address, on this machine. Endpoints of Kestrel's own go before all
    /// others, as they do there.
    /// </summary>
    /// <exception cref="StartFailedException">The address is none.</exception>
    public static Uri AddressIn(IConfiguration configuration)
    {
        var address = configuration.GetSection("Kestrel:Endpoints").GetChildren().FirstOrDefault()?["Url"]
            ?? First(configuration[WebHostDefaults.ServerUrlsKey])
            ?? (First(configuration[WebHostDefaults.HttpPortsKey]) is { } port ? $"http://*:{port}"
                : First(configuration[WebHostDefaults.HttpsPortsKey]) is { } securePort ? $"https://*:{securePort}"
                : "http://localhost:5000");
        StartChecks.RefuseMalformed(address);
        // A server that listens on all addresses is asked at one.
        return new Uri(
            address.Replace("://*", "://127.0.0.1").Replace("://+", "://127.0.0.1").Replace("://0.0.0.0", "://127.0.0.1")
                .Replace("://[::]", "://[::1]"));
    }

    /// <returns>0: ready; 1: not, or there is no answer, and one sentence on standard error says which.</returns>
    public int Ask()
    {
        var handler = new SocketsHttpHandler { UseProxy = false, SslOptions = { RemoteCertificateValidationCallback = HasCertificate } };
        using var http = new HttpClient(handler) { Timeout = Patience };
        try
        {
            var address = AddressIn(configuration);
            using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(address, "/health/ready"));
            using var response = http.Send(request);
            return response.IsSuccessStatusCode
                ? 0
                : Fail($"The server at {address} is not ready: it answers {(int)response.StatusCode}. {Reason(response)}".TrimEnd());
        }
        catch (StartFailedException malformed)
        {
            return Fail(malformed.Message);
        }
        catch (Exception failure) when (failure is HttpRequestException or OperationCanceledException)
        {
            return Fail($"The server that is to be asked for its health does not answer: {failure.Message}");
        }
    }

    // Its certificate is for another name than the loopback's, and perhaps self-signed; no secret is sent to it.
    private static bool HasCertificate(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors) =>
        !errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable);

    private static string Reason(HttpResponseMessage response)
    {
        using var reader = new StreamReader(response.Content.ReadAsStream());
        return reader.ReadLine() ?? "";
    }

    private static string? First(string? list) =>
        list?.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).FirstOrDefault();

    private static int Fail(string sentence)
    {
        Console.Error.WriteLine(sentence);
        return 1;
    }
}
