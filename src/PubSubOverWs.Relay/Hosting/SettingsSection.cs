using System.ComponentModel.DataAnnotations;
using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>
/// A section of the configuration and one of the option classes that read it. Unknown settings are refused at start: a misspelt
/// setting would otherwise leave its default in force, and a run would measure something else than was asked for.
/// </summary>
public sealed record SettingsSection(string Name, Type Options)
{
    /// <summary>
    /// Binds a section, and checks it at start against the annotations of its class, naming the setting as it is written.
    /// </summary>
    public static void Add<TOptions>(IServiceCollection services, IConfiguration configuration, string name)
        where TOptions : class
    {
        services.AddOptions<TOptions>().Bind(configuration.GetSection(name)).ValidateOnStart();
        services.AddSingleton<IValidateOptions<TOptions>>(new Validator<TOptions>(name));
        services.AddSingleton(new SettingsSection(name, typeof(TOptions)));
    }

    /// <summary>All sections that were added.</summary>
    public static IReadOnlyList<(string Section, Type Options)> AllOf(IServiceProvider services) =>
        [.. services.GetServices<SettingsSection>().Select(section => (section.Name, section.Options))];

    private sealed class Validator<TOptions>(string section) : IValidateOptions<TOptions>
        where TOptions : class
    {
        public ValidateOptionsResult Validate(string? name, TOptions options)
        {
            List<ValidationResult> wrong = [];
            return Validator.TryValidateObject(options, new ValidationContext(options), wrong, validateAllProperties: true)
                ? ValidateOptionsResult.Success
                : ValidateOptionsResult.Fail(
                    wrong.Select(result => Sentence(result.MemberNames.First(), result.ErrorMessage ?? "", options)));
        }

        // As SettingsCheck says it of a value that cannot be read. Texts are not repeated: one may be a secret.
        private string Sentence(string setting, string error, TOptions options) =>
            typeof(TOptions).GetProperty(setting) is { } property && ServerSettings.Kind(property.PropertyType) is not null
                && error.StartsWith("The field ", StringComparison.Ordinal) && error.Split(" must be ", 2) is [_, var range]
                ? string.Create(CultureInfo.InvariantCulture, $"{section}:{setting} is '{property.GetValue(options)}', and must be {range}")
                : $"{section}:{setting} is wrong: {error}";
    }
}
