using Microsoft.Extensions.Logging.Console;

namespace PubSubOverWs.Relay;

/// <summary>Keeps addresses of requests out of the log, whatever the settings of logging say: their query may hold a token.</summary>
internal static class AddressLogs
{
    private const string Framework = "Microsoft.AspNetCore";

    public static void Silence(IServiceCollection services) => services.PostConfigure<LoggerFilterOptions>(filters =>
    {
        foreach (var rule in filters.Rules.Where(rule => rule.CategoryName?.StartsWith(Framework, StringComparison.OrdinalIgnoreCase) == true).ToArray())
            filters.Rules.Remove(rule);
        // With the provider's name: no rule without one goes before it.
        filters.Rules.Add(new LoggerFilterRule(typeof(ConsoleLoggerProvider).FullName, Framework, LogLevel.Warning, null));
    });
}
