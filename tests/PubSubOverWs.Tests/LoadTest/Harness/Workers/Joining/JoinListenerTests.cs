using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workers.Joining;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workers.Joining;

/// <summary>Who may join a run, over real sockets.</summary>
public sealed class JoinListenerTests : IAsyncLifetime
{
    private const string Secret = "0123456789abcdef0123456789abcdef";

    private static readonly TimeSpan Long = TimeSpan.FromMinutes(1);

    private readonly FakeTime _time = new();
    private readonly JoinToken _token = new(Secret);
    private readonly ConcurrentQueue<string> _said = [];
    private readonly JoinListener _run;

    public JoinListenerTests() => _run = new JoinListener(
        new IPEndPoint(IPAddress.Loopback, 0), _token, workers: 2, openFiles: 100,
        line =>
        {
            _said.Enqueue(line);
            return Task.CompletedTask;
        },
        _time);

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        await _run.DisposeAsync();
        _token.Dispose();
    }

    [Fact]
    public async Task Load_processes_with_the_token_join_and_get_orders_and_their_clock_is_read()
    {
        Worker[] workers = [Start(), Start()];
        var joined = await _run.AllAsync(Long, CancellationToken.None).Patiently();

        Assert.Equal(["load-1", "load-2"], joined.Select(one => one.Name));
        Assert.All(joined, one => Assert.Equal(IPAddress.Loopback, one.From));
        foreach (var one in joined)
        {
            var reading = (await one.ReadClockAsync(CancellationToken.None).Patiently())!;
            // One machine: both have the same clock.
            Assert.InRange(Math.Abs(reading.There - reading.Here), 0, reading.Bound);
            using var worker = new LoadWorker(new LoadShare(0, 2), one, _time);
            var refused = await Assert.ThrowsAsync<PubSubOverWs.LoadTest.Harness.Processes.ChildException>(
                () => worker.AskAsync<Done>(WorkerOrders.Stop, Done.Value, Long, CancellationToken.None).Patiently());
            Assert.EndsWith("InvalidOperationException: The clients have left.", refused.Message);
        }
        await Task.WhenAll(joined.Select(one => one.DisposeAsync().AsTask())).Patiently();
        await Task.WhenAll(workers.Select(one => one.Running)).Patiently();
        Assert.All(workers, one => Assert.EndsWith("the run has ended\n", one.Output.ToString()));
    }

    [Fact]
    public async Task A_process_that_goes_is_named_with_what_to_do()
    {
        using var leaving = new CancellationTokenSource();
        var workers = new[] { Start(stopping: leaving.Token), Start() };
        var joined = await _run.AllAsync(Long, CancellationToken.None).Patiently();
        await leaving.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => workers[0].Running.Patiently());

        var gone = 0;
        foreach (var one in joined)
        {
            using var worker = new LoadWorker(new LoadShare(one.Number - 1, 2), one, _time);
            var said = await Assert.ThrowsAsync<PubSubOverWs.LoadTest.Harness.Processes.ChildException>(
                () => worker.AskAsync<Done>(WorkerOrders.Stop, Done.Value, Long, CancellationToken.None).Patiently());
            gone += said.Message.Contains(" at 127.0.0.1 cannot be reached any more (", StringComparison.Ordinal)
                && said.Message.EndsWith("start it again when the run is resumed.", StringComparison.Ordinal) ? 1 : 0;
            await one.DisposeAsync().AsTask().Patiently();
        }
        Assert.Equal(1, gone);
        await workers[1].Running.Patiently();
    }

    [Fact]
    public async Task A_process_with_another_token_finds_no_run_of_its_own_and_is_refused()
    {
        using var other = new JoinToken(Secret + "!");
        var refused = await Assert.ThrowsAsync<RefusalException>(() => Start(token: other).Running.Patiently());

        Assert.Equal(
            $"What answers at {Address} is no run with the token of --token-file: give both the same file, and check the address.",
            refused.Message);
        await RefusedAsync("it went away before it had said who it is", "it does not have the token of this run");
        await JoinsStillAsync();
    }

    [Fact]
    public async Task A_client_without_a_certificate_and_one_with_another_get_no_word_of_the_run()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var another = new CertificateRequest("CN=pubsub-over-ws", key, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UnixEpoch, DateTimeOffset.UnixEpoch.AddYears(200));
        foreach (var certificates in (X509CertificateCollection[])[[], [another]])
        {
            using var client = await ConnectAsync();
            await using var secure = new SslStream(client.GetStream());
            // The client takes any peer.
            await Assert.ThrowsAnyAsync<Exception>(async () =>
            {
                await secure.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
                {
                    TargetHost = "any",
                    ClientCertificates = certificates,
                    RemoteCertificateValidationCallback = (_, peer, _, _) => peer is not null,
                });
                await JoinLines.WriteAsync(secure, JoinHello.OfThisProcess(JoinRole.Clock, "a"), CancellationToken.None);
                await JoinLines.ReadAsync<JoinAnswer>(secure, CancellationToken.None).Patiently();
            });
        }
        await RefusedAsync("it does not have the token of this run");
        await Waiting.UntilAsync(() => _run.Refused.Values.Sum() == 2);
        await JoinsStillAsync();
    }

    [Fact]
    public async Task What_another_process_has_sent_is_worth_nothing_when_it_is_sent_again()
    {
        using var recorder = new TcpListener(IPAddress.Loopback, 0);
        recorder.Start();
        var between = (IPEndPoint)recorder.LocalEndpoint;
        var sent = new MemoryStream();
        var joining = OpenAsync(between.Port);
        using (var first = await recorder.AcceptTcpClientAsync())
        using (var second = await ConnectAsync())
        {
            var (from, to) = (first.GetStream(), second.GetStream());
            var copying = to.CopyToAsync(from);
            var buffer = new byte[8_192];
            while (!joining.IsCompleted)
            {
                var reading = from.ReadAsync(buffer).AsTask();
                if (await Task.WhenAny(joining, reading) == joining)
                    break;
                var count = await reading;
                sent.Write(buffer, 0, count);
                await to.WriteAsync(buffer.AsMemory(0, count));
            }
            // As it would have joined.
            Assert.Null((await joining).Refused);
        }

        using var again = await ConnectAsync();
        await again.GetStream().WriteAsync(sent.ToArray());
        await RefusedAsync("it does not have the token of this run", "it went away before it had said who it is");
        await JoinsStillAsync();
    }

    [Fact]
    public async Task A_process_of_another_build_or_with_too_few_open_files_is_told_so()
    {
        var own = JoinHello.OfThisProcess(JoinRole.Clock, "a");
        Assert.Equal(
            $"it is build 00 of version 0.0.1, and the run is build {ThisBuild.Hash} of {ThisProgram.Version}: use copies of one build, or "
                + "one image",
            (await GreetAsync(own with { Build = "00", Version = "0.0.1" })).Refused);
        Assert.Equal(
            "it may open 99 files and its share of the clients needs 100: raise its limit (ulimit -n), or use more load processes",
            (await GreetAsync(own with { OpenFiles = 99 })).Refused);
        Assert.Equal("it has no connection for its clock", (await GreetAsync(own with { Role = JoinRole.Orders })).Refused);
        await JoinsStillAsync();
    }

    [Fact]
    public async Task A_client_that_speaks_plain_text_is_told_so()
    {
        using var http = new HttpClient();
        using var answer = await http.GetAsync(new Uri($"http://127.0.0.1:{_run.EndPoint.Port}/"));

        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        Assert.Equal("Load processes join here, by TLS.\n", await answer.Content.ReadAsStringAsync());
        await RefusedAsync("it did not speak TLS");
        await JoinsStillAsync();
    }

    [Fact]
    public async Task A_thousand_connections_that_say_nothing_hinder_nobody_and_are_closed()
    {
        var silent = new List<TcpClient>();
        for (var i = 0; i < 1_000; i++)
            silent.Add(await ConnectAsync());
        await JoinsStillAsync();

        await Waiting.UntilAsync(
            () => silent.All(one => one.Client.Poll(0, SelectMode.SelectRead)), between: () => _time.Advance(TimeSpan.FromSeconds(1)));
        Assert.All(silent, one => Assert.Equal(0, one.Client.Receive(new byte[1])));
        silent.ForEach(one => one.Dispose());
    }

    [Theory]
    [InlineData("{}\n", "it is no load process (")]
    [InlineData("GET / HTTP/1.1\n", "it is no load process (")]
    public async Task A_first_line_that_is_none_is_refused(string line, string why)
    {
        using var client = await ConnectAsync();
        await using var secure = await _token.ConnectAsync(client.GetStream(), CancellationToken.None);
        await secure.WriteAsync(Encoding.UTF8.GetBytes(line));

        await Waiting.UntilAsync(() => _run.Refused.Keys.Any(one => one.StartsWith(why, StringComparison.Ordinal)));
        await JoinsStillAsync();
    }

    [Fact]
    public async Task A_line_without_end_is_not_read_to_its_end()
    {
        using var client = await ConnectAsync();
        await using var secure = await _token.ConnectAsync(client.GetStream(), CancellationToken.None);
        await secure.WriteAsync(new byte[5_000]);

        await RefusedAsync("it is no load process (a line of more than 4096 bytes)");
    }

    [Fact]
    public async Task A_run_whose_load_processes_do_not_come_says_how_many_did()
    {
        var first = Start();
        await JoinedAsync("load-1");
        var waiting = _run.AllAsync(TimeSpan.FromSeconds(90), CancellationToken.None);
        var refused = await Assert.ThrowsAsync<RefusalException>(() => waiting.WhileAsync(() => _time.Advance(TimeSpan.FromSeconds(1))));

        Assert.Equal(
            "Only 1 of 2 load processes joined within 90 s: see where the others were started what they say, or wait longer with "
                + "--join-within.",
            refused.Message);
        Assert.False(first.Running.IsCompleted);
    }

    [Fact]
    public async Task A_process_that_goes_while_others_are_waited_for_leaves_its_place_to_another()
    {
        using var leaving = new CancellationTokenSource();
        var first = Start(stopping: leaving.Token);
        await JoinedAsync("load-1");
        var waiting = _run.AllAsync(TimeSpan.FromDays(1), CancellationToken.None);
        await leaving.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first.Running.Patiently());
        await Waiting.UntilAsync(
            () => _said.Contains("load-1 from 127.0.0.1 has gone away: its place is free"),
            between: () => _time.Advance(TimeSpan.FromSeconds(1)));

        Worker[] workers = [Start(), Start()];
        var joined = await waiting.Patiently();
        Assert.Equal(["load-1", "load-2"], joined.Select(one => one.Name));
        await Task.WhenAll(joined.Select(one => one.DisposeAsync().AsTask())).Patiently();
        await Task.WhenAll(workers.Select(one => one.Running)).Patiently();
    }

    [Fact]
    public void A_token_that_can_be_guessed_is_refused()
    {
        var file = Path.GetTempFileName();
        File.WriteAllText(file, "secret\n");

        var refused = Assert.Throws<RefusalException>(() => JoinToken.Read(file));
        File.Delete(file);
        Assert.Equal(
            $"The token in {file} of --token-file has 6 characters and needs 32 that nobody can guess: make one with openssl rand -hex 32 "
                + $"> {file}",
            refused.Message);
    }

    private Uri Address => new($"https://127.0.0.1:{_run.EndPoint.Port}/");

    private Worker Start(JoinToken? token = null, CancellationToken stopping = default)
    {
        var output = new StringWriter { NewLine = "\n" };
        var terminal = new Terminal(output, TextWriter.Null, IsLive: false, TimeProvider.System);
        var program = new JoinProgram(Address, token ?? _token, terminal);
        return new Worker(output, program.RunAsync(Long, _ => throw new NotSupportedException(), stopping));
    }

    private Task JoinedAsync(string name) => Waiting.UntilAsync(
        () => _said.Any(line => line.StartsWith($"{name} from 127.0.0.1: ", StringComparison.Ordinal)));

    // Whatever was refused, two processes join, and a third is told that there are two.
    private async Task JoinsStillAsync()
    {
        Worker[] workers = [Start(), Start()];
        var joined = await _run.AllAsync(Long, CancellationToken.None).Patiently();
        var third = await Assert.ThrowsAsync<RefusalException>(() => Start().Running.Patiently());
        Assert.EndsWith(" has refused this load process: the run has its 2 load processes already.", third.Message);
        await Task.WhenAll(joined.Select(one => one.DisposeAsync().AsTask())).Patiently();
        await Task.WhenAll(workers.Select(one => one.Running)).Patiently();
    }

    private async Task RefusedAsync(params string[] either)
    {
        await Waiting.UntilAsync(() => _run.Refused.Keys.Any(either.Contains));
        // It is counted, and then said.
        await Waiting.UntilAsync(() => either.Any(why => _said.Contains($"refused a connection: {why}")));
    }

    private async Task<TcpClient> ConnectAsync(int? port = null)
    {
        var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port ?? _run.EndPoint.Port);
        return client;
    }

    private Task<JoinAnswer> OpenAsync(int port) => GreetAsync(JoinHello.OfThisProcess(JoinRole.Clock, "b"), port);

    private async Task<JoinAnswer> GreetAsync(JoinHello hello, int? port = null)
    {
        using var client = await ConnectAsync(port);
        await using var secure = await _token.ConnectAsync(client.GetStream(), CancellationToken.None);
        await JoinLines.WriteAsync(secure, hello, CancellationToken.None);
        return await JoinLines.ReadAsync<JoinAnswer>(secure, CancellationToken.None).Patiently();
    }

    private sealed record Worker(StringWriter Output, Task Running);
}
