using System.Runtime;
using Microsoft.AspNetCore.Http.HttpResults;

namespace PubSubOverWs.Relay;

/// <summary>Answers <c>GET /stats</c> for clients that may read it.</summary>
internal sealed class StatsEndpoint(RelayContext relay, MemoryTotal memory)
{
    public IResult Get(HttpContext context)
    {
        if (relay.Gate.Stats.Refusal(context.Request) is not (var status, var why))
            return Read();
        if (status == StatusCodes.Status401Unauthorized)
            context.Response.Headers.WWWAuthenticate = "Bearer";
        return TypedResults.Text(why + "\n", statusCode: status);
    }

    private JsonHttpResult<ServerStats> Read() => TypedResults.Json(
        new ServerStats(
            relay.Broker.Name,
            (long)relay.Time.GetElapsedTime(relay.Started).TotalMicroseconds,
            relay.Meter.Connections,
            relay.Meter.Logins,
            relay.Meter.Messages,
            relay.Meter.BytesIn,
            relay.Meter.BytesOut,
            relay.Meter.Drops,
            relay.Broker.Buffered,
            relay.TopicBacklogs.Taken,
            (long)Environment.CpuUsage.TotalTime.TotalMicroseconds,
            Environment.WorkingSet,
            GC.GetTotalMemory(forceFullCollection: false),
            GC.GetGCMemoryInfo().TotalAvailableMemoryBytes,
            (GCSettings.IsServerGC ? "server" : "workstation") + (GCSettings.LatencyMode == GCLatencyMode.Batch ? "" : ", concurrent"),
            [GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2)],
            (long)GC.GetTotalPauseDuration().TotalMicroseconds,
            relay.Broker.Queue,
            memory.Stats),
        ServerStatsJson.Default.ServerStats);
}
