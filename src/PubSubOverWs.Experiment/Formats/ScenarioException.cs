namespace PubSubOverWs.Experiment.Formats;

/// <summary>
/// A scenario, or an option that changes one, that cannot be run. The message is one sentence: what is wrong and what is allowed.
/// </summary>
public sealed class ScenarioException : Exception
{
    public ScenarioException(string message)
        : base(message)
    {
    }

    public ScenarioException(string message, Exception inner)
        : base(message, inner)
    {
    }

    /// <summary>The JSON is of another kind than the key takes, such as a text in place of a number.</summary>
    public bool IsOfKind { get; init; }

    /// <param name="holds">What must be so.</param>
    /// <param name="otherwise">The message where it is not.</param>
    /// <exception cref="ScenarioException"><paramref name="holds"/> is false.</exception>
    public static void ThrowUnless(bool holds, string otherwise)
    {
        if (!holds)
            throw new ScenarioException(otherwise);
    }
}
