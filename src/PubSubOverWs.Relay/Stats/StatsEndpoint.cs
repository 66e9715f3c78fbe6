using System.Runtime;
using Microsoft.AspNetCore.Http.HttpResults;

namespace PubSubOverWs.Relay;

/// <summary>Answers <c>GET /stats</c>.</summary>
internal sealed class StatsEndpoint(RelayContext relay)
{
    public JsonHttpResult<ServerStats> Get() => TypedResults.Json(
        new ServerStats(
            relay.Broker.Name,
            (long)relay.Time.GetElapsedTime(relay.Started).TotalMicroseconds,
            relay.Meter.Connections,
            relay.Meter.Messages,
            relay.Meter.BytesIn,
            relay.Meter.BytesOut,
            relay.Meter.Drops,
            (long)Environment.CpuUsage.TotalTime.TotalMicroseconds,
            Environment.WorkingSet,
            GC.GetTotalMemory(forceFullCollection: false),
            (GCSettings.IsServerGC ? "server" : "workstation") + (GCSettings.LatencyMode == GCLatencyMode.Batch ? "" : ", concurrent"),
            [GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2)],
            relay.Broker.Queue),
        ServerStatsJson.Default.ServerStats);
}
