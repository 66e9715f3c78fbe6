using System.Reflection;
using Microsoft.Extensions.Configuration;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace PubSubOverWs.Relay;

/// <summary>
/// Sends spans and metrics to an OTLP receiver when <c>OTEL_EXPORTER_OTLP_ENDPOINT</c> names one; OpenTelemetry reads its other variables
/// itself. Logs stay here: the framework's may have addresses with tokens, which <see cref="AddressLogs"/> keeps out of the console.
/// </summary>
internal static class TelemetryExport
{
    public const string Endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT";

    public static void Add(IServiceCollection services, IConfiguration configuration)
    {
        if (string.IsNullOrWhiteSpace(configuration[Endpoint]))
            return;
        services.AddOpenTelemetry()
            // The variables last: what they say of the service goes before its name here.
            .ConfigureResource(resource => resource.Clear().AddTelemetrySdk()
                .AddService(Assembly.GetEntryAssembly()!.GetName().Name!).AddEnvironmentVariableDetector())
            .WithTracing(tracing => tracing.AddSource(Conventions.Scope).AddOtlpExporter())
            .WithMetrics(metrics => metrics.AddMeter(Conventions.Scope, "System.Runtime", "Microsoft.AspNetCore.Server.Kestrel")
                .AddOtlpExporter());
    }

    /// <summary>Why spans cannot be sent; null: they can, or are not.</summary>
    public static string? Refusal(IConfiguration configuration) =>
        configuration[Endpoint] is not { } endpoint || string.IsNullOrWhiteSpace(endpoint)
            || (Uri.TryCreate(endpoint, UriKind.Absolute, out var address) && address.Scheme is "http" or "https")
            ? null
            : $"{Endpoint} is not the address of a receiver: write it as http://HOST:4317, or leave it out.";
}
