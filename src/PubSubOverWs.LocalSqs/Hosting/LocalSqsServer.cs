using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.LocalSqs;

/// <summary>The server: its services and endpoints.</summary>
public static class LocalSqsServer
{
    private const int BadUsage = 5;
    private const string Section = "LocalSqs";

    // Read once by System.Net.Sockets/src/System/Net/Sockets/SocketAsyncEngine.Unix.cs of the runtime, before the first socket.
    private const string InlineCompletions = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>The section of its settings, with the class that reads them.</summary>
    public static IReadOnlyList<(string Section, Type Options)> Settings { get; } = [(Section, typeof(LocalSqsOptions))];

    /// <inheritdoc cref="RunLocalSqs"/>
    internal static int Run(ServerArguments arguments)
    {
        if (Environment.GetEnvironmentVariable(InlineCompletions) is null)
            Environment.SetEnvironmentVariable(InlineCompletions, "1");
        WebApplicationBuilder builder;
        try
        {
            builder = WebApplication.CreateSlimBuilder(arguments.ForHost).AddChildMode(arguments.ForHost);
        }
        catch (InvalidDataException unreadable)
        {
            return Refuse(SettingsCheck.Sentence(unreadable));
        }
        return builder.AddLocalSqs().Build().RunLocalSqs();
    }

    public static WebApplicationBuilder AddLocalSqs(this WebApplicationBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        // A line of log per request would cost more than the request.
        builder.Logging.AddFilter("Microsoft.AspNetCore", LogLevel.Warning);
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            kestrel.Limits.MaxRequestBodySize = LocalSqsOptions.MaxRequestBytes;
        });
        // Decision 0194: a request is answered on the thread that was told of its bytes.
        builder.Services.Configure<SocketTransportOptions>(transport => transport.UnsafePreferInlineScheduling = true);
        builder.Services.AddSingleton<IConnectionListenerFactory, PortTransport>();
        // RunLocalSqs reports why the server cannot start, without a stack trace.
        builder.Logging.AddFilter("Microsoft.Extensions.Hosting.Internal.Host", LogLevel.Critical);
        // The settings are read when an address is bound: by then they are validated.
        builder.Services.AddOptions<KestrelServerOptions>().Configure<IServiceProvider>(
            (kestrel, provider) => kestrel.ConfigureEndpointDefaults(endpoint =>
            {
                RefuseNetwork(endpoint.EndPoint, provider.GetRequiredService<LocalSqsOptions>());
                endpoint.Use(Turn.Before);
            }));
        builder.Services.AddOptions<LocalSqsOptions>().Bind(builder.Configuration.GetSection(Section)).ValidateDataAnnotations()
            .ValidateOnStart();
        builder.Services.AddSingleton(provider => provider.GetRequiredService<IOptions<LocalSqsOptions>>().Value);
        builder.Services.TryAddSingleton(TimeProvider.System);
        builder.Services.AddSingleton<SignatureCheck>();
        builder.Services.AddSingleton<AnswerDelay>();
        builder.Services.AddSingleton<QueueStore>();
        builder.Services.AddSingleton<TopicStore>();
        builder.Services.AddSingleton<SqsProtocol>();
        builder.Services.AddSingleton<SnsProtocol>();
        return builder;
    }

    /// <summary>
    /// <c>GET /health</c>: 200 once it is up, and <c>GET /</c> says in a browser what this is. Forms are SNS, and everything else is SQS,
    /// at any path: clients may post to a queue's own URL.
    /// </summary>
    public static void UseLocalSqs(this WebApplication app)
    {
        ArgumentNullException.ThrowIfNull(app);
        var options = app.Services.GetRequiredService<LocalSqsOptions>();
        var queues = app.Services.GetRequiredService<SqsProtocol>();
        var topics = app.Services.GetRequiredService<SnsProtocol>();
        app.Run(async http =>
        {
            if (Turn.IsOver(http))
                await Task.Yield();
            await (TextFor(http.Request) is { } text ? Results.Text(text).ExecuteAsync(http)
                : SnsProtocol.IsFor(http.Request) ? topics.HandleAsync(http)
                : queues.HandleAsync(http));
        });
        // Kestrel waits for calls under way when it stops, and polls would keep it waiting.
        app.Lifetime.ApplicationStopping.Register(app.Services.GetRequiredService<QueueStore>().StopWaiting);
        Log.InMemory(app.Logger, options.MaxBytes);
    }

    /// <summary>Runs until it is told to stop. If it cannot start, it says why in one sentence on standard error.</summary>
    /// <returns>0: it was told to stop; 5: a setting is wrong, or the port is in use.</returns>
    public static int RunLocalSqs(this WebApplication app)
    {
        ArgumentNullException.ThrowIfNull(app);
        if (SettingsCheck.Refusal(app.Configuration, Settings) is { } refusal)
            return Refuse(refusal);
        try
        {
            app.UseLocalSqs();
        }
        catch (Exception wrong) when (wrong is OptionsValidationException or InvalidOperationException)
        {
            // The binder throws the second for a value that cannot be read, such as a wrong number or time; it names value and setting.
            return Refuse(wrong is OptionsValidationException { Failures: var failures } ? string.Join(" ", failures) : wrong.Message);
        }
        try
        {
            app.Run();
            return 0;
        }
        catch (OptionsValidationException refused)
        {
            return Refuse(string.Join(" ", refused.Failures));
        }
        catch (IOException exception) when (exception.InnerException is AddressInUseException)
        {
            return Refuse($"{exception.Message} Choose another with --urls, or stop what listens there.");
        }
    }

    private static int Refuse(string sentence)
    {
        Console.Error.WriteLine(sentence);
        return BadUsage;
    }

    // Calls of SQS and SNS are posts.
    private static string? TextFor(HttpRequest request) => !HttpMethods.IsGet(request.Method) ? null : request.Path.Value switch
    {
        "/health" => "up",
        "/" when !request.QueryString.HasValue =>
            $"LocalSqs: SQS queues and SNS topics in memory. Clients of AWS use {request.Scheme}://{request.Host} as their endpoint; "
                + "/health says whether it is up.\n",
        _ => null,
    };

    private static void RefuseNetwork(EndPoint endPoint, LocalSqsOptions options)
    {
        if (options.AllowNetwork || Loopback.Has(endPoint))
            return;
        const string setting = $"LocalSqs:{nameof(LocalSqsOptions.AllowNetwork)}";
        throw new OptionsValidationException(
            setting, typeof(LocalSqsOptions),
            [$"LocalSqs listens on loopback only, not on {endPoint}: say --urls http://127.0.0.1:5010, or {setting}=true."]);
    }
}

/// <summary>
/// How many requests a connection has made. A client that sends them without a pause would keep the thread that is told of its bytes, and
/// with it all other connections of that thread (decision 0194).
/// </summary>
internal sealed class Turn
{
    private const int MaxRequests = 64;

    private int _requests;

    /// <summary>Gives each connection its own.</summary>
    public static ConnectionDelegate Before(ConnectionDelegate next) => connection =>
    {
        connection.Features.Set(new Turn());
        return next(connection);
    };

    /// <summary>Counts a request. True: others are to have their turn before it is answered.</summary>
    public static bool IsOver(HttpContext http) => http.Features.Get<Turn>() is { } turn && ++turn._requests % MaxRequests == 0;
}
