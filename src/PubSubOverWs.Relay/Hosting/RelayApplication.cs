using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging.Console;
using Microsoft.Extensions.Options;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>Starts a server and ends it with an exit code that says why.</summary>
public static class RelayApplication
{
    private const int Crashed = 1;

    public static WebApplicationBuilder CreateBuilder(string[] args)
    {
        // Its words are no settings.
        if (UsersMode.IsAsked(args))
            return StartingNothing(new UsersMode(args));
        var arguments = new ServerArguments(args, ChildMode.Flag, HealthMode.Flag);
        WebApplicationBuilder builder;
        try
        {
            builder = WebApplication.CreateBuilder(arguments.ForHost).AddChildMode(arguments.ForHost);
        }
        catch (InvalidDataException unreadable)
        {
            return StartingNothing(new StartFailedException(SettingsCheck.Sentence(unreadable)));
        }
        builder.Services.AddSingleton(arguments);
        if (arguments.Has(HealthMode.Flag))
            builder.Services.AddSingleton<HealthMode>();
        AddressLogs.Silence(builder.Services);
        // Each check would be a line of log; parts that are not ready log it themselves, once.
        builder.Logging.AddFilter("Microsoft.Extensions.Diagnostics.HealthChecks", LogLevel.Critical);
        // Run reports why the server cannot start, without a stack trace.
        builder.Logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.Critical);
        return builder;
    }

    /// <summary>
    /// Runs until the server is told to stop. If it cannot start, standard error has one sentence. With <c>--health</c> it only
    /// asks whether the server beside it is ready (<see cref="HealthMode"/>), with <c>users add</c> it only writes a file
    /// (<see cref="UsersMode"/>), with <c>--help</c> or <c>--version</c> it only says so (<see cref="ServerArguments"/>).
    /// </summary>
    /// <returns>0: it was told to stop, or the other is ready, or the user was added; 1: a part of it failed, or the other is not; 5: a
    /// setting is wrong or the port is in use; otherwise what <see cref="StartFailedException"/> says.</returns>
    public static int Run(WebApplication app)
    {
        if (app.Services.GetService<ServerArguments>()?.Answer(
            SettingsSection.GetAll(app.Services), HealthMode.Usage, UsersMode.Usage) is { } answered)
            return answered;
        if (app.Services.GetService<StartFailedException>() is { } unreadable)
            return Fail(unreadable.Message, unreadable.ExitCode);
        if (app.Services.GetService<HealthMode>() is { } health)
            return health.Ask();
        if (app.Services.GetService<UsersMode>() is { } users)
            return users.Run();
        var stopping = app.Lifetime.ApplicationStopping;
        var addresses = app.Configuration[WebHostDefaults.ServerUrlsKey];
        try
        {
            StartChecks.Run(app.Services, app.Configuration);
            app.Services.GetRequiredService<RelayTelemetry>().Observe(app.Services.GetRequiredService<RelayContext>());
            if (app.Services.GetRequiredService<IOptions<RelayOptions>>().Value.FrontEnd == FrontEnd.Lean)
                LeanEndpoints.CompleteInline();
            // A server that may not start says why, and nothing else.
            app.Lifetime.ApplicationStarted.Register(() => LogAddresses(app));
            app.Lifetime.ApplicationStarted.Register(app.Services.GetRequiredService<MemoryTotal>().Log);
            var background = app.Services.GetServices<IHostedService>().OfType<BackgroundService>().ToArray();
            app.Run();
            // A part of the server that failed stops the host, which has logged it, and ends as if it had been told to.
            return Array.Exists(background, service => service.ExecuteTask is { IsFaulted: true }) ? Crashed : 0;
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            // It was told to stop before it had started.
            return 0;
        }
        catch (IOException exception) when (exception.InnerException is AddressInUseException)
        {
            return Fail($"{exception.Message} Choose another with --urls, or stop what listens there.", StartFailedException.BadUsage);
        }
        catch (SocketException exception)
        {
            return Fail(
                $"Cannot listen on {addresses}: {exception.Message}. Choose another address with --urls.", StartFailedException.BadUsage);
        }
        catch (StartFailedException exception)
        {
            return Fail(exception.Message, exception.ExitCode);
        }
    }

    // Without files of settings and all else.
    private static WebApplicationBuilder StartingNothing<T>(T instead)
        where T : class
    {
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore();
        builder.Services.AddRouting().AddSingleton(instead);
        return builder;
    }

    private static void LogAddresses(WebApplication app)
    {
        foreach (var address in app.Urls)
            app.Logger.Listening($"ws{address["http".Length..]}/ws", $"{address}/");
    }

    private static int Fail(string sentence, int exitCode)
    {
        Console.Error.WriteLine(sentence);
        return exitCode;
    }
}

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

/// <summary>A server cannot start, and knows why: its message is one sentence that says what, where and what to do.</summary>
/// <param name="exitCode"><see cref="BadUsage"/> or <see cref="Unreachable"/>.</param>
public sealed class StartFailedException(string message, int exitCode = StartFailedException.BadUsage) : Exception(message)
{
    /// <summary>Exit code: bad settings or no credentials.</summary>
    public const int BadUsage = 5;

    /// <summary>Exit code: the queue does not answer, which may pass.</summary>
    public const int Unreachable = 10;

    public int ExitCode { get; } = exitCode;
}
