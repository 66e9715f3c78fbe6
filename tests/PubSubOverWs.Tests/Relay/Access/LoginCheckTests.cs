using System.Collections.Concurrent;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

public sealed class LoginCheckTests
{
    private const int Most = 8;

    private static readonly User Alice = new("alice", PasscodeHash.CreateUnmatchable(), [], []);
    private static readonly User Bob = new("bob", PasscodeHash.CreateUnmatchable(), [], []);
    private static readonly User Stranger = new("", PasscodeHash.CreateUnmatchable(), [], []);

    private readonly FakeTime _time = new();
    private readonly ConcurrentQueue<string> _checked = [];

    [Fact]
    public async Task Ten_thousand_logins_of_one_user_at_once_cost_one_check()
    {
        using var held = new ManualResetEventSlim();
        var check = Held(held);

        var logins = Enumerable.Range(0, 10_000).Select(_ => check.CheckAsync(Alice, "alice", "right").AsTask()).ToArray();
        held.Set();

        Assert.All(await Task.WhenAll(logins).Patiently(), outcome => Assert.Equal(LoginOutcome.Right, outcome));
        Assert.Single(_checked);
    }

    [Fact]
    public async Task A_right_passcode_is_remembered_for_a_while_and_then_checked_again()
    {
        var check = Immediate();
        await check.CheckAsync(Alice, "alice", "right");

        _time.Advance(LoginCheck.Remembered - TimeSpan.FromSeconds(1));
        Assert.True(check.CheckAsync(Alice, "alice", "right").AsTask().IsCompletedSuccessfully);
        _time.Advance(TimeSpan.FromSeconds(1));
        await check.CheckAsync(Alice, "alice", "right");

        Assert.Equal(2, _checked.Count);
    }

    [Fact]
    public async Task A_wrong_passcode_is_checked_each_time_and_is_not_remembered()
    {
        var check = Immediate();
        await check.CheckAsync(Alice, "alice", "right");

        Assert.Equal(LoginOutcome.Wrong, await check.CheckAsync(Alice, "alice", "wrong"));
        Assert.Equal(LoginOutcome.Wrong, await check.CheckAsync(Alice, "alice", "wrong"));

        Assert.Equal(["right", "wrong", "wrong"], _checked);
    }

    [Fact]
    public async Task A_stranger_is_checked_as_a_user_is_and_two_strangers_share_no_check()
    {
        using var held = new ManualResetEventSlim();
        var check = Held(held);

        var logins = new[] { check.CheckAsync(Stranger, "carol", "same").AsTask(), check.CheckAsync(Stranger, "dave", "same").AsTask() };
        held.Set();

        Assert.All(await Task.WhenAll(logins).Patiently(), outcome => Assert.Equal(LoginOutcome.Wrong, outcome));
        Assert.Equal(["same", "same"], _checked);
    }

    [Fact]
    public async Task A_passcode_that_is_remembered_of_one_user_is_not_accepted_of_another()
    {
        var check = Immediate();
        await check.CheckAsync(Alice, "alice", "right");
        await check.CheckAsync(Bob, "bob", "right");

        Assert.Equal(["right", "right"], _checked);
    }

    [Fact]
    public async Task The_numbers_of_running_and_of_waiting_checks_are_limited()
    {
        using var held = new ManualResetEventSlim();
        var (running, most) = (0, 0);
        var check = new LoginCheck(
            (_, passcode) =>
            {
                lock (_checked)
                    most = Math.Max(most, ++running);
                held.Wait();
                lock (_checked)
                    running--;
                return passcode.Length > 100;
            },
            atOnce: 2, Most, _time);

        var logins = Enumerable.Range(0, Most).Select(i => check.CheckAsync(Alice, "alice", $"wrong {i}").AsTask()).ToArray();
        Assert.Equal(LoginOutcome.Busy, await check.CheckAsync(Alice, "alice", "one more"));
        held.Set();

        Assert.All(await Task.WhenAll(logins).Patiently(), outcome => Assert.Equal(LoginOutcome.Wrong, outcome));
        Assert.InRange(most, 1, 2);
        Assert.Equal(LoginOutcome.Wrong, await check.CheckAsync(Alice, "alice", "one more"));
    }

    [Theory]
    [InlineData(PasscodeHash.Advised, 32)]
    [InlineData(PasscodeHash.MaxIterations, 6)]
    public void The_more_a_check_costs_the_fewer_may_wait(int iterations, int most) =>
        Assert.Equal(most, LoginCheck.ComputeMaxUnderWay(iterations));

    private LoginCheck Immediate() => new(Matches, atOnce: 1, Most, _time);

    private LoginCheck Held(ManualResetEventSlim held) => new(
        (user, passcode) =>
        {
            held.Wait();
            return Matches(user, passcode);
        },
        atOnce: 1, Most, _time);

    private bool Matches(User user, string passcode)
    {
        _checked.Enqueue(passcode);
        return user != Stranger && passcode == "right";
    }
}
