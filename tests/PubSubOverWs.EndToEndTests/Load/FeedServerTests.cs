using System.Net;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.Transports.Load;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Load;

/// <summary>The feed server as clients of the framework see it.</summary>
public sealed class FeedServerTests : IAsyncLifetime
{
    private ChildServer _server = null!;
    private HttpClient _http = null!;

    public async Task InitializeAsync()
    {
        _server = await ChildServer.StartAsync(FeedServer.ChildCommand, new ChildOptions(), CancellationToken.None);
        _http = new HttpClient { BaseAddress = _server.Address };
    }

    public async Task DisposeAsync()
    {
        _http.Dispose();
        await _server.DisposeAsync();
    }

    [Fact]
    public async Task Both_versions_of_HTTP_are_served_at_one_address_and_a_poll_that_names_what_the_client_has_is_answered_again()
    {
        Assert.Equal("", await PollAsync(HttpVersion.Version20, ""));
        await MeasureAsync(0, 1, 2);

        Assert.Equal("0 1 2", await PollAsync(HttpVersion.Version20, ""));
        Assert.Equal("", await PollAsync(HttpVersion.Version11, ""));
        Assert.Equal("1 2", await PollAsync(HttpVersion.Version11, "&after=0"));
        Assert.Equal("1 2", await PollAsync(HttpVersion.Version20, "&after=0"));
        Assert.Equal("", await PollAsync(HttpVersion.Version20, "&after=2"));
    }

    [Fact]
    public async Task An_event_source_that_comes_back_gets_what_came_after_the_last_event_that_it_names()
    {
        // The sensor is known from its first client on.
        await PollAsync(HttpVersion.Version11, "");
        await MeasureAsync(0, 1, 2);
        using var request = new HttpRequestMessage(HttpMethod.Get, $"{FeedServer.EventsPath}?channel=1");
        request.Headers.Add(FeedServer.LastEventId, "00000000");

        using var response = await _http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        using var events = new StreamReader(await response.Content.ReadAsStreamAsync());
        var lines = new List<string>();
        while (lines.Count < 8)
            lines.Add((await events.ReadLineAsync())!);

        Assert.Equal("text/event-stream", response.Content.Headers.ContentType!.MediaType);
        Assert.Equal(["retry: 0", "", "id: 00000001", "data: 00000001", "", "id: 00000002", "data: 00000002", ""],
            lines.Select(line => line.StartsWith("data", StringComparison.Ordinal) ? line[..14] : line));
    }

    private async Task MeasureAsync(params int[] numbers)
    {
        using var lines = new ByteArrayContent([.. numbers.SelectMany(number => SensorLines.Write(1, number))]);
        using var response = await _http.PostAsync(new Uri(FeedServer.SensorPath, UriKind.Relative), lines);
        response.EnsureSuccessStatusCode();
    }

    private async Task<string> PollAsync(Version version, string after)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, $"{FeedServer.PollPath}?client=a&channel=1&wait=0{after}")
        {
            Version = version,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        using var response = await _http.SendAsync(request);
        Assert.Equal((HttpStatusCode.OK, version), (response.StatusCode, response.Version));
        var bytes = await response.Content.ReadAsByteArrayAsync();
        return string.Join(' ', bytes.Chunk(Measurement.Bytes).Select(one => int.Parse(
            Encoding.ASCII.GetString(one)[..8], System.Globalization.CultureInfo.InvariantCulture)));
    }
}
