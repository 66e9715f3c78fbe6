using System.Net;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Access;

public sealed class FailedLoginsTests
{
    private static readonly IPAddress Here = IPAddress.Parse("192.0.2.1");

    private readonly FakeTime _time = new();

    [Fact]
    public void After_so_many_wrong_logins_an_address_is_locked_out_for_a_while()
    {
        var failed = new FailedLogins<IPAddress>(2, TimeSpan.FromMinutes(1), _time);
        failed.Add(Here);
        Assert.Equal(TimeSpan.Zero, failed.LockedOut(Here));
        failed.Add(Here);
        Assert.Equal(TimeSpan.FromMinutes(1), failed.LockedOut(Here));
        Assert.Equal(TimeSpan.Zero, failed.LockedOut(IPAddress.Loopback));

        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(TimeSpan.Zero, failed.LockedOut(Here));
        failed.Add(Here);
        Assert.Equal(TimeSpan.Zero, failed.LockedOut(Here));
    }

    [Fact]
    public void No_address_is_locked_out_if_the_lock_out_is_off()
    {
        var failed = new FailedLogins<IPAddress>(0, TimeSpan.FromMinutes(1), _time);
        for (var i = 0; i < 100; i++)
            failed.Add(Here);
        Assert.Equal(TimeSpan.Zero, failed.LockedOut(Here));
    }

    [Fact]
    public void The_oldest_of_very_many_addresses_is_forgotten()
    {
        var failed = new FailedLogins<IPAddress>(1, TimeSpan.FromMinutes(1), _time);
        for (var i = 0; i <= FailedLogins<IPAddress>.MaxKnown; i++)
            failed.Add(new IPAddress(i));
        Assert.Equal(TimeSpan.Zero, failed.LockedOut(new IPAddress(0)));
        Assert.NotEqual(TimeSpan.Zero, failed.LockedOut(new IPAddress(1)));
    }

    [Fact]
    public async Task A_user_who_logged_in_recently_is_accepted_despite_wrong_logins_from_the_same_address()
    {
        using var folder = new AccessFolder();
        await using var server = Serve(folder, mostFailed: 1);
        Assert.Null(await ErrorAsync(server, AccessFolder.Passcode));
        Assert.Equal("The login or the passcode is wrong: check both.", await ErrorAsync(server, "wrong", "nobody"));

        Assert.Equal("Too many logins from your address were wrong: try again in 60 s.", await ErrorAsync(server, "wrong", "nobody"));
        Assert.Null(await ErrorAsync(server, AccessFolder.Passcode));
        Assert.Equal(new LoginStats(Right: 2, Wrong: 1, Busy: 0, LockedOut: 1), server.Meter.Logins);
    }

    [Fact]
    public async Task Passcodes_cannot_be_tried_faster_at_an_address_that_is_locked_out()
    {
        using var folder = new AccessFolder();
        await using var server = Serve(folder, mostFailed: 2);
        Assert.Null(await ErrorAsync(server, AccessFolder.Passcode));
        for (var guess = 0; guess < 4; guess++)
            Assert.NotNull(await ErrorAsync(server, $"guess {guess}"));

        // Two wrong ones locked the address out, and two more the passcode that is remembered: the guess that would be right is not told
        // from another.
        Assert.Equal("Too many logins from your address were wrong: try again in 60 s.", await ErrorAsync(server, AccessFolder.Passcode));
        server.Advance(TimeSpan.FromMinutes(1));
        Assert.Null(await ErrorAsync(server, AccessFolder.Passcode));
    }

    [Fact]
    public async Task A_client_with_a_remembered_passcode_is_accepted_though_its_address_is_locked_out()
    {
        using var folder = new AccessFolder();
        var access = folder.Options;
        access.MaxFailedLogins = 1;
        var gate = new Gate(Microsoft.Extensions.Options.Options.Create(access), _time, (_, passcode) => passcode == AccessFolder.Passcode);
        Assert.Equal(LoginOutcome.Wrong, await LogInAsync(Here, "wrong"));
        for (var attempt = 0; attempt < 3; attempt++)
            Assert.Equal(LoginOutcome.LockedOut, await LogInAsync(Here, AccessFolder.Passcode));

        Assert.Equal(LoginOutcome.Right, await LogInAsync(IPAddress.Loopback, AccessFolder.Passcode));
        Assert.Equal(LoginOutcome.Right, await LogInAsync(Here, AccessFolder.Passcode));
        // For five minutes, while the address stays locked out: its last wrong login is never long ago.
        _time.Advance(LoginCheck.Remembered - TimeSpan.FromSeconds(30));
        Assert.Equal(LoginOutcome.Wrong, await LogInAsync(Here, "wrong"));
        _time.Advance(TimeSpan.FromSeconds(30));
        Assert.Equal(LoginOutcome.LockedOut, await LogInAsync(Here, AccessFolder.Passcode));

        async Task<LoginOutcome?> LogInAsync(IPAddress from, string passcode) =>
            (await gate.AdmitAsync("alice", passcode, bearer: null, from)).Outcome;
    }

    private static RelayHarness Serve(AccessFolder folder, int mostFailed)
    {
        var access = folder.Options;
        access.MaxFailedLogins = mostFailed;
        return RelayHarness.Direct(access: access, matches: (user, passcode) => user.Login == "alice" && passcode == AccessFolder.Passcode);
    }

    // Null: it was let in.
    private static async Task<string?> ErrorAsync(RelayHarness server, string passcode, string login = "alice")
    {
        var client = server.Open();
        await client.SendAsync($"CONNECT\naccept-version:1.2\nhost:test\nlogin:{login}\npasscode:{passcode}\n\n\0");
        var answer = await client.ReceiveAsync();
        // In 1.0, which is spoken until CONNECTED, nothing is escaped.
        return answer.Command == StompCommand.Connected ? null : answer.Body;
    }
}
