using PubSubOverWs.Hosting;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>
/// The fault proxy as a separate process, the hidden command <c>fault-proxy</c> of this program: one proxy or several, each on a free port
/// and with toxics of its own, and an HTTP port that takes orders and shows the state. All are on loopback addresses only.
/// </summary>
public static class FaultProxyProcess
{
    public const string Command = "fault-proxy";
    public const string TargetOption = "--target";
    public const string ConnectionsOption = "--connections";
    public const string ProxiesOption = "--proxies";

    /// <summary>A proxied connection takes two descriptors; this stays well below the common limit of 10,000 for a process.</summary>
    public const int MaxConnections = 4500;

    /// <summary>Proxies in one process: a limit for what is surely a mistake.</summary>
    public const int MaxProxies = 100;

    /// <summary>GET: the state. Here and for <see cref="OrdersPath"/> <c>?proxy=N</c> names one of several, from 0, the default.</summary>
    public const string StatePath = "/state";

    /// <summary>POST a JSON list of orders: all or none are accepted; answers with the state after those that were due at once.</summary>
    public const string OrdersPath = "/orders";

    private const string NoList = "The body must be a JSON list of orders.";
    private const string NoProxy = "The process has no proxy of this number: they count from 0.";

    /// <summary>The number of proxies for this number of connections at a time, 0 or more, spread over them evenly.</summary>
    public static int CountFor(int connections) => (connections + MaxConnections - 1) / MaxConnections;

    /// <summary>Serves until it is stopped.</summary>
    /// <param name="args">All arguments of the program: <c>--urls</c> sets the control port.</param>
    /// <param name="most">Connections at a time, of each proxy.</param>
    /// <param name="proxies">1 to <see cref="MaxProxies"/>.</param>
    /// <exception cref="RefusalException">The control port would not be on a loopback address.</exception>
    public static async Task RunAsync(string[] args, IPEndPoint server, int most, int proxies = 1)
    {
        var builder = WebApplication.CreateSlimBuilder(args);
        builder.AddChildMode(args);
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.ListenOnLoopbackOnly(Command);
        builder.WebHost.UseUrls(builder.Configuration["urls"] ?? "http://127.0.0.1:0");
        using var fine = OperatingSystem.IsLinux() ? new FineTime() : null;
        await using var all = new Proxies(server, most, proxies, fine ?? TimeProvider.System);
        await using var app = builder.Build();

        app.UseLoopbackHost();
        app.MapGet("/health/ready", () => Results.Ok());
        app.MapGet(StatePath, context => all.Of(context) is { } book ? AnswerAsync(context, book) : RefuseAsync(context, NoProxy));
        app.MapPost(OrdersPath, context => all.Of(context) is { } book ? TakeAsync(context, book) : RefuseAsync(context, NoProxy));
        await app.RunAsync();
    }

    private static async Task TakeAsync(HttpContext context, CommandScheduler book)
    {
        var (orders, fault) = await ReadAsync(context);
        if (fault is null)
        {
            book.Take(orders);
            await AnswerAsync(context, book);
        }
        else
        {
            await RefuseAsync(context, fault);
        }
    }

    private static Task RefuseAsync(HttpContext context, string why)
    {
        context.Response.StatusCode = StatusCodes.Status400BadRequest;
        return context.Response.WriteAsync(why, context.RequestAborted);
    }

    private static async Task<(IReadOnlyList<ProxyOrder> Orders, string? Fault)> ReadAsync(HttpContext context)
    {
        // Without a preflight request, a web page in a browser can send anything but JSON here.
        if (!context.Request.HasJsonContentType())
            return ([], NoList);
        try
        {
            var read = await context.Request.ReadFromJsonAsync<ProxyOrder?[]>(ProxyJson.Options, context.RequestAborted);
            if (read is null || read.Contains(null))
                return ([], NoList);
            ProxyOrder[] orders = [.. read.OfType<ProxyOrder>()];
            return (orders, orders.Select(order => order.FindFault()).FirstOrDefault(fault => fault is not null));
        }
        catch (JsonException error)
        {
            return ([], $"{NoList} {error.Message}");
        }
    }

    private static Task AnswerAsync(HttpContext context, CommandScheduler book) =>
        context.Response.WriteAsJsonAsync(book.State, ProxyJson.Options, context.RequestAborted);

    /// <summary>The proxies of the process, with the orders of each.</summary>
    private sealed class Proxies : IAsyncDisposable
    {
        private readonly List<ToxicProxy> _proxies = [];
        private readonly List<CommandScheduler> _books = [];

        public Proxies(IPEndPoint server, int most, int count, TimeProvider time)
        {
            for (var i = 0; i < count; i++)
            {
                _proxies.Add(new ToxicProxy(server, most, time));
                _proxies[i].Accept();
                _books.Add(new CommandScheduler(_proxies[i], TimeProvider.System));
            }
        }

        /// <summary>That of the proxy that a request is for; null: there is none.</summary>
        public CommandScheduler? Of(HttpContext context)
        {
            var number = 0;
            return !context.Request.Query.TryGetValue("proxy", out var text)
                || int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number)
                ? _books.ElementAtOrDefault(number)
                : null;
        }

        public async ValueTask DisposeAsync()
        {
            foreach (var book in _books)
                await book.DisposeAsync();
            foreach (var proxy in _proxies)
                await proxy.DisposeAsync();
        }
    }
}
