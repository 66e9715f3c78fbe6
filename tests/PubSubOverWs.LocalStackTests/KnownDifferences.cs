namespace PubSubOverWs.LocalStackTests;

/// <summary>
/// Known differences of LocalStack from SQS: the name of the behaviour, and why. Taken from its documentation and not yet observed: each
/// is tried, and must fail.
/// </summary>
internal static class KnownDifferences
{
    // https://docs.localstack.cloud/references/credentials/
    private const string NoSignatures = "LocalStack takes any keys: it ignores the secret key, and so cannot check a signature.";

    // https://docs.localstack.cloud/aws/capabilities/security-testing/iam-policy-enforcement/
    private const string NoPolicies = "LocalStack looks at policies only where ENFORCE_IAM is set.";

    public static IReadOnlyDictionary<string, string> OfLocalStack { get; } = new Dictionary<string, string>
    {
        ["Signatures: A call without a signature is refused"] = NoSignatures,
        ["Signatures: A call signed with another secret is refused"] = NoSignatures,
        ["Signatures: A call signed with an unknown key is refused"] = NoSignatures,
        ["Signatures: A call signed half an hour ago or ahead is refused"] = NoSignatures,
        ["Signatures: A call whose body was changed after signing is refused and has no effect"] = NoSignatures,
        ["Signatures: A call whose target was changed after signing is refused and has no effect"] = NoSignatures,
        ["TopicSignatures: A call without a signature is refused"] = NoSignatures,
        ["TopicSignatures: A call signed with another secret is refused and has no effect"] = NoSignatures,
        ["TopicSignatures: A call signed for SQS is refused"] = NoSignatures,
        ["Subscriptions: A queue whose policy does not name the topic gets nothing without an error"] = NoPolicies,
    };
}
