using System.Net;

namespace PubSubOverWs.LoadTest.Machine;

/// <summary>
/// Source addresses for clients of a loopback server: 127.0.0.2 and up. A TCP port can be used once per pair of addresses, and for a
/// minute after its connection was closed not at all, so iterations of 10,000 users would use up the 28,000 ports of one address.
/// A bound client also cannot connect to itself when the server's port is closed.
/// </summary>
public static class AddressSpread
{
    /// <summary>Consecutive connections from the same address.</summary>
    public const int PerAddress = 1000;

    private const int Addresses = 250;
    private const int First = 2;

    /// <summary>The source address of the <paramref name="connection"/>th connection of this process; null: the system chooses.</summary>
    public static IPAddress? For(long connection, IPAddress target) =>
        Applies(target, OperatingSystem.IsLinux() || OperatingSystem.IsWindows()) ? At(connection) : null;

    /// <summary>macOS has no loopback address but 127.0.0.1; other targets see the machine's own address.</summary>
    public static bool Applies(IPAddress target, bool hasWholeLoopbackNet) =>
        hasWholeLoopbackNet && target.AddressFamily == System.Net.Sockets.AddressFamily.InterNetwork && IPAddress.IsLoopback(target);

    /// <summary>The addresses in turn, repeating after 250,000 connections.</summary>
    public static IPAddress At(long connection) =>
        new([127, 0, 0, (byte)(First + (connection / PerAddress % Addresses))]);
}
