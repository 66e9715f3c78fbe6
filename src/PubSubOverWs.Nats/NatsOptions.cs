using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Nats;

/// <summary>Where NATS is, and who asks. Bound from the section <c>Nats</c>.</summary>
public sealed class NatsOptions : IValidatableObject
{
    /// <summary>
    /// <c>nats://HOST:PORT</c>, which takes TLS if the server asks for it, or <c>tls://HOST:PORT</c>, which insists on it; without a user,
    /// a password or a path.
    /// </summary>
    [Required]
    public Uri Url { get; set; } = new("nats://127.0.0.1:4222");

    /// <summary>Null or empty: none, and <see cref="Password"/> is a token.</summary>
    public string? User { get; set; }

    /// <summary>Null or empty: none.</summary>
    public string? Password { get; set; }

    /// <summary>A file with the password and nothing else, instead of <see cref="Password"/>. Empty: none.</summary>
    public string PasswordFile { get; set; } = "";

    /// <summary>How long a call may take, 1 s to 5 min; a receive has its wait on top.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:05:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>An address may hold a secret, which would be shown; and a user without a password is a mistake.</summary>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (!Url.IsAbsoluteUri || Url.Scheme is not ("nats" or "tls") || Url.UserInfo.Length > 0
            || Url.PathAndQuery.Length > 1 || Url.Fragment.Length > 0 || Url.Host.Length == 0)
            yield return new ValidationResult(
                "Url must be nats://HOST:PORT or tls://HOST:PORT; user and password are settings of their own.", [nameof(Url)]);
        if (PasswordFile.Length > 0 && !string.IsNullOrEmpty(Password))
            yield return new ValidationResult("Password and PasswordFile are both set: set one.", [nameof(PasswordFile)]);
        if (!string.IsNullOrEmpty(User) && PasswordFile.Length == 0 && string.IsNullOrEmpty(Password))
            yield return new ValidationResult("User is set without a password: set Password or PasswordFile.", [nameof(User)]);
    }
}
