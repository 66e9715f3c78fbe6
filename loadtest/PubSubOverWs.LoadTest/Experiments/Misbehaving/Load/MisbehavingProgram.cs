using PubSubOverWs.Hosting;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Misbehaving.Load;

/// <summary>
/// Clients that misbehave, in a process of their own: their load on threads and memory must not show in the latency of the measured
/// clients. The hidden command <c>misbehaving-clients</c>.
/// </summary>
public static class MisbehavingProgram
{
    public const string Command = "misbehaving-clients";

    private const string Begun = "/begun";
    private const string Cut = "/cut";

    /// <summary>Starts it; no client connects yet.</summary>
    internal static Task<ChildServer> StartAsync(Uri target, Misbehaviour what, int clients, CancellationToken cancellationToken) =>
        ChildServer.StartAsync(
            ChildCommand.ThisProgram(
                Command, "--target", target.ToString(), "--what", what.ToString(), "--clients",
                clients.ToString(CultureInfo.InvariantCulture)),
            new ChildOptions(),
            cancellationToken);

    /// <summary>Its clients misbehave until it is stopped. Completes when all have begun.</summary>
    internal static Task BeginAsync(ChildServer child, CancellationToken cancellationToken) => AskAsync(child, Begun, cancellationToken);

    /// <summary>How often the server cut one of its clients, or did not let one in, so far.</summary>
    internal static async Task<int> CutAsync(ChildServer child, CancellationToken cancellationToken) =>
        int.Parse(await AskAsync(child, Cut, cancellationToken), CultureInfo.InvariantCulture);

    /// <summary>
    /// Misbehaves until it is stopped. <paramref name="args"/> are those of <c>dotnet exec</c>, the command's name included.
    /// </summary>
    public static async Task RunAsync(string[] args)
    {
        var builder = WebApplication.CreateSlimBuilder(args);
        builder.AddChildMode(args);
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.ListenOnLoopbackOnly(Command);
        await using var app = builder.Build();

        // No token: nothing has started that could stop this process.
        var target = await ClientTarget.ResolveAsync(new Uri(Setting(app, "target")), CancellationToken.None);
        using var clients = new MisbehavingClients(
            target, Enum.Parse<Misbehaviour>(Setting(app, "what")), int.Parse(Setting(app, "clients"), CultureInfo.InvariantCulture),
            TimeProvider.System);
        app.MapGet("/health/ready", () => Results.Ok());
        app.MapGet(Begun, async (CancellationToken aborted) =>
        {
            await clients.StartAsync(aborted);
            return Results.Text("");
        });
        app.MapGet(Cut, () => clients.Refused == 0
            ? Results.Text(clients.Cut.ToString(CultureInfo.InvariantCulture))
            : throw new InvalidOperationException($"{clients.Refused} frames were not sent, because a client had no room for them."));
        await app.RunAsync();
        await clients.EndAsync();
    }

    private static string Setting(WebApplication app, string name) =>
        app.Configuration[name] ?? throw new InvalidOperationException($"{Command} needs --{name}.");

    private static async Task<string> AskAsync(ChildServer child, string path, CancellationToken cancellationToken)
    {
        using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { Timeout = Timeout.InfiniteTimeSpan };
        try
        {
            return await http.GetStringAsync(new Uri(child.Address, path), cancellationToken);
        }
        catch (HttpRequestException exception)
        {
            throw new ChildException(
                $"The clients that are to misbehave cannot: {exception.Message} {string.Join(' ', child.LastLines)}");
        }
    }
}
