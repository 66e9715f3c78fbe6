using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>Checks that a server is running at an address, and that it is of the right kind.</summary>
/// <param name="name">What the server should be.</param>
/// <param name="option">By which its address was given.</param>
public sealed class AddressCheck(string name, string option, Uri address, ServerAccess access, TimeProvider time)
{
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(5);

    // Servers check passcodes slowly on purpose, and a few at a time.
    private static readonly TimeSpan LogInTimeout = TimeSpan.FromSeconds(15);

    /// <summary>Its /stats; null: it has none.</summary>
    /// <exception cref="RefusalException">It cannot be reached or used.</exception>
    public async Task<string?> RunAsync(CancellationToken stopping)
    {
        await ReachAsync(stopping);
        using var stats = new StatsReader(address, access.StatsToken);
        var json = await stats.ReadAsync(stopping);
        if (stats.IsRefused)
            throw new RefusalException(
                $"The {name} server at {address} does not show its /stats: name the file with its token in --stats-token-file.");
        var other = json is null ? null : ServerIn(json);
        if (other is not null && other != name)
            throw new RefusalException(
                $"The server at {address} says that it is '{other}', not '{name}': give {option} the address of a "
                    + $"{name} server.");
        return json;
    }

    /// <summary>Connects as a client does.</summary>
    /// <exception cref="RefusalException">It cannot be reached, speaks no STOMP over WebSocket, or rejects the login.</exception>
    public async Task ReachAsync(CancellationToken stopping)
    {
        await ConnectAsync(stopping);
        await LogInAsync(stopping);
    }

    /// <summary>Connects to its port.</summary>
    /// <exception cref="RefusalException">It cannot be reached.</exception>
    public async Task ConnectAsync(CancellationToken stopping)
    {
        using var timeout = new CancellationTokenSource(ConnectTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, stopping);
        try
        {
            using var client = new TcpClient();
            await client.ConnectAsync(address.Host, address.Port, either.Token);
        }
        catch (Exception failure)
            when (failure is SocketException || (failure is OperationCanceledException && !stopping.IsCancellationRequested))
        {
            var why = failure is SocketException ? failure.Message : $"no answer within {ConnectTimeout.TotalSeconds:0} s";
            throw new RefusalException(
                ExitCode.Unreachable,
                $"The {name} server at {address} cannot be reached ({why}): start it, or omit {option} to "
                    + "have the run start one.",
                failure);
        }
    }

    // Once here, instead of a failure for every user. The passcode is masked, in case a server repeats it in its answer.
    private async Task LogInAsync(CancellationToken stopping)
    {
        using var connection = new StompConnection(await ClientTarget.ResolveAsync(address, access, stopping));
        using var timeout = new CancellationTokenSource(LogInTimeout, time);
        await using var abort = connection.AbortOn(timeout.Token);
        await using var stop = connection.AbortOn(stopping);
        var unopened = await connection.OpenAsync();
        stopping.ThrowIfCancellationRequested();
        RefusalException.ThrowUnless(unopened is null,
            $"The server at {address} does not open a WebSocket for STOMP ({unopened}): give {option} the address of a {name} server that "
                + "does.");
        var failure = await connection.LogInAsync();
        stopping.ThrowIfCancellationRequested();
        if (failure is not null)
            throw new RefusalException(access is { Login: { } login, Passcode: { } passcode }
                ? $"The server at {address} rejects the login '{login}' "
                    + $"({failure.Detail.Replace(passcode.Value, Secret.Mask, StringComparison.Ordinal)}): "
                    + "check --login and --passcode-file."
                : $"The server at {address} rejects a client without a user ({failure.Detail}): name one by --login and --passcode-file.");
        connection.Leave();
    }

    private static string? ServerIn(string json)
    {
        using var document = JsonDocument.Parse(json);
        return document.RootElement.TryGetProperty("server", out var server) ? server.GetString() : null;
    }
}
