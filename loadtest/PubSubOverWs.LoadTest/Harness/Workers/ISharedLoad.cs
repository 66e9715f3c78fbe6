using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>An experiment whose clients several load processes can share.</summary>
public interface ISharedLoad
{
    /// <summary>The load of one trial whose clients are in load processes.</summary>
    /// <param name="processes">Running, one for each share; their answers decide how it went.</param>
    /// <inheritdoc cref="Experiment.Load"/>
    ILoad Load(
        Scenario scenario, Trial trial, string run, ServerGroup servers, IReadOnlyList<ChildServer> processes, TimeProvider time);

    /// <summary>In a load process: the clients of its share.</summary>
    /// <param name="plan">As the load of the run has sent it.</param>
    /// <param name="servers">Where clients connect.</param>
    /// <exception cref="JsonException">It is no such plan.</exception>
    IShareOfLoad Share(JsonElement plan, LoadShare share, ServerGroup servers);
}

/// <summary>The part of a load that one of several load processes has.</summary>
public interface IShareOfLoad : IClientLoad
{
    /// <summary>What its clients have seen, as the load of the run merges it, written as JSON. After all of them have left.</summary>
    object Account();
}

/// <summary>As <see cref="ConnectFailure"/>, handed back by a load process.</summary>
/// <param name="Client">Its number among the clients of its kind in the iteration, from 0.</param>
public sealed record ClientFailure(int Client, Cause Cause, string Detail)
{
    /// <summary>Null: it had none.</summary>
    public static ClientFailure? From(int client, ConnectFailure? failure) =>
        failure is null ? null : new ClientFailure(client, failure.Cause, failure.Detail);

    public ConnectFailure ToConnectFailure() => new(Cause, Detail);
}
