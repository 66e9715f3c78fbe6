using System.Buffers;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Logging.Abstractions;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Transport;

public sealed class LeanConnectionTests : IAsyncLifetime
{
    private SocketPair _pair = null!;

    private IFeatureCollection Features => _pair.Server.Features;

    public async Task InitializeAsync() => _pair = await SocketPair.ConnectAsync();

    [Fact]
    public void It_has_the_features_of_a_connection_until_others_take_their_place()
    {
        Assert.Same(_pair.Server, Features.Get<IConnectionLifetimeFeature>());
        Assert.Same(_pair.Server, Features[typeof(IMemoryPoolFeature)]);
        Assert.Null(Features.Get<IConnectionUserFeature>());

        var other = new Other();
        for (var times = 0; times < 2; times++)
            Features.Set<IConnectionLifetimeFeature>(other);

        Assert.Same(other, Features.Get<IConnectionLifetimeFeature>());
        Assert.Same(other, Assert.Single(Features).Value);
    }

    [Fact]
    public void A_feature_that_is_taken_out_is_gone()
    {
        Features.Set<IConnectionUserFeature>(new Other());
        Features.Set<IConnectionUserFeature>(null);
        Assert.Null(Features.Get<IConnectionUserFeature>());
        Features.Set<IMemoryPoolFeature>(null);
        Assert.Null(Features.Get<IMemoryPoolFeature>());
    }

    [Fact]
    public void It_takes_as_many_features_as_it_is_given()
    {
        Type[] keys = [.. typeof(object).Assembly.GetTypes().Take(20)];
        foreach (var key in keys)
            Features[key] = key;
        Assert.All(keys, key => Assert.Same(key, Features[key]));
    }

    [Fact]
    public async Task That_it_is_closed_is_told_to_those_who_ask_before_and_after()
    {
        var before = _pair.Server.ConnectionClosed;
        Assert.False(before.IsCancellationRequested);
        _pair.Client.Dispose();
        await _pair.Server.DisposeAsync();
        Assert.True(before.IsCancellationRequested);
        Assert.True(_pair.Server.ConnectionClosed.IsCancellationRequested);
    }

    [Fact]
    public void Its_addresses_are_those_of_the_other_end()
    {
        Assert.Equal(_pair.Client.LocalEndPoint, _pair.Server.RemoteEndPoint);
        Assert.Equal(_pair.Client.RemoteEndPoint, _pair.Server.LocalEndPoint);
    }

    [Fact]
    public async Task A_local_address_that_is_asked_for_too_late_is_not_known()
    {
        _pair.Client.Dispose();
        await _pair.Server.DisposeAsync();
        Assert.Null(_pair.Server.LocalEndPoint);
        Assert.NotNull(_pair.Server.RemoteEndPoint);
    }

    [Fact]
    public async Task A_connection_that_is_done_ends_with_what_was_written_and_is_closed_when_the_client_ends()
    {
        _pair.Server.Output.Write("abc"u8);
        await _pair.Server.Output.FlushAsync();
        var closing = _pair.Server.DisposeAsync().AsTask();

        Assert.Equal("abc", await ReadAllAsync());
        Assert.False(closing.IsCompleted);
        _pair.Client.Shutdown(SocketShutdown.Send);
        await closing.Patiently();
    }

    [Fact]
    public async Task A_client_that_goes_on_and_on_after_the_end_is_cut_before_all_of_it_is_read()
    {
        var closing = _pair.Server.DisposeAsync().AsTask();
        var sending = Task.Run(async () =>
        {
            for (var mebibyte = 0; mebibyte < 64; mebibyte++)
                await _pair.SendAsync(new string('x', 1 << 20));
        });

        await closing.Patiently();
        await Assert.ThrowsAsync<SocketException>(() => sending.Patiently());
    }

    [Fact]
    public async Task A_connection_that_is_cut_resets_its_client()
    {
        _pair.Server.Abort();
        await Assert.ThrowsAsync<SocketException>(() => _pair.Client.ReceiveAsync(new byte[1]));
    }

    [Fact]
    public async Task A_connection_that_is_taken_is_closed_when_who_took_it_is_done_and_not_by_the_web_server()
    {
        var serving = new TaskCompletionSource();
        Assert.True(_pair.Server.TryTake(serving.Task, NullLogger.Instance));
        Features.Set<IConnectionUserFeature>(new Other());
        await _pair.Server.DisposeAsync();
        var ended = _pair.Taken.EndAsync();

        Assert.Null(Features.Get<IConnectionUserFeature>());
        _pair.Server.Output.Write("abc"u8);
        await _pair.Server.Output.FlushAsync();
        Assert.False(ended.IsCompleted);
        serving.SetResult();

        Assert.Equal("abc", await ReadAllAsync());
        _pair.Client.Dispose();
        await ended.Patiently();
    }

    [Fact]
    public async Task That_serving_a_taken_connection_failed_is_logged_and_it_is_closed()
    {
        var log = new RelayHarness.RecordingLog();
        Assert.True(_pair.Server.TryTake(Task.FromException(new InvalidOperationException("why")), log));

        Assert.Equal(0, await _pair.Client.ReceiveAsync(new byte[1]));
        Assert.Contains($"{_pair.Client.LocalEndPoint} failed unexpectedly", Assert.Single(log.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_connection_with_something_between_is_not_taken()
    {
        _pair.Server.Transport = new PooledTransport(_pair.Server);
        Assert.False(_pair.Server.TryTake(Task.CompletedTask, NullLogger.Instance));
        await _pair.Taken.EndAsync().Patiently();
    }

    public async Task DisposeAsync() => await _pair.DisposeAsync();

    private async Task<string> ReadAllAsync()
    {
        var (buffer, all) = (new byte[100], new StringBuilder());
        int count;
        while ((count = await _pair.Client.ReceiveAsync(buffer).Patiently()) > 0)
            all.Append(Encoding.ASCII.GetString(buffer, 0, count));
        return all.ToString();
    }

    private sealed class Other : IConnectionLifetimeFeature, IConnectionUserFeature
    {
        public CancellationToken ConnectionClosed { get; set; }

        public System.Security.Claims.ClaimsPrincipal? User { get; set; }

        public void Abort()
        {
        }
    }
}
