using System.CommandLine;
using System.Net;
using System.Net.Sockets;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Network.Control;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Commands that the help does not list; they take any arguments.</summary>
public static class HiddenCommand
{
    /// <summary>A server or client program of this assembly that runs as a separate process.</summary>
    public static Command Child(string name, Func<Task> run)
    {
        var command = new Command(name) { Hidden = true, TreatUnmatchedTokensAsErrors = false };
        command.SetAction((_, _) => run());
        return command;
    }

    /// <summary>A command that was replaced by a run with a record.</summary>
    /// <param name="instead">The command to use, such as <c>run kills</c>.</param>
    /// <param name="called">The old command with what stands before it; null: nothing does.</param>
    public static Command Retired(string name, string instead, string? called = null) => Child(name, () => throw new RefusalException(
        $"'{called ?? name}' is now a run that leaves a record: use {instead}, or {instead} --quick for its smaller form."));
}

/// <summary>The hidden command <c>fault-proxy</c>, which a run starts as a separate process.</summary>
public static class FaultProxyCommand
{
    /// <param name="args">All arguments of the program: the web host reads its settings from them.</param>
    public static Command Create(string[] args)
    {
        var target = new Option<Uri?>(FaultProxyProcess.TargetOption)
        { CustomParser = Values.Address(FaultProxyProcess.TargetOption, "http"), Required = true, Description = "the server of the proxy" };
        var connections = new Option<int?>(FaultProxyProcess.ConnectionsOption)
        {
            CustomParser = Values.Count(FaultProxyProcess.ConnectionsOption, least: 1, most: FaultProxyProcess.MostConnections),
            Description = $"connections at a time; default and maximum: {FaultProxyProcess.MostConnections}",
        };
        var proxies = new Option<int?>(FaultProxyProcess.ProxiesOption)
        {
            CustomParser = Values.Count(FaultProxyProcess.ProxiesOption, least: 1, most: FaultProxyProcess.MostProxies),
            Description = "proxies in this process, each with toxics of its own; default: 1",
        };
        var command = new Command(FaultProxyProcess.Command) { target, connections, proxies };
        (command.Hidden, command.TreatUnmatchedTokensAsErrors) = (true, false);
        command.SetAction(async (parsed, stopping) =>
        {
            var server = await ResolveAsync(parsed.GetValue(target)!, stopping);
            await FaultProxyProcess.RunAsync(
                args, server, parsed.GetValue(connections) ?? FaultProxyProcess.MostConnections, parsed.GetValue(proxies) ?? 1);
        });
        return command;
    }

    private static async Task<IPEndPoint> ResolveAsync(Uri target, CancellationToken stopping)
    {
        try
        {
            return (await ClientTarget.ResolveAsync(target, stopping)).EndPoint;
        }
        catch (SocketException error)
        {
            throw new RefusalException($"{FaultProxyProcess.TargetOption} '{target}' does not resolve: {error.Message}.", error);
        }
    }
}
