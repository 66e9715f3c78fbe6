using System.Runtime.InteropServices;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace PubSubOverWs.Hosting;

/// <summary>
/// How a server behaves when the load runner started it with <c>--child</c>: it writes one line
/// <c>listening http://127.0.0.1:PORT</c> to standard output, ignores SIGINT (Ctrl-C goes to the whole terminal group, and the
/// runner decides which process stops first), and ends when its standard input closes, so that no orphan outlives the runner.
/// Without <c>--child</c> nothing changes: normal signals, and standard input is not read.
/// </summary>
internal static class ChildMode
{
    public const string Flag = "--child";

    /// <summary>Sends logs to standard error and, when the arguments have <c>--child</c>, takes over the host's lifetime.</summary>
    public static WebApplicationBuilder AddChildMode(this WebApplicationBuilder builder, string[] args)
    {
        builder.Logging.ClearProviders().AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace);
        if (args.Contains(Flag))
        {
            builder.Services.AddSingleton<IHostLifetime, ChildLifetime>();
            // The command line knows no flags: it took the argument after this one for its value, and lost it.
            Microsoft.Extensions.Configuration.CommandLineConfigurationExtensions.AddCommandLine(
                builder.Configuration, [.. args.Where(argument => argument != Flag)]);
        }
        return builder;
    }

    private sealed class ChildLifetime(IHostApplicationLifetime application, IServer server) : IHostLifetime, IDisposable
    {
        private PosixSignalRegistration? _interrupt;
        private PosixSignalRegistration? _terminate;

        public Task WaitForStartAsync(CancellationToken cancellationToken)
        {
            _interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, signal => signal.Cancel = true);
            _terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, signal =>
            {
                signal.Cancel = true;
                application.StopApplication();
            });
            application.ApplicationStarted.Register(() =>
                Console.Out.WriteLine($"listening {server.Features.Get<IServerAddressesFeature>()!.Addresses.First()}"));
            new Thread(StopWhenInputCloses) { IsBackground = true, Name = "standard input" }.Start();
            return Task.CompletedTask;
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public void Dispose()
        {
            _interrupt?.Dispose();
            _terminate?.Dispose();
        }

        // A thread of its own: reading a pipe blocks, and cannot be cancelled.
        private void StopWhenInputCloses()
        {
            using var input = Console.OpenStandardInput();
            Span<byte> ignored = stackalloc byte[256];
            while (input.Read(ignored) > 0)
            {
            }
            application.StopApplication();
        }
    }
}
