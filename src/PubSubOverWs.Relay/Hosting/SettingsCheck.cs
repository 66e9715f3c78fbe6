using System.ComponentModel;
using System.Reflection;
using System.Text.Json;
using Microsoft.Extensions.Configuration.EnvironmentVariables;
using Microsoft.Extensions.Configuration.Json;
// Aliases, because one of the two projects that compile this file imports the namespace everywhere, and the other does not.
using IConfiguration = Microsoft.Extensions.Configuration.IConfiguration;
using IConfigurationRoot = Microsoft.Extensions.Configuration.IConfigurationRoot;
using IConfigurationSection = Microsoft.Extensions.Configuration.IConfigurationSection;

namespace PubSubOverWs.Hosting;

/// <summary>
/// Refuses settings that no class reads, wherever they are from: a misspelt setting would leave its default in force. Other programs put
/// sections into the environment, too, so that an unknown section is refused only if its name is one slip away from one of this server.
/// </summary>
internal static class SettingsCheck
{
    // Of a shorter name, such as Sqs, more words are one slip away: there a setting must be known as well.
    private const int ShortName = 4;

    /// <summary>Why a setting cannot be used: it is not known, or cannot be read as what it is. Null: all can be.</summary>
    /// <param name="settings">The sections of the configuration with the classes that read them.</param>
    public static string? Refusal(IConfiguration configuration, IReadOnlyList<(string Section, Type Options)> settings)
    {
        var known = settings.ToLookup(one => one.Section, one => one.Options, StringComparer.OrdinalIgnoreCase);
        foreach (var section in configuration.GetChildren().Where(one => !known.Contains(one.Key)))
        {
            if (known.FirstOrDefault(one => IsMeant(section, one.Key, one)) is { Key: var meant })
                return $"There is no section {section.Path}{Source(configuration, section)}, did you mean {meant}?";
        }
        return known.Select(one => Refusal(configuration, configuration.GetSection(one.Key), one, settings))
            .FirstOrDefault(refusal => refusal is not null);
    }

    /// <summary>
    /// One letter too many, too few or wrong, or two that are swapped; upper and lower case are alike. False: none, or more.
    /// </summary>
    public static bool IsOneSlip(string word, string name)
    {
        var left = word.ToUpperInvariant();
        var right = name.ToUpperInvariant();
        var start = left.AsSpan().CommonPrefixLength(right);
        left = left[start..];
        right = right[start..];
        var end = left.Reverse().Zip(right.Reverse()).TakeWhile(pair => pair.First == pair.Second).Count();
        return (left[..^end], right[..^end]) switch
        {
            ("", "") => false,
            ({ Length: <= 1 }, { Length: <= 1 }) => true,
            ([var a, var b], [var c, var d]) => (a, b) == (d, c),
            _ => false,
        };
    }

    /// <summary>For a file of settings that the host cannot read.</summary>
    public static string Sentence(InvalidDataException unreadable)
    {
        var where = unreadable.GetBaseException() is JsonException { LineNumber: { } line, BytePositionInLine: { } column }
            ? $"line {line + 1}, column {column + 1} is not the JSON that is expected there"
            : unreadable.GetBaseException().Message.TrimEnd('.');
        return $"{unreadable.Message.TrimEnd('.')}: {where}.";
    }

    private static bool IsMeant(IConfigurationSection section, string name, IEnumerable<Type> options) =>
        IsOneSlip(section.Key, name)
            && section.GetChildren().Any(value => name.Length > ShortName || Find(Readable(options), value.Key) is not null);

    private static string? Refusal(
        IConfiguration configuration, IConfigurationSection section, IEnumerable<Type> options,
        IReadOnlyList<(string Section, Type Options)> settings)
    {
        var known = Readable(options);
        foreach (var value in section.GetChildren())
        {
            if (Find(known, value.Key) is not { } setting)
                return Moved(value, settings) is { } now
                    ? $"There is no setting {value.Path}{Source(configuration, value)}: it is {now}."
                    : Unknown(value, section.Path, known, Source(configuration, value));
            if (ServerSettings.IsValue(setting.PropertyType) && value.GetChildren().FirstOrDefault() is { } below)
                return $"There is no setting {below.Path}{Source(configuration, below)}: {value.Path} has none below it.";
            if (value.Value is { Length: > 0 } text && ServerSettings.Kind(setting.PropertyType) is { } kind
                && !CanRead(setting.PropertyType, text))
                return $"{value.Path} is '{text}'{Source(configuration, value)}, and must be {kind}"
                    + $"{(ServerSettings.Range(setting) is { Length: > 0 } range ? $", {range}" : "")}.";
        }
        return null;
    }

    private static string Unknown(IConfigurationSection value, string section, PropertyInfo[] known, string source)
    {
        var meant = known.FirstOrDefault(one => IsOneSlip(value.Key, one.Name)
            || one.Name.StartsWith(value.Key, StringComparison.OrdinalIgnoreCase));
        return $"There is no setting {value.Path}{source}{(meant is null ? "" : $", did you mean {section}:{meant.Name}?")}"
            + $"{(meant is null ? ": s" : " S")}ection {section} has {string.Join(", ", known.Select(one => one.Name))}.";
    }

    // A setting of another section that had this name, or has it.
    private static string? Moved(IConfigurationSection value, IReadOnlyList<(string Section, Type Options)> settings) => (
        from one in settings
        from property in Readable([one.Options])
        where property.Name.Equals(value.Key, StringComparison.OrdinalIgnoreCase)
            || value.Path.Equals(property.GetCustomAttribute<FormerNameAttribute>()?.Name, StringComparison.OrdinalIgnoreCase)
        select $"{one.Section}:{property.Name}").FirstOrDefault();

    // Values that are computed from other settings cannot be set. A setting that two classes read is one.
    private static PropertyInfo[] Readable(IEnumerable<Type> options) =>
        [.. options.SelectMany(one => one.GetProperties()).Where(property => property.CanWrite).DistinctBy(property => property.Name)
            .OrderBy(property => property.Name)];

    private static PropertyInfo? Find(PropertyInfo[] known, string name) =>
        Array.Find(known, one => one.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    // As the binder reads it.
    private static bool CanRead(Type type, string text)
    {
        try
        {
            TypeDescriptor.GetConverter(type).ConvertFromInvariantString(text);
            return true;
        }
        catch (Exception error) when (error is FormatException or ArgumentException)
        {
            return false;
        }
    }

    // The user sees the command line; a file or a variable may be from another day.
    private static string Source(IConfiguration configuration, IConfigurationSection setting)
    {
        // A section has no source of its own, but its first setting has.
        while (setting.Value is null && setting.GetChildren().FirstOrDefault() is { } first)
            setting = first;
        return (configuration as IConfigurationRoot)?.Providers.LastOrDefault(one => one.TryGet(setting.Path, out _)) switch
        {
            EnvironmentVariablesConfigurationProvider =>
                $" (environment variable {setting.Path.Replace(":", "__", StringComparison.Ordinal)})",
            JsonConfigurationProvider { Source.Path: var file } => $" (in {file})",
            _ => "",
        };
    }
}

/// <summary>The name that a setting had, with its section. It is refused with the new one.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class FormerNameAttribute(string name) : Attribute
{
    public string Name => name;
}
