namespace PubSubOverWs.LoadTest.Experiments.Transports;

/// <summary>Whether a transport is slower than another, by the published test.</summary>
public enum PublishedOrder
{
    Undecided,
    Slower,
    Faster,
}

/// <summary>
/// The published test: the difference of two means with unequal variances (Welch), one-sided, over the messages of one test. Messages are
/// no independent draws, so it is shown beside the judgement on tests, and judges nothing.
/// </summary>
public static class PublishedTestOfMessages
{
    /// <param name="reference">The messages of the reference.</param>
    /// <param name="other">Those of the transport that may be slower or faster.</param>
    /// <param name="confidence">Of each of the two one-sided tests, such as 0.99.</param>
    public static PublishedOrder Decide(Moments reference, Moments other, double confidence) =>
        WelchTest.Test(reference, other) is not { } test ? PublishedOrder.Undecided
        : StudentTails.Upper(test.T, test.DegreesOfFreedom) < 1 - confidence ? PublishedOrder.Slower
        : StudentTails.Upper(-test.T, test.DegreesOfFreedom) < 1 - confidence ? PublishedOrder.Faster
        : PublishedOrder.Undecided;
}
