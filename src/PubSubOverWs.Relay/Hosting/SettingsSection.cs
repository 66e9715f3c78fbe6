using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

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
                    wrong.Select(result => $"{section}:{result.MemberNames.First()} is wrong: {result.ErrorMessage}"));
        }
    }
}
