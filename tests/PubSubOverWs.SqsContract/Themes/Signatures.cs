using System.Text;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// Calls are signed (Signature Version 4), and a call that is not signed by a known key has no effect. The codes are those of AWS, the
/// newer ones of JSON and the older ones of Query.
/// </summary>
internal static class Signatures
{
    private static readonly string[] NotSigned =
        ["MissingAuthenticationToken", "MissingAuthenticationTokenException", "IncompleteSignature", "IncompleteSignatureException",
            "AccessDenied", "AccessDeniedException"];

    private static readonly string[] WronglySigned = ["SignatureDoesNotMatch", "InvalidSignatureException"];

    private static readonly string[] UnknownKey = ["InvalidClientTokenId", "UnrecognizedClientException", "InvalidAccessKeyId"];

    [Behaviour]
    public static async Task A_call_signed_by_the_book_is_taken(Trial trial) =>
        (await trial.Raw.CallAsync("ListQueues", new { QueueNamePrefix = trial.NewName() })).ShouldBeTaken();

    [Behaviour]
    public static async Task A_call_that_signs_further_headers_is_taken(Trial trial)
    {
        using var request = trial.Raw.Compose("ListQueues", "{}");
        request.Headers.Add("x-amz-meta-Further", "a  b"); // Runs of blanks count as one.
        trial.Raw.Endpoint.Sign(request, "{}");

        (await trial.Raw.SendAsync(request)).ShouldBeTaken();
    }

    [Behaviour]
    public static async Task A_call_without_a_signature_is_refused(Trial trial)
    {
        using var request = trial.Raw.Compose("ListQueues", "{}");

        (await trial.Raw.SendAsync(request)).ShouldBeRefusedWith(NotSigned);
    }

    [Behaviour]
    public static Task A_call_signed_with_another_secret_is_refused(Trial trial) =>
        RefusedAsync(trial, trial.Raw.Endpoint with { SecretKey = "another" }, TimeSpan.Zero, WronglySigned);

    [Behaviour]
    public static Task A_call_signed_with_an_unknown_key_is_refused(Trial trial) =>
        RefusedAsync(trial, trial.Raw.Endpoint with { AccessKey = "AKIANOBODYHASTHISONE" }, TimeSpan.Zero, UnknownKey);

    [Behaviour]
    public static async Task A_call_signed_half_an_hour_ago_or_ahead_is_refused(Trial trial)
    {
        foreach (var minutes in new[] { -30, 30 })
            await RefusedAsync(trial, trial.Raw.Endpoint, TimeSpan.FromMinutes(minutes), [.. WronglySigned, "RequestExpired"]);
    }

    [Behaviour]
    public static async Task A_call_whose_body_was_changed_after_signing_is_refused_and_has_no_effect(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var json = $$"""{"QueueUrl":"{{url}}","MessageBody":"signed"}""";
        using var request = trial.Raw.Compose("SendMessage", json);
        trial.Raw.Endpoint.Sign(request, json);
        var type = request.Content!.Headers.ContentType;
        request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(json.Replace("signed", "forged", StringComparison.Ordinal)));
        request.Content.Headers.ContentType = type;

        (await trial.Raw.SendAsync(request)).ShouldBeRefusedWith(WronglySigned);

        Assert.Empty(await trial.Sqs.PollAsync(url));
    }

    [Behaviour]
    public static async Task A_call_whose_target_was_changed_after_signing_is_refused_and_has_no_effect(Trial trial)
    {
        var url = await trial.CreateQueueAsync();
        var json = $$"""{"QueueUrl":"{{url}}"}""";
        using var request = trial.Raw.Compose("GetQueueAttributes", json);
        trial.Raw.Endpoint.Sign(request, json);
        request.Headers.Remove("X-Amz-Target");
        request.Headers.Add("X-Amz-Target", "AmazonSQS.DeleteQueue");

        (await trial.Raw.SendAsync(request)).ShouldBeRefusedWith(WronglySigned);

        await trial.Sqs.GetQueueAttributesAsync(url, CancellationToken.None);
    }

    private static async Task RefusedAsync(Trial trial, ContractEndpoint signer, TimeSpan clockError, string[] codes)
    {
        using var request = trial.Raw.Compose("ListQueues", "{}");
        signer.Sign(request, "{}", clockError: clockError);
        (await trial.Raw.SendAsync(request)).ShouldBeRefusedWith(codes);
    }
}
