namespace PubSubOverWs.LocalStackTests;

/// <summary>
/// What LocalStack is known not to do: the name of the behaviour, and why. Taken from its documentation and not yet seen: each is tried, and
/// must fail.
/// </summary>
internal static class KnownDifferences
{
    // https://docs.localstack.cloud/references/credentials/
    private const string NoSignatures = "LocalStack takes any keys: it ignores the secret key, and so cannot check a signature.";

    public static IReadOnlyDictionary<string, string> OfLocalStack { get; } = new[]
    {
        "Signatures: A call without a signature is refused",
        "Signatures: A call signed with another secret is refused",
        "Signatures: A call signed with a key that nobody has is refused",
        "Signatures: A call signed half an hour ago or ahead is refused",
        "Signatures: A call whose body was changed after signing is refused and has no effect",
        "Signatures: A call whose target was changed after signing is refused and has no effect",
    }.ToDictionary(behaviour => behaviour, _ => NoSignatures);
}
