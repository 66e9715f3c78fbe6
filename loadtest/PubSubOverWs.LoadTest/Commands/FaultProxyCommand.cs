using System.CommandLine;
using System.Net;
using System.Net.Sockets;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Network.Control;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The hidden command <c>fault-proxy</c>, which a run starts as a process of its own.</summary>
public static class FaultProxyCommand
{
    private const string Target = FaultProxyProcess.TargetOption;
    private const string Connections = FaultProxyProcess.ConnectionsOption;

    /// <param name="args">All of the program's: the web host reads its own from them.</param>
    public static Command Create(string[] args)
    {
        var target = new Option<Uri?>(Target)
        { CustomParser = Values.Address(Target, "http"), Required = true, Description = "the server that connections go to" };
        var connections = new Option<int?>(Connections)
        {
            CustomParser = Values.Count(Connections, least: 1, most: FaultProxyProcess.MostConnections),
            Description = $"how many at a time; {FaultProxyProcess.MostConnections}, the most, if left out",
        };
        var command = new Command(FaultProxyProcess.Command) { target, connections };
        command.Hidden = true;
        command.TreatUnmatchedTokensAsErrors = false;
        command.SetAction(async (parsed, stopping) =>
        {
            var server = await ResolveAsync(parsed.GetValue(target)!, stopping);
            await FaultProxyProcess.RunAsync(args, server, parsed.GetValue(connections) ?? FaultProxyProcess.MostConnections);
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
            throw new RefusalException($"{Target} '{target}' does not resolve to an address: {error.Message}.", error);
        }
    }
}
