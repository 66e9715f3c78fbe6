using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Queues;

/// <summary>Where a server of queues is, and the secret of who asks.</summary>
public abstract class QueueServerOptions : IValidatableObject
{
    private readonly string _others;
    private readonly string[] _schemes;

    /// <param name="url">By default.</param>
    /// <param name="others">What does not stand in the address, as half a sentence.</param>
    /// <param name="schemes">Of addresses: without TLS, and with it.</param>
    protected QueueServerOptions(string url, string others, params string[] schemes) =>
        (Url, _others, _schemes) = (new Uri(url), others, schemes);

    /// <summary><c>SCHEME://HOST:PORT</c>, without a user, a password or a path; the scheme says whether with TLS.</summary>
    [Required]
    public Uri Url { get; set; }

    /// <summary>Null or empty: none.</summary>
    public string? Password { get; set; }

    /// <summary>A file with the password and nothing else, instead of <see cref="Password"/>. Empty: none.</summary>
    public string PasswordFile { get; set; } = "";

    /// <summary>How long a call may take, 1 s to 5 min; a receive has its wait on top.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:05:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Neither <see cref="Password"/> nor <see cref="PasswordFile"/> is set.</summary>
    protected bool HasNoPassword => PasswordFile.Length == 0 && string.IsNullOrEmpty(Password);

    /// <summary>An address may hold a secret, which would be shown.</summary>
    public virtual IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (!Url.IsAbsoluteUri || !_schemes.Contains(Url.Scheme) || Url.UserInfo.Length > 0
            || Url.PathAndQuery.Length > 1 || Url.Fragment.Length > 0 || Url.Host.Length == 0)
            yield return new ValidationResult(
                $"Url must be {string.Join(" or ", _schemes.Select(scheme => $"{scheme}://HOST:PORT"))}; {_others} are settings of their "
                    + "own.",
                [nameof(Url)]);
        if (PasswordFile.Length > 0 && !string.IsNullOrEmpty(Password))
            yield return new ValidationResult("Password and PasswordFile are both set: set one.", [nameof(PasswordFile)]);
    }
}
