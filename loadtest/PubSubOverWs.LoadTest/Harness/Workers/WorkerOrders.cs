using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>
/// What a run tells its load processes to do, in this order, all but the last two once for each trial. An order is a POST to its name, and
/// its answer comes when it is done; both are JSON.
/// </summary>
public static class WorkerOrders
{
    /// <summary><see cref="EnterOrder"/>: connect and subscribe. Answered with <see cref="Entered"/>.</summary>
    public const string Enter = "enter";

    /// <summary><see cref="BeginOrder"/>: send. Answered when all was sent, or the share has given up.</summary>
    public const string Begin = "begin";

    /// <summary>Answered when nothing more is waited for, or with <see cref="Leave"/>; others may come meanwhile.</summary>
    public const string Wait = "wait";

    /// <summary>Nothing more is to be sent, not even again: answered when what was sent is answered, or cannot be.</summary>
    public const string Stop = "stop";

    /// <summary>Close all connections. Answered with <see cref="Left"/>.</summary>
    public const string Leave = "leave";

    /// <summary>Others are waited for: to processes that the run has not started, until it has all.</summary>
    public const string Stay = "stay";

    /// <summary>The run has ended: to processes that it has not started.</summary>
    public const string End = "end";

    /// <summary>As all orders and answers are written.</summary>
    public static JsonSerializerOptions Json { get; } = new(JsonSerializerDefaults.Web)
    {
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.KebabCaseLower) },
        RespectRequiredConstructorParameters = true,
        RespectNullableAnnotations = true,
    };

    /// <summary>The plan of an <see cref="EnterOrder"/>.</summary>
    /// <exception cref="JsonException">It is no such plan.</exception>
    public static T ReadPlan<T>(JsonElement plan) => plan.Deserialize<T>(Json) ?? throw new JsonException("There is no plan.");
}

/// <summary>The clients of a share.</summary>
/// <param name="Experiment">Whose workload it is.</param>
/// <param name="Plan">Of the workload.</param>
/// <param name="Servers">Where they connect, spread evenly.</param>
public sealed record EnterOrder(string Experiment, JsonElement Plan, LoadShare Share, IReadOnlyList<ServerAddress> Servers);

/// <summary>A server, and the credentials for it.</summary>
/// <param name="Login">Null: none is sent.</param>
/// <param name="Passcode">Null only together with <paramref name="Login"/>.</param>
public sealed record ServerAddress(Uri Address, string? Login, string? Passcode)
{
    /// <summary>Fault proxies to which the publishers of pairs connect; none: to the server itself.</summary>
    public IReadOnlyList<Uri> Publishers { get; init; } = [];

    /// <summary>The same for their subscribers.</summary>
    public IReadOnlyList<Uri> Subscribers { get; init; } = [];

    /// <summary>Of the clients of a run.</summary>
    public static IReadOnlyList<ServerAddress> From(ServerGroup servers) =>
    [
        .. from one in servers.Members
           let access = one.Clients.Access
           select new ServerAddress(one.Clients.Address, access.Login, access.Passcode?.Value)
           {
               Publishers = Proxies(one.Publishers, one.Clients),
               Subscribers = Proxies(one.Subscribers, one.Clients),
           },
    ];

    /// <summary>As its clients connect to it.</summary>
    public async Task<GroupMember> ResolveAsync(CancellationToken cancellationToken)
    {
        var server = await ResolveAsync(Address);
        return new GroupMember($"{Address}", server, Stats: null, Process: null)
        {
            Publishers = await ResolveAllAsync(Publishers),
            Subscribers = await ResolveAllAsync(Subscribers),
        };

        async Task<IReadOnlyList<ClientTarget>> ResolveAllAsync(IReadOnlyList<Uri> proxies) =>
            proxies.Count == 0 ? [server] : await Task.WhenAll(proxies.Select(ResolveAsync));

        Task<ClientTarget> ResolveAsync(Uri address) => ClientTarget.ResolveAsync(
            address, new ServerAccess(Login, Passcode is null ? null : new Secret(Passcode), StatsToken: null), cancellationToken);
    }

    // Without the passcode, wherever it is printed.
    public override string ToString() => $"{Address}";

    private static IReadOnlyList<Uri> Proxies(IReadOnlyList<ClientTarget> targets, ClientTarget server) =>
        [.. targets.Where(one => one != server).Select(one => one.Address)];
}

/// <param name="Connected">Clients that are connected and subscribed.</param>
public sealed record Entered(int Connected);

/// <param name="FirstDue">A stamp of the process's own monotonic clock.</param>
public sealed record BeginOrder(long FirstDue);

/// <param name="Collections">Garbage collections since the clients had entered.</param>
/// <param name="Account">Of <see cref="IShareOfLoad.Account"/>.</param>
public sealed record Left(int Collections, JsonElement Account);
