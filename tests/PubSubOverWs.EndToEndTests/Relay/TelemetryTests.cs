using System.Diagnostics;
using System.Text.Json;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>What servers send, as a receiver has it that nobody here wrote.</summary>
public sealed class TelemetryTests
{
    [FactNeeds(Needed.Dashboard)]
    public async Task A_message_is_one_trace_from_SEND_to_settle_across_two_servers_and_the_queue()
    {
        await using var dashboard = await Dashboard.StartAsync();
        await using var queue = await TestServers.QueueAsync();
        await using var first = await dashboard.ServerAsync("first", queue);
        await using var second = await dashboard.ServerAsync("second", queue);
        using var subscriber = await StompUser.ConnectAsync(second.Address);
        using var publisher = await StompUser.ConnectAsync(first.Address);

        Assert.Null(await publisher.PublishAsync("/queue/orders", "m1"));
        await subscriber.AcknowledgeAsync("/queue/orders", ["m1"], ["m1"]);

        IReadOnlyList<Span> spans = [];
        await Waiting.UntilAsync(
            async () => (spans = await dashboard.SpansAsync()).Any(span => span.Name.StartsWith("settle ", StringComparison.Ordinal)
                && span.Server == "second"),
            "the settle span has come");
        var publish = Assert.Single(spans, span => span.Name == "publish /queue/orders");
        var process = Assert.Single(spans, span => span.Name == "process /queue/orders");
        Assert.Equal(("first", "second", publish.Id), (publish.Server, process.Server, process.Parent));
        Assert.All(spans, span => Assert.Equal(publish.Trace, span.Trace));
        Assert.Contains(spans, span => span.Server == "first" && span.Name.StartsWith("send ", StringComparison.Ordinal));
        Assert.Contains(spans, span => span.Server == "second" && span.Name.StartsWith("receive ", StringComparison.Ordinal));
        await Waiting.UntilAsync(dashboard.HasMetricsOfBothAsync, "metrics of both servers have come");
    }

    private sealed record Span(string Server, string Trace, string Id, string Parent, string Name);

    private sealed class Dashboard(Process process, HttpClient http, Uri receiver) : IAsyncDisposable
    {
        public static async Task<Dashboard> StartAsync()
        {
            var (page, grpc) = (new Uri($"http://127.0.0.1:{FreePort.Find()}"), new Uri($"http://127.0.0.1:{FreePort.Find()}"));
            var start = new ProcessStartInfo(Needs.Dashboard)
            {
                WorkingDirectory = Path.GetDirectoryName(Needs.Dashboard)!,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                Environment =
                {
                    ["ASPNETCORE_URLS"] = $"{page}",
                    ["ASPIRE_DASHBOARD_OTLP_ENDPOINT_URL"] = $"{grpc}",
                    ["ASPIRE_DASHBOARD_UNSECURED_ALLOW_ANONYMOUS"] = "true",
                    ["Dashboard__Api__Enabled"] = "true",
                },
            };
            var process = Process.Start(start)!;
            process.BeginOutputReadLine();
            process.BeginErrorReadLine();
            var dashboard = new Dashboard(process, new HttpClient { BaseAddress = page }, grpc);
            await Waiting.UntilAsync(dashboard.AnswersAsync, "the dashboard answers");
            return dashboard;
        }

        /// <summary>One of several servers that share the work, which tells the dashboard of itself.</summary>
        public Task<ChildServer> ServerAsync(string name, ChildServer queue)
        {
            var command = TestServers.PubSub(queue.Address, "--Queue:Nodes:Enabled", "true");
            return TestServers.StartAsync(command with
            {
                Environment = new Dictionary<string, string>(command.Environment!)
                {
                    ["OTEL_EXPORTER_OTLP_ENDPOINT"] = $"{receiver}",
                    ["OTEL_SERVICE_NAME"] = name,
                    ["OTEL_METRIC_EXPORT_INTERVAL"] = "1000",
                    ["OTEL_BSP_SCHEDULE_DELAY"] = "200",
                },
            });
        }

        public async Task<IReadOnlyList<Span>> SpansAsync()
        {
            using var answer = JsonDocument.Parse(await http.GetStringAsync(new Uri("/api/telemetry/spans", UriKind.Relative)));
            return
            [
                .. from resource in answer.RootElement.GetProperty("data").GetProperty("resourceSpans").EnumerateArray()
                   let server = resource.GetProperty("resource").GetProperty("attributes").EnumerateArray()
                       .Single(one => one.GetProperty("key").GetString() == "service.name").GetProperty("value").GetProperty("stringValue")
                   from scope in resource.GetProperty("scopeSpans").EnumerateArray()
                   from span in scope.GetProperty("spans").EnumerateArray()
                   select new Span(
                       server.GetString()!, Text(span, "traceId"), Text(span, "spanId"), Text(span, "parentSpanId"), Text(span, "name")),
            ];
        }

        public async Task<bool> HasMetricsOfBothAsync()
        {
            using var answer = JsonDocument.Parse(await http.GetStringAsync(new Uri("/api/telemetry/resources", UriKind.Relative)));
            return answer.RootElement.EnumerateArray().Count(one => one.GetProperty("hasMetrics").GetBoolean()) == 2;
        }

        public async ValueTask DisposeAsync()
        {
            http.Dispose();
            process.Kill();
            await process.WaitForExitAsync();
            process.Dispose();
        }

        private async Task<bool> AnswersAsync()
        {
            try
            {
                await http.GetStringAsync(new Uri("/api/telemetry/resources", UriKind.Relative));
                return true;
            }
            catch (HttpRequestException)
            {
                return false;
            }
        }

        private static string Text(JsonElement span, string name) => span.TryGetProperty(name, out var text) ? text.GetString() ?? "" : "";
    }
}
