using System.ComponentModel;
using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text;

namespace PubSubOverWs.Hosting;

/// <summary>What a server says of its settings, and of itself: made of the classes that read them.</summary>
internal static class ServerSettings
{
    private static Assembly Program { get; } = Assembly.GetEntryAssembly() ?? typeof(ServerSettings).Assembly;

    /// <summary>Program, version, commit and runtime.</summary>
    public static string Version
    {
        get
        {
            var parts = Program.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+', 2);
            return $"{Program.GetName().Name} {parts[0]}, commit {(parts.Length == 2 ? parts[1] : "unknown")}, "
                + RuntimeInformation.FrameworkDescription;
        }
    }

    /// <param name="settings">The sections of the configuration with the classes that read them.</param>
    /// <param name="usage">Lines about flags and words of this server.</param>
    public static string Text(IEnumerable<(string Section, Type Options)> settings, IEnumerable<string> usage)
    {
        var text = new StringBuilder();
        text.AppendLine(Program.GetCustomAttribute<AssemblyDescriptionAttribute>()?.Description).AppendLine()
            .AppendLine($"Usage: {Program.GetName().Name} [--SETTING VALUE]...").AppendLine()
            .AppendLine("  --urls URL      where it listens; default: http://localhost:5000");
        foreach (var line in usage.Append("--help          this text").Append("--version       version, commit and runtime"))
            text.AppendLine($"  {line}");
        text.AppendLine().AppendLine("Settings with their defaults, also as environment variables (Section__Setting):");
        foreach (var (section, options) in settings.OrderBy(one => one.Section, StringComparer.Ordinal))
        {
            var defaults = Activator.CreateInstance(options);
            foreach (var setting in options.GetProperties().Where(one => one.CanWrite && IsValue(one.PropertyType)))
            {
                var value = string.Create(CultureInfo.InvariantCulture, $"{setting.GetValue(defaults)}");
                text.AppendLine($"  {section + ":" + setting.Name,-38} {value,-12} {Range(setting)}".TrimEnd());
            }
        }
        return text.ToString();
    }

    /// <summary>Why a value in a section cannot be used: it is not known, or cannot be read as what it is. Null: all can be.</summary>
    public static string? Refusal(Microsoft.Extensions.Configuration.IConfigurationSection section, IEnumerable<Type> options)
    {
        // Values that are computed from other settings cannot be set.
        var known = options.SelectMany(one => one.GetProperties()).Where(property => property.CanWrite)
            .OrderBy(property => property.Name).ToArray();
        foreach (var value in section.GetChildren())
        {
            if (Array.Find(known, one => one.Name.Equals(value.Key, StringComparison.OrdinalIgnoreCase)) is not { } setting)
                return $"There is no setting {value.Path}: section {section.Path} has "
                    + $"{string.Join(", ", known.Select(one => one.Name))}.";
            if (value.Value is { Length: > 0 } text && Kind(setting.PropertyType) is { } kind && !CanRead(setting.PropertyType, text))
                return $"{value.Path} is '{text}', and must be {kind}{(Range(setting) is { Length: > 0 } range ? $", {range}" : "")}.";
        }
        return null;
    }

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

    private static bool IsValue(Type type) => type == typeof(string) || type == typeof(Uri) || Kind(type) is not null;

    private static string? Kind(Type type) => (Nullable.GetUnderlyingType(type) ?? type) switch
    {
        { IsEnum: true } named => $"one of {string.Join(", ", Enum.GetNames(named))}",
        var one when one == typeof(int) || one == typeof(long) => "a whole number",
        var one when one == typeof(TimeSpan) => "a time, such as 00:00:30",
        var one when one == typeof(bool) => "true or false",
        _ => null,
    };

    // "The field X must be between 1 and 2.": the end of the sentence with which a value out of it is refused.
    private static string Range(PropertyInfo setting) =>
        setting.GetCustomAttributes<ValidationAttribute>().FirstOrDefault(one => one is not RequiredAttribute) is { } rule
            && rule.FormatErrorMessage(setting.Name).Split(" must be ", 2) is [_, var range]
            ? range.TrimEnd('.')
            : "";
}
