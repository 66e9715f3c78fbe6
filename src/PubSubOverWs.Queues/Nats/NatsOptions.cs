using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Queues;

/// <summary>
/// Where NATS is, and who asks. Bound from the section <c>Nats</c>. With <c>nats</c> a connection takes TLS if the server asks for it, with
/// <c>tls</c> it insists on it.
/// </summary>
public sealed class NatsOptions() : QueueServerOptions("nats://127.0.0.1:4222", "user and password", "nats", "tls")
{
    /// <summary>Null or empty: none, and the password is a token.</summary>
    public string? User { get; set; }

    /// <summary>Also: a user without a password is a mistake.</summary>
    public override IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        foreach (var wrong in base.Validate(validationContext))
            yield return wrong;
        if (!string.IsNullOrEmpty(User) && HasNoPassword)
            yield return new ValidationResult("User is set without a password: set Password or PasswordFile.", [nameof(User)]);
    }
}
