namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>An address for the record.</summary>
public static class MaskedAddress
{
    /// <summary>Without user and password, which are a secret; so may be its query.</summary>
    public static string Of(Uri address) => address.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped)
        + (address.UserInfo.Length > 0 ? " (user and password masked)" : "");
}
