using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workers.Joining;

/// <summary>
/// The secret of a run and its load processes. Each side derives one key pair from it, shows a certificate of that key, and takes no other
/// from its peer: both prove with every TLS handshake that they know the token, which is never sent.
/// </summary>
public sealed class JoinToken : IDisposable
{
    public const string Option = "--token-file";

    /// <summary>The least number of characters: 128 bits in hexadecimal.</summary>
    public const int Shortest = 32;

    private const string Name = "pubsub-over-ws";

    private readonly X509Certificate2 _certificate;
    private readonly byte[] _publicKey;

    /// <param name="text">Of at least <see cref="Shortest"/> characters that nobody can guess.</param>
    public JoinToken(string text)
    {
        using var key = KeyOf(text);
        // Clocks of two machines may be far apart: only the key counts.
        using var certificate = new CertificateRequest($"CN={Name}", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(200));
        // Read again, because TLS on Windows takes no key that was never stored.
        _certificate = X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), password: null);
        _publicKey = key.ExportSubjectPublicKeyInfo();
    }

    /// <exception cref="RefusalException">The file cannot be read, or the token is too short.</exception>
    public static JoinToken Read(string path)
    {
        var text = Secret.Read(Option, path, isToken: true).Value;
        return text.Length >= Shortest
            ? new JoinToken(text)
            : throw new RefusalException(
                $"The token in {path} of {Option} has {text.Length} characters and needs {Shortest} that nobody can guess: make one with "
                    + $"openssl rand -hex 32 > {path}");
    }

    /// <summary>The side of the run.</summary>
    /// <exception cref="AuthenticationException">The peer has another token, or none.</exception>
    public async Task<SslStream> AcceptAsync(Stream connection, CancellationToken cancellationToken)
    {
        var secure = new SslStream(connection);
        await secure.AuthenticateAsServerAsync(
            new SslServerAuthenticationOptions
            {
                ServerCertificate = _certificate,
                ClientCertificateRequired = true,
                EnabledSslProtocols = SslProtocols.Tls13,
                // Each connection proves it anew.
                AllowTlsResume = false,
                CertificateChainPolicy = OnlyItself(),
                RemoteCertificateValidationCallback = (_, peer, _, _) => IsOwn(peer),
            },
            cancellationToken);
        return secure;
    }

    /// <summary>The side of a load process.</summary>
    /// <inheritdoc cref="AcceptAsync"/>
    public async Task<SslStream> ConnectAsync(Stream connection, CancellationToken cancellationToken)
    {
        var secure = new SslStream(connection);
        await secure.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions
            {
                TargetHost = Name,
                ClientCertificates = [_certificate],
                EnabledSslProtocols = SslProtocols.Tls13,
                // Each connection proves it anew.
                AllowTlsResume = false,
                CertificateChainPolicy = OnlyItself(),
                RemoteCertificateValidationCallback = (_, peer, _, _) => IsOwn(peer),
            },
            cancellationToken);
        return secure;
    }

    public void Dispose() => _certificate.Dispose();

    // Nothing is fetched because a stranger's certificate names an address.
    private static X509ChainPolicy OnlyItself() => new()
    { DisableCertificateDownloads = true, RevocationMode = X509RevocationMode.NoCheck };

    private bool IsOwn(X509Certificate? peer) => peer is X509Certificate2 certificate
        && CryptographicOperations.FixedTimeEquals(certificate.PublicKey.ExportSubjectPublicKeyInfo(), _publicKey);

    // A private key of P-256 is a number below the order of the curve, which nearly all 32 bytes are.
    private static ECDsa KeyOf(string token)
    {
        for (var attempt = 0; ; attempt++)
        {
            var number = HKDF.DeriveKey(
                HashAlgorithmName.SHA256, Encoding.UTF8.GetBytes(token), outputLength: 32,
                info: Encoding.UTF8.GetBytes(Invariant($"{Name} join {attempt}")));
            try
            {
                return ECDsa.Create(new ECParameters { Curve = ECCurve.NamedCurves.nistP256, D = number });
            }
            catch (CryptographicException) when (attempt < 10)
            {
                // The next one.
            }
        }
    }
}
