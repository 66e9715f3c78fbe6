namespace PubSubOverWs.Hosting;

/// <summary>
/// The command line of a server: flags, and settings for the host. The host itself ignores what it does not know; here it is refused, as a
/// misspelt setting would leave its default in force.
/// </summary>
internal sealed class ServerArguments
{
    private const int Done = 0;
    private const int BadUsage = 5;

    private static readonly string[] Help = ["--help", "-h", "-?", "help"];
    private static readonly string[] Version = ["--version", "-v", "version"];

    // What the host, its log and Kestrel read.
    private static readonly string[] HostSettings =
        ["urls", "http_ports", "https_ports", "environment", "contentRoot", "shutdownTimeoutSeconds"];
    private static readonly string[] HostSections = ["Kestrel", "Logging", "AllowedHosts"];

    private readonly List<string> _given = [];
    private readonly List<string> _settings = [];
    private readonly List<string> _asked = [];
    private readonly string? _malformed;

    /// <param name="flags">Words without a value.</param>
    public ServerArguments(string[] args, params string[] flags)
    {
        for (var i = 0; i < args.Length; i++)
        {
            var word = args[i].TrimStart('-', '/');
            var isSwitch = args[i].StartsWith("--", StringComparison.Ordinal) || args[i].StartsWith('/');
            if (flags.Contains(args[i]) || Help.Contains(args[i]) || Version.Contains(args[i]))
                _asked.Add(args[i]);
            else if ((isSwitch || word == args[i]) && word.Split('=', 2) is [{ Length: > 0 } name, var value])
                Add(name, value);
            else if (!isSwitch)
                _malformed ??= $"'{args[i]}' is not a setting: write --NAME VALUE, such as --urls http://127.0.0.1:8080.";
            else if (i + 1 < args.Length && !args[i + 1].StartsWith("--", StringComparison.Ordinal))
                Add(word, args[++i]);
            else
                _malformed ??= $"{args[i]} has no value: write --NAME VALUE, such as --urls http://127.0.0.1:8080.";
        }
    }

    /// <summary>The same for the host: settings that it can read, and the flags behind them, where it takes none for a value.</summary>
    public string[] ForHost => [.. _settings, .. _asked];

    public bool Has(string flag) => _asked.Contains(flag);

    /// <summary>Answers a call that does not start the server: for help or version, or with arguments that are not known.</summary>
    /// <param name="settings">The sections of the configuration with the classes that read them.</param>
    /// <param name="usage">Lines of the help about flags and words of this server.</param>
    /// <returns>The exit code; null: the server is to start.</returns>
    public int? Answer(IReadOnlyList<(string Section, Type Options)> settings, params string[] usage)
    {
        if (_asked.Intersect(Help).Any())
        {
            Console.Out.Write(ServerSettings.Text(settings, usage));
            return Done;
        }
        if (_asked.Intersect(Version).Any())
        {
            Console.Out.WriteLine(ServerSettings.Version);
            return Done;
        }
        if ((_malformed ?? Unknown([.. settings.Select(one => one.Section.Split(':')[0]).Distinct().Order()])) is not { } refusal)
            return null;
        Console.Error.WriteLine(refusal);
        return BadUsage;
    }

    private void Add(string name, string value)
    {
        _given.Add(name);
        _settings.Add($"--{name}={value}");
    }

    private string? Unknown(string[] sections)
    {
        string[] known = [.. HostSettings, .. sections, .. HostSections];
        foreach (var name in _given)
        {
            var first = name.Split(':')[0];
            if (known.Contains(first, StringComparer.OrdinalIgnoreCase))
                continue;
            var meant = known.FirstOrDefault(one => Begins(one, first) || Begins(first, one) || SettingsCheck.IsOneSlip(first, one));
            var end = meant is null ? "." : $", did you mean --{meant}{name[first.Length..]}?";
            return $"There is no setting --{name}{end} This server has {string.Join(", ", HostSettings)}, and the sections "
                + $"{string.Join(", ", sections.Concat(HostSections))}; --help lists them.";
        }
        return null;

        static bool Begins(string word, string with) => word.StartsWith(with, StringComparison.OrdinalIgnoreCase);
    }
}
