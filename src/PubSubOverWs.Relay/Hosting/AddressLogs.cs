using Microsoft.Extensions.Logging.Console;

namespace PubSubOverWs.Relay;

/// <summary>
/// Keeps addresses of requests out of the log, whatever the settings of logging say: a client may put a token into its query, also where
/// none is taken from there. And a line of log for each request would cost more than relaying a message.
/// </summary>
internal static class AddressLogs
{
    private const string Framework = "Microsoft.AspNetCore";

    public static void Silence(IServiceCollection services) => services.PostConfigure<LoggerFilterOptions>(filters =>
    {
        foreach (var rule in filters.Rules.Where(rule => GoesBefore(rule.CategoryName)).ToArray())
            filters.Rules.Remove(rule);
        // With the provider's name: no rule without one goes before it.
        filters.Rules.Add(new LoggerFilterRule(typeof(ConsoleLoggerProvider).FullName, Framework, LogLevel.Warning, null));
    });

    // Of rules that fit a category the longest counts, and one with a star in it may fit ours as well.
    private static bool GoesBefore(string? category) =>
        category is not null
            && (category.StartsWith(Framework, StringComparison.OrdinalIgnoreCase)
                || (category.Length > Framework.Length && category.Contains('*')));
}
