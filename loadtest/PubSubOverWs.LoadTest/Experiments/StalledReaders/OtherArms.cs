namespace PubSubOverWs.LoadTest.Experiments.StalledReaders;

/// <summary>Each server with every thing that other connections do beside the readers.</summary>
public static class OtherArms
{
    private static readonly string[] Servers = [Relays.Direct, Relays.PubSub];

    private static readonly (Doing Doing, string Suffix, string About)[] Doings =
    [
        (Doing.Away, "-alone", "its readers alone"),
        (Doing.Reading, "-reading", "other connections read as well"),
        (Doing.Stalled, "-stalled", "other connections do not read"),
        (Doing.Disconnected, "-disconnected", "the server has disconnected other connections that did not read"),
    ];

    public static IReadOnlyList<Arm> All { get; } =
    [
        .. from server in Relays.Of(Servers)
           from one in Doings
           select server with { Name = server.Name + one.Suffix, About = one.About },
    ];

    /// <summary>Of each server: others that do not read, and that do, against the readers alone; and these two with each other.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } =
    [
        .. from server in Servers
           from one in new[] { ("-alone", "-stalled"), ("-alone", "-reading"), ("-reading", "-stalled") }
           select new Contrast(server + one.Item1, server + one.Item2),
    ];

    /// <summary>Those of the contrasts that say what stalled readers cost the others.</summary>
    public static IReadOnlyList<Contrast> Judged { get; } =
        [.. Contrasts.Where(one => DoingOf(one.First) == Doing.Away && DoingOf(one.Second) == Doing.Stalled)];

    /// <summary>The behaviour of the other connections in an arm.</summary>
    /// <exception cref="InvalidOperationException">It is none of this experiment.</exception>
    public static Doing DoingOf(string arm) => Doings.Single(one => arm.EndsWith(one.Suffix, StringComparison.Ordinal)).Doing;
}

/// <summary>The behaviour of the connections beside the readers.</summary>
public enum Doing
{
    /// <summary>They are not there.</summary>
    Away,

    /// <summary>They are sent messages, and read them.</summary>
    Reading,

    /// <summary>They are sent messages and read none, after all was filled that is kept for them.</summary>
    Stalled,

    /// <summary>They did not read until the server disconnected them, read to the end then, and have gone.</summary>
    Disconnected,
}
