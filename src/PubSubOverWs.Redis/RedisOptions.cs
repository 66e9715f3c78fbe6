using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Redis;

/// <summary>Where Redis is, and who asks. Bound from the section <c>Redis</c>.</summary>
public sealed class RedisOptions : IValidatableObject
{
    /// <summary><c>redis://HOST:PORT</c>, or <c>rediss://HOST:PORT</c> for TLS, without a user, a password or a path.</summary>
    [Required]
    public Uri Url { get; set; } = new("redis://127.0.0.1:6379");

    /// <summary>The number of the database: 0 to 15, unless the server has more.</summary>
    [Range(0, 1_000_000)]
    public int Database { get; set; }

    /// <summary>Null or empty: the default user.</summary>
    public string? User { get; set; }

    /// <summary>Null or empty: none.</summary>
    public string? Password { get; set; }

    /// <summary>A file with the password and nothing else, instead of <see cref="Password"/>. Empty: none.</summary>
    public string PasswordFile { get; set; } = "";

    /// <summary>How long a call may take, 1 s to 5 min; a receive has its wait on top.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:05:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>An address may hold a secret, which would be shown.</summary>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (!Url.IsAbsoluteUri || Url.Scheme is not ("redis" or "rediss") || Url.UserInfo.Length > 0
            || Url.PathAndQuery.Length > 1 || Url.Fragment.Length > 0 || Url.Host.Length == 0)
            yield return new ValidationResult(
                "Url must be redis://HOST:PORT or rediss://HOST:PORT; user, password and database are settings of their own.",
                [nameof(Url)]);
        if (PasswordFile.Length > 0 && !string.IsNullOrEmpty(Password))
            yield return new ValidationResult("Password and PasswordFile are both set: set one.", [nameof(PasswordFile)]);
    }
}
