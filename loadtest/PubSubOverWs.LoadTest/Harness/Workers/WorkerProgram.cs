using System.Net.Mime;
using PubSubOverWs.Hosting;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>
/// A load process that a run starts beside it: it has a share of the clients, and does what the run orders (<see cref="WorkerOrders"/>).
/// The command <c>load-worker</c>, with <c>--child</c>.
/// </summary>
public static class WorkerProgram
{
    public const string Command = "load-worker";

    /// <summary>The load processes of a run, <c>load-1</c> and so on; none where the run has the clients itself.</summary>
    /// <param name="workers">How many share the clients.</param>
    public static IReadOnlyList<ChildCommand> Commands(int workers) => workers == 1
        ? []
        : [.. Enumerable.Range(1, workers).Select(number => ChildCommand.ThisProgram(Command) with { Name = Invariant($"load-{number}") })];

    /// <summary>Takes orders until it is stopped. <paramref name="args"/> are those of <c>dotnet exec</c>.</summary>
    /// <param name="workloadOf">By the name of the experiment.</param>
    public static async Task RunAsync(string[] args, Func<string, ISharedLoad> workloadOf)
    {
        InlineCompletions.Enable();
        var builder = WebApplication.CreateSlimBuilder(args);
        builder.AddChildMode(args);
        builder.Logging.SetMinimumLevel(LogLevel.Warning);
        builder.ListenOnLoopbackOnly(Command);
        await using var app = builder.Build();
        await using var session = new WorkerSession(workloadOf, TimeProvider.System);
        app.UseLoopbackHost();
        app.MapGet("/health/ready", () => Results.Ok());
        Map(app, session);
        await app.RunAsync();
    }

    /// <summary>Has the session do the orders that come to the app.</summary>
    internal static void Map(WebApplication app, WorkerSession session)
    {
        Map<EnterOrder, Entered>(app, WorkerOrders.Enter, session.EnterAsync);
        Map<BeginOrder, Done>(app, WorkerOrders.Begin, session.BeginAsync);
        Map<Done, Done>(app, WorkerOrders.Wait, (_, aborted) => session.WaitAsync(aborted));
        Map<Done, Done>(app, WorkerOrders.Stop, (_, aborted) => session.StopAsync(aborted));
        Map<Done, Left>(app, WorkerOrders.Leave, (_, aborted) => session.LeaveAsync(aborted));
    }

    private static void Map<TOrder, TAnswer>(WebApplication app, string name, Func<TOrder, CancellationToken, Task<TAnswer>> obey) =>
        app.MapPost($"/{name}", async context =>
        {
            // No page of a browser can send this without asking first, which is not answered.
            if (!context.Request.HasJsonContentType())
            {
                context.Response.StatusCode = StatusCodes.Status415UnsupportedMediaType;
                return;
            }

            try
            {
                var order = await JsonSerializer.DeserializeAsync<TOrder>(
                    context.Request.Body, WorkerOrders.Json, context.RequestAborted);
                var answer = await obey(order!, context.RequestAborted);
                context.Response.ContentType = MediaTypeNames.Application.Json;
                await JsonSerializer.SerializeAsync(context.Response.Body, answer, WorkerOrders.Json, context.RequestAborted);
            }
            catch (Exception error) when (!context.Response.HasStarted && error is not OperationCanceledException)
            {
                // The run says it, and ends.
                context.Response.StatusCode = StatusCodes.Status500InternalServerError;
                await context.Response.WriteAsync($"{error.GetType().Name}: {error.Message}", context.RequestAborted);
            }
        });
}
