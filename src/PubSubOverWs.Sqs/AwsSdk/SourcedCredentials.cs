using Amazon.Runtime;

namespace PubSubOverWs.Sqs;

/// <summary>
/// Has the SDK sign with the credentials of <see cref="CredentialSource"/>, as <see cref="SqsOverHttp"/> does. The SDK's signer asks for
/// them synchronously and would block a thread while they are looked up, so each attempt looks them up first.
/// </summary>
internal sealed class SourcedCredentials(CredentialSource source) : AWSCredentials
{
    private volatile ImmutableCredentials? _current;

    /// <summary>Before each attempt.</summary>
    /// <exception cref="SqsException"><see cref="SqsErrorCode.NoCredentials"/>.</exception>
    public async ValueTask LookUpAsync() => _current = await source.GetAsync();

    public override ImmutableCredentials GetCredentials() =>
        _current ?? throw new InvalidOperationException("No attempt has looked them up.");
}
