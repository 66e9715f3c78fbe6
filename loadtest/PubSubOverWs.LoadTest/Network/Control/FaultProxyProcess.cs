using System.Net;
using System.Text.Json;
using PubSubOverWs.Hosting;
using PubSubOverWs.LoadTest.Network.Proxy;
using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Network.Control;

/// <summary>
/// The fault proxy as a separate process, the hidden command <c>fault-proxy</c> of this program: the proxy on a free port, and an HTTP port
/// that takes orders and shows the state. Both are on loopback addresses only.
/// </summary>
public static class FaultProxyProcess
{
    public const string Command = "fault-proxy";
    public const string TargetOption = "--target";
    public const string ConnectionsOption = "--connections";

    /// <summary>A proxied connection takes two descriptors; this stays well below the common limit of 10,000 for a process.</summary>
    public const int MostConnections = 4500;

    /// <summary>GET: the state.</summary>
    public const string StatePath = "/state";

    /// <summary>POST a JSON list of orders: all or none are accepted; answers with the state after those that were due at once.</summary>
    public const string OrdersPath = "/orders";

    private const string NoList = "The body must be a JSON list of orders.";

    /// <summary>The number of proxies for this number of connections at a time, 0 or more, spread over them evenly.</summary>
    public static int CountFor(int connections) => (connections + MostConnections - 1) / MostConnections;

    /// <summary>Serves until it is stopped.</summary>
    /// <param name="args">All arguments of the program: <c>--urls</c> sets the control port.</param>
    /// <param name="most">Connections at a time.</param>
    /// <exception cref="RefusalException">The control port would not be on a loopback address.</exception>
    public static async Task RunAsync(string[] args, IPEndPoint server, int most)
    {
        var builder = WebApplication.CreateSlimBuilder(args);
        builder.AddChildMode(args);
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.ListenOnLoopbackOnly(Command);
        builder.WebHost.UseUrls(builder.Configuration["urls"] ?? "http://127.0.0.1:0");
        await using var proxy = new ToxicProxy(server, most, TimeProvider.System);
        proxy.Accept();
        await using var book = new CommandScheduler(proxy, TimeProvider.System);
        await using var app = builder.Build();

        app.UseLoopbackHost();
        app.MapGet("/health/ready", () => Results.Ok());
        app.MapGet(StatePath, context => AnswerAsync(context, book));
        app.MapPost(OrdersPath, context => TakeAsync(context, book));
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
            context.Response.StatusCode = StatusCodes.Status400BadRequest;
            await context.Response.WriteAsync(fault, context.RequestAborted);
        }
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
}
