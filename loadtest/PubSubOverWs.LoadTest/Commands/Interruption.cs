using System.Runtime.InteropServices;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>
/// Ctrl-C, SIGTERM and a closed terminal ask the program to stop: the first cancels the token, every further one changes nothing, so
/// that an impatient second Ctrl-C cannot cut a file that is being written.
/// </summary>
public sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource _source = new();
    private readonly List<PosixSignalRegistration> _signals;
    private readonly TextWriter _error;

    public Interruption(TextWriter error)
    {
        _error = error;
        _signals = [.. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM,
            PosixSignal.SIGHUP }.Select(signal => PosixSignalRegistration.Create(signal, Stop))];
    }

    public CancellationToken Token => _source.Token;

    public void Dispose()
    {
        _signals.ForEach(signal => signal.Dispose());
        _source.Dispose();
    }

    private void Stop(PosixSignalContext context)
    {
        context.Cancel = true;
        _error.WriteLine(_source.IsCancellationRequested
            ? "Still stopping: queues are deleted and servers are ended; this takes some seconds."
            : "Stopping: what was recorded is kept.");
        _source.Cancel();
    }
}
