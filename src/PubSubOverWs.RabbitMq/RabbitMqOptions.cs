using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.RabbitMq;

/// <summary>Where RabbitMQ is, and who asks. Bound from the section <c>RabbitMq</c>.</summary>
public sealed class RabbitMqOptions : IValidatableObject
{
    private const string Guest = "guest";

    /// <summary><c>amqp://HOST:PORT</c>, or <c>amqps://HOST:PORT</c> for TLS, without a user, a password or a path.</summary>
    [Required]
    public Uri Url { get; set; } = new("amqp://127.0.0.1:5672");

    /// <summary>The name of the virtual host.</summary>
    [Required]
    public string VirtualHost { get; set; } = "/";

    /// <summary>RabbitMQ lets the user of the default in from its own machine only.</summary>
    [Required]
    public string User { get; set; } = Guest;

    /// <summary>Null or empty: that of the user <c>guest</c>, which is the same word.</summary>
    public string? Password { get; set; }

    /// <summary>A file with the password and nothing else, instead of <see cref="Password"/>. Empty: none.</summary>
    public string PasswordFile { get; set; } = "";

    /// <summary>How long a call may take, 1 s to 5 min; a receive has its wait on top.</summary>
    [Range(typeof(TimeSpan), "00:00:01", "00:05:00")]
    public TimeSpan RequestTimeout { get; set; } = TimeSpan.FromSeconds(5);

    internal string PasswordToSend => string.IsNullOrEmpty(Password) ? Guest : Password;

    /// <summary>An address may hold a secret, which would be shown.</summary>
    public IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        if (!Url.IsAbsoluteUri || Url.Scheme is not ("amqp" or "amqps") || Url.UserInfo.Length > 0
            || Url.PathAndQuery.Length > 1 || Url.Fragment.Length > 0 || Url.Host.Length == 0)
            yield return new ValidationResult(
                "Url must be amqp://HOST:PORT or amqps://HOST:PORT; user, password and virtual host are settings of their own.",
                [nameof(Url)]);
        if (PasswordFile.Length > 0 && !string.IsNullOrEmpty(Password))
            yield return new ValidationResult("Password and PasswordFile are both set: set one.", [nameof(PasswordFile)]);
        if (User != Guest && PasswordFile.Length == 0 && string.IsNullOrEmpty(Password))
            yield return new ValidationResult("User is set, and has no password: set Password or PasswordFile.", [nameof(User)]);
    }
}
