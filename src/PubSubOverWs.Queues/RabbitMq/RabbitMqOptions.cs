using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Queues;

/// <summary>Where RabbitMQ is, and who asks. Bound from the section <c>RabbitMq</c>.</summary>
public sealed class RabbitMqOptions() : QueueServerOptions("amqp://127.0.0.1:5672", "user, password and virtual host", "amqp", "amqps")
{
    private const string Guest = "guest";

    /// <summary>The name of the virtual host.</summary>
    [Required]
    public string VirtualHost { get; set; } = "/";

    /// <summary>RabbitMQ lets the user of the default in from its own machine only.</summary>
    [Required]
    public string User { get; set; } = Guest;

    /// <summary>Without a password it is that of the user <c>guest</c>, which is the same word.</summary>
    internal string PasswordToSend => string.IsNullOrEmpty(Password) ? Guest : Password;

    /// <summary>Also: a user without a password is a mistake.</summary>
    public override IEnumerable<ValidationResult> Validate(ValidationContext validationContext)
    {
        foreach (var wrong in base.Validate(validationContext))
            yield return wrong;
        if (User != Guest && HasNoPassword)
            yield return new ValidationResult("User is set, and has no password: set Password or PasswordFile.", [nameof(User)]);
    }
}
