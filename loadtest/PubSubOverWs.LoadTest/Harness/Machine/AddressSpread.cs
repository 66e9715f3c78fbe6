namespace PubSubOverWs.LoadTest.Harness.Machine;

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

    private static long _first;

    /// <summary>Where the connections of this process begin, so that those of several processes begin at different addresses.</summary>
    /// <param name="process">Of them, from 0.</param>
    /// <param name="of">Processes that connect at once.</param>
    public static void Share(int process, int of) => Volatile.Write(ref _first, FirstOf(process, of));

    /// <summary>The source address of the <paramref name="connection"/>th connection of this process; null: the system chooses.</summary>
    public static IPAddress? For(long connection, IPAddress target) =>
        Applies(target, OperatingSystem.IsLinux() || OperatingSystem.IsWindows())
            ? At(Volatile.Read(ref _first) + connection)
            : null;

    /// <summary>macOS has no loopback address but 127.0.0.1; other targets see the machine's own address.</summary>
    public static bool Applies(IPAddress target, bool hasWholeLoopbackNet) =>
        hasWholeLoopbackNet && target.AddressFamily == System.Net.Sockets.AddressFamily.InterNetwork && IPAddress.IsLoopback(target);

    /// <summary>The connection whose address the first of a process has, at the same distance for each process.</summary>
    public static long FirstOf(int process, int of) => (long)Addresses * process / of * PerAddress;

    /// <summary>The addresses in turn, repeating after 250,000 connections.</summary>
    public static IPAddress At(long connection) =>
        new([127, 0, 0, (byte)(First + (connection / PerAddress % Addresses))]);
}
