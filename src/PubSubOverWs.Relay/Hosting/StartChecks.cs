using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>Errors that can be found before the server starts.</summary>
internal static class StartChecks
{
    /// <exception cref="StartFailedException">A setting is out of range, cannot be read or is not known, an address is malformed, or a file
    /// of secrets cannot be used.</exception>
    public static void Run(IServiceProvider services, IConfiguration configuration)
    {
        if (SettingsCheck.Refusal(configuration, SettingsSection.AllOf(services)) is { } refusal)
            throw new StartFailedException(refusal);
        foreach (var address in (configuration[WebHostDefaults.ServerUrlsKey] ?? "").Split(';', StringSplitOptions.RemoveEmptyEntries))
            RefuseMalformed(address);
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
