using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PubSubOverWs.LoadTest.Bench.Peers;

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
