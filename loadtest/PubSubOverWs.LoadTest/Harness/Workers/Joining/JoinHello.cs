using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Security.Cryptography;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Harness.Workers.Joining;

/// <summary>The first line on a connection of a load process that joins: JSON, as is the answer, <see cref="JoinAnswer"/>.</summary>
/// <param name="Process">A random number, the same on both of its connections.</param>
/// <param name="Role">What the connection is for.</param>
/// <param name="Build">Of <see cref="ThisBuild"/>.</param>
/// <param name="Version">Of the program, for people.</param>
/// <param name="Frequency">Of its <see cref="Stopwatch"/>, in Hz.</param>
/// <param name="Cores">Its processors.</param>
/// <param name="MemoryBytes">Its memory.</param>
/// <param name="OpenFiles">So many files it may open; null: no limit is known.</param>
/// <param name="System">Its operating system and architecture, such as <c>linux-x64</c>.</param>
public sealed record JoinHello(
    string Process, JoinRole Role, string Build, string Version, long Frequency, int Cores, long MemoryBytes, long? OpenFiles,
    string System)
{
    public static JoinHello OfThisProcess(JoinRole role, string process) => new(
        process, role, ThisBuild.Hash, ThisProgram.Version, Stopwatch.Frequency, Environment.ProcessorCount,
        GC.GetGCMemoryInfo().TotalAvailableMemoryBytes, ProcFiles.OpenFiles(ProcFiles.Lines("/proc/self/limits"))?.Soft,
        RuntimeInformation.RuntimeIdentifier);

    /// <summary>What of it a record may tell.</summary>
    public override string ToString() => Invariant(
        $"{System}, {Cores} cores, {MemoryBytes >> 20} MiB, {OpenFiles?.ToString(CultureInfo.InvariantCulture) ?? "unlimited"} open files");
}

/// <summary>What a connection is for.</summary>
public enum JoinRole
{
    /// <summary>A byte of the run is answered with the stamp of the load process's clock, in eight bytes, little-endian.</summary>
    Clock,

    /// <summary><see cref="WorkerOrders"/>, over HTTP/2, of which the run is the client: the second connection of a process.</summary>
    Orders,
}

/// <param name="Refused">Why, in sentences; null: it is welcome.</param>
public sealed record JoinAnswer(string? Refused);

/// <summary>Lines of JSON at the beginning of a connection.</summary>
internal static class JoinLines
{
    private const int Longest = 4_096;

    public static async Task WriteAsync<T>(Stream stream, T line, CancellationToken cancellationToken)
    {
        await stream.WriteAsync(
            (byte[])[.. JsonSerializer.SerializeToUtf8Bytes(line, WorkerOrders.Json), (byte)'\n'], cancellationToken);
        await stream.FlushAsync(cancellationToken);
    }

    /// <exception cref="InvalidDataException">There is no such line.</exception>
    /// <exception cref="IOException">The connection ended or broke.</exception>
    public static async Task<T> ReadAsync<T>(Stream stream, CancellationToken cancellationToken)
    {
        var line = new byte[Longest];
        for (var length = 0; length < Longest; length++)
        {
            // Not a byte further: what follows is of another reader.
            await stream.ReadExactlyAsync(line.AsMemory(length, 1), cancellationToken);
            if (line[length] == '\n')
                return Parse<T>(line.AsSpan(0, length));
        }
        throw new InvalidDataException(Invariant($"a line of more than {Longest} bytes"));
    }

    private static T Parse<T>(ReadOnlySpan<byte> line)
    {
        try
        {
            return JsonSerializer.Deserialize<T>(line, WorkerOrders.Json) ?? throw new InvalidDataException("null");
        }
        catch (JsonException error)
        {
            throw new InvalidDataException(error.Message, error);
        }
    }
}

/// <summary>What makes this program another one than that of another build: its own assemblies.</summary>
public static class ThisBuild
{
    /// <summary>16 hexadecimal digits.</summary>
    public static string Hash { get; } = Make(AppContext.BaseDirectory);

    private static string Make(string folder)
    {
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var file in Directory.EnumerateFiles(folder, "PubSubOverWs.*.dll").Order(StringComparer.Ordinal))
            hash.AppendData(File.ReadAllBytes(file));
        return Convert.ToHexStringLower(hash.GetHashAndReset().AsSpan(0, 8));
    }
}
