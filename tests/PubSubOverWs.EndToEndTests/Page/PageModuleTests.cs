using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.EndToEndTests.Page;

/// <summary>The modules of the page under Node.js, without a browser.</summary>
public sealed class PageModuleTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [NodeTheory]
    [InlineData("page/stomp.test.mjs")]
    [InlineData("page/session.test.mjs")]
    [InlineData("page/arrivals.test.mjs")]
    [InlineData("page/users.test.mjs")]
    public Task A_module_of_the_page_does_what_its_tests_say(string tests) => NodeProject.TestAsync(tests);

    [NodeFact]
    public async Task The_samples_of_a_measurement_are_read_as_those_of_a_record()
    {
        await NodeProject.TestAsync("page/measure.test.mjs", ("SAMPLES", RecordFiles.Samples(_folder.Path)));

        Sample[] samples = [.. SampleFile.Read(_folder.Path, [new Flow("message", "publisher", "subscriber", LatencyFrom.Due)])];
        Assert.All(samples, sample => Assert.Equal(("direct", 1), (sample.Arm, sample.Iteration)));
        Attempt[] attempts = [.. samples.Select(sample => sample.Attempt)];
        Assert.Equal(
            [Outcome.Delivered, Outcome.Late, Outcome.Refused, Outcome.LostAcknowledged, Outcome.LostUnacknowledged, Outcome.Refused],
            attempts.Select(attempt => attempt.Outcome));
        Assert.Equal(
            [Cause.None, Cause.Deadline, Cause.NoSubscriber, Cause.Deadline, Cause.ServerClosed, Cause.ServerClosed],
            attempts.Select(attempt => attempt.Cause));
        Assert.Equal(TimeSpan.FromMicroseconds(12.3), attempts[0].Sent);
        Assert.All(attempts.Where((_, number) => number != 2), one => Assert.Equal(one, Accounted(one)));
    }

    public void Dispose() => _folder.Dispose();

    // What the load runner's accounting makes of it. A refusal by the broker needs the cause that only the receipt had.
    private static Attempt Accounted(Attempt one) => Accountant.Classify(
        new Observation(
            one.MessageId, one.Publisher, one.Recipient, one.Due, one.Sent, one.Receipt, Taken: one.Receipt is not null, one.Received,
            one.Cause == Cause.Deadline ? Cause.None : one.Cause),
        TimeSpan.FromSeconds(1), QueueState.Gone);
}
