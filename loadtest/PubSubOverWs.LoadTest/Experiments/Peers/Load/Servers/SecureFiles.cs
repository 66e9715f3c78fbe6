using System.Diagnostics;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;

/// <summary>What servers with TLS and a user need: a certificate for 127.0.0.1, drawn for this run, and a user who may do all.</summary>
internal sealed class SecureFiles : IDisposable
{
    private const string Login = "peers";
    private const int PasscodeBytes = 16;

    private readonly string _folder = Directory.CreateTempSubdirectory("pubsub-over-ws-").FullName;

    public string CertificateFile => Path.Combine(_folder, "certificate.pem");

    public string KeyFile => Path.Combine(_folder, "key.pem");

    /// <summary>Of the certificate.</summary>
    public string Thumbprint { get; private set; } = "";

    /// <summary>Of the user.</summary>
    public ServerAccess Access { get; } = new(Login, new Secret(Convert.ToHexString(RandomNumberGenerator.GetBytes(PasscodeBytes))), null);

    private string UsersFile => Path.Combine(_folder, "users.json");

    /// <exception cref="ChildException">Our server did not take the user.</exception>
    public static async Task<SecureFiles> CreateAsync(CancellationToken cancellationToken)
    {
        var files = new SecureFiles();
        try
        {
            files.Thumbprint = SelfMadeCertificate.Write(files.CertificateFile, files.KeyFile);
            await files.AddUserAsync(cancellationToken);
            return files;
        }
        catch
        {
            files.Dispose();
            throw;
        }
    }

    /// <summary>Of a server on Kestrel that has TLS on a port, and a plain one of which this program hears that it is ready.</summary>
    public string[] Endpoints(int port) =>
    [
        "--Kestrel:Endpoints:Plain:Url", "http://127.0.0.1:0",
        "--Kestrel:Endpoints:Tls:Url", Invariant($"https://127.0.0.1:{port}"),
        "--Kestrel:Endpoints:Tls:Certificate:Path", CertificateFile,
        "--Kestrel:Endpoints:Tls:Certificate:KeyPath", KeyFile,
    ];

    /// <summary>Of our servers, to be added to <see cref="Endpoints"/>.</summary>
    public string[] Users => ["--Access:UsersFile", UsersFile];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private async Task AddUserAsync(CancellationToken cancellationToken)
    {
        var passcodeFile = Path.Combine(_folder, "passcode");
        await File.WriteAllTextAsync(passcodeFile, Access.Passcode!.Value, cancellationToken);
        var command = DirectTarget.Program.Command(
            "users", "add", Login, "--file", UsersFile, "--publish", "/", "--subscribe", "/", "--passcode-file", passcodeFile);
        using var process = Process.Start(
            new ProcessStartInfo(DotnetHost.Path, ["exec", command.Assembly, .. command.Arguments]) { RedirectStandardError = true })!;
        // It ends by itself, at once.
        var said = await process.StandardError.ReadToEndAsync(CancellationToken.None);
        await process.WaitForExitAsync(CancellationToken.None);
        if (process.ExitCode != 0)
            throw new ChildException($"Our server did not add a user: {said}");
    }
}

/// <summary>A self-signed certificate for 127.0.0.1 and its key, as PEM files.</summary>
internal static class SelfMadeCertificate
{
    /// <returns>Its thumbprint.</returns>
    public static string Write(string certificateFile, string keyFile)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=127.0.0.1", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        // A CA, so that clients can be told to trust it.
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: false, 0, critical: true));
        var now = TimeProvider.System.GetUtcNow();
        using var certificate = request.CreateSelfSigned(now.AddHours(-1), now.AddDays(1));
        File.WriteAllText(certificateFile, certificate.ExportCertificatePem());
        File.WriteAllText(keyFile, key.ExportPkcs8PrivateKeyPem());
        return certificate.Thumbprint;
    }
}
