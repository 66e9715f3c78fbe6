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
    public static string Text(IEnumerable<(string Section, Type Options)> settings, IEnumerable<string> usage)
    {
        var text = new StringBuilder();
        text.AppendLine(Program.GetCustomAttribute<AssemblyDescriptionAttribute>()?.Description).AppendLine()
            .AppendLine($"Usage: {Program.GetName().Name} [--SETTING VALUE]...").AppendLine()
            .AppendLine("  --urls URL      where it listens; default: http://localhost:5000");
        foreach (var line in usage.Append("--help          this text").Append("--version       version, commit and runtime"))
            text.AppendLine($"  {line}");
        text.AppendLine().AppendLine("Settings with their defaults, also as environment variables (Section__Setting):");
        // A setting that two classes read is one.
        var listed = new HashSet<string>();
        foreach (var (section, options) in settings.OrderBy(one => one.Section, StringComparer.Ordinal))
        {
            var defaults = Activator.CreateInstance(options);
            foreach (var setting in options.GetProperties()
                .Where(one => one.CanWrite && IsValue(one.PropertyType) && listed.Add($"{section}:{one.Name}")))
            {
                var value = string.Create(CultureInfo.InvariantCulture, $"{setting.GetValue(defaults)}");
                text.AppendLine($"  {section + ":" + setting.Name,-38} {value,-12} {Range(setting)}".TrimEnd());
            }
        }
        return text.ToString();
    }

    /// <summary>False: a section of its own.</summary>
    public static bool IsValue(Type type) => type == typeof(string) || type == typeof(Uri) || Kind(type) is not null;

    /// <summary>What a value of a type is called in a sentence; null: a text or no value.</summary>
    public static string? Kind(Type type) => (Nullable.GetUnderlyingType(type) ?? type) switch
    {
        { IsEnum: true } named => $"one of {string.Join(", ", Enum.GetNames(named))}",
        var one when one == typeof(int) || one == typeof(long) => "a whole number",
        var one when one == typeof(TimeSpan) => "a time, such as 00:00:30",
        var one when one == typeof(bool) => "true or false",
        _ => null,
    };

    /// <summary>Such as "between 1 and 2"; empty: any value.</summary>
    public static string Range(PropertyInfo setting) =>
        // Of "The field X must be between 1 and 2.", the sentence with which a value out of it is refused.
        setting.GetCustomAttributes<ValidationAttribute>().FirstOrDefault(one => one is not RequiredAttribute) is { } rule
            && rule.FormatErrorMessage(setting.Name).Split(" must be ", 2) is [_, var range]
            ? range.TrimEnd('.')
            : "";
}
