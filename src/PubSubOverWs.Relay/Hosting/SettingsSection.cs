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
    public static IReadOnlyList<(string Section, Type Options)> GetAll(IServiceProvider services) =>
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

/// <summary>Errors that can be found before the server starts.</summary>
internal static class StartChecks
{
    /// <exception cref="StartFailedException">A setting is out of range, cannot be read or is not known, an address is malformed, or a file
    /// of secrets cannot be used.</exception>
    public static void Run(IServiceProvider services, IConfiguration configuration)
    {
        if (SettingsCheck.Refusal(configuration, SettingsSection.GetAll(services)) is { } refusal)
            throw new StartFailedException(refusal);
        foreach (var address in (configuration[WebHostDefaults.ServerUrlsKey] ?? "").Split(';', StringSplitOptions.RemoveEmptyEntries))
            RefuseMalformed(address);
        if (TelemetryExport.Refusal(configuration) is { } noReceiver)
            throw new StartFailedException(noReceiver);
        try
        {
            services.GetService<IStartupValidator>()?.Validate();
            // Reads the files of users and tokens.
            services.GetService<Gate>();
        }
        catch (OptionsValidationException exception)
        {
            throw new StartFailedException(string.Join(" ", exception.Failures));
        }
        catch (AggregateException exception)
        {
            throw new StartFailedException(
                string.Join(" ", exception.InnerExceptions.Select(one => one.Message)));
        }
        catch (InvalidOperationException exception)
        {
            // The binder throws it for a value that cannot be converted; its message names value and setting.
            throw new StartFailedException(exception.Message);
        }
    }

    /// <summary>Kestrel takes an address without a valid port for a host name, and listens on all addresses, port 80.</summary>
    /// <exception cref="StartFailedException">It is no address.</exception>
    public static void RefuseMalformed(string address)
    {
        var isAddress = Uri.TryCreate(
            address.Replace("://*", "://localhost").Replace("://+", "://localhost"), UriKind.Absolute, out var uri);
        if (!isAddress || uri!.Scheme is not ("http" or "https"))
            throw new StartFailedException(
                $"A server cannot listen on '{address}': write --urls http://127.0.0.1:8080, or port 0 for any.");
    }
}
