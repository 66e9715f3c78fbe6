namespace PubSubOverWs.LocalSqs;

/// <summary>The errors of SNS, as its API reference lists them.</summary>
public static class SnsError
{
    public static readonly SqsError NotFound = new("NotFound", "NotFound", 404);
    public static readonly SqsError InvalidParameter = new("InvalidParameter", "InvalidParameter", 400);
    public static readonly SqsError InvalidAction = new("InvalidAction", "InvalidAction", 400);

    public static SqsErrorException Invalid(string what) => new(InvalidParameter, $"Invalid parameter: {what}");

    /// <summary>SNS supports it, and LocalSqs does not.</summary>
    public static SqsErrorException Missing(string what) => new(InvalidParameter, $"Invalid parameter: LocalSqs does not have {what}");
}
