namespace PubSubOverWs.Record.Formats;

/// <summary>A record folder that cannot be used. The message is one sentence: which file, what is wrong, what to do.</summary>
public sealed class RecordException : Exception
{
    /// <summary>The advice about a damaged folder, as the end of a sentence.</summary>
    public const string Mend = "copy the folder again from its source";

    public RecordException(string message)
        : base(message)
    {
    }

    public RecordException(string message, Exception inner)
        : base(message, inner)
    {
    }

    /// <summary>True: the disk is full or rights are missing; what was written before is as it should be.</summary>
    public bool IsUnwritable { get; init; }

    /// <exception cref="RecordException"><paramref name="holds"/> is false.</exception>
    internal static void ThrowUnless(bool holds, string otherwise)
    {
        if (!holds)
            throw new RecordException(otherwise);
    }

    /// <summary>For a file that exists but cannot be read.</summary>
    internal static RecordException Unreadable(string name, Exception error) =>
        new($"{name} cannot be read ({error.Message.TrimEnd('.')}): check its permissions, or {Mend}.", error);

    /// <summary>For a file that is no JSON, or none of its kind.</summary>
    internal static RecordException Damaged(string name, JsonException error, string mend)
    {
        var place = error.Path is null or "$" ? "" : $", at {error.Path}";
        return new($"{name} is cut or damaged in line {(error.LineNumber ?? 0) + 1}{place}: {mend}.", error);
    }

    /// <summary>For a file that the system does not let us write.</summary>
    internal static RecordException Unwritable(string name, Exception error) => new(
        $"{name} cannot be written ({error.Message.TrimEnd('.')}): check the permissions and the free space of its folder.", error)
    { IsUnwritable = true };
}

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

    /// <exception cref="ScenarioException"><paramref name="holds"/> is false.</exception>
    public static void ThrowUnless(bool holds, string otherwise)
    {
        if (!holds)
            throw new ScenarioException(otherwise);
    }
}
