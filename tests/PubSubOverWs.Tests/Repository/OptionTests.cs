using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using PubSubOverWs.DirectServer;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Repository;

public sealed partial class OptionTests
{
    private static readonly Assembly[] Assemblies =
        [typeof(RelayOptions).Assembly, typeof(DirectBroker).Assembly, typeof(QueueBroker).Assembly, typeof(SqsOptions).Assembly,
            typeof(RedisOptions).Assembly, typeof(NatsOptions).Assembly, typeof(RabbitMqOptions).Assembly,
            typeof(LocalSqsOptions).Assembly];

    private static readonly Type[] Bounded = [typeof(int), typeof(long), typeof(TimeSpan)];

    // Any seed is as good as another; LocalSqsOptions checks its bound itself, which may be 0.
    private static readonly string[] Unbounded = ["Seed", "LocalSqsOptions.MaxBytes"];

    [Fact]
    public void Each_setting_that_is_a_number_or_a_time_has_a_range()
    {
        var settings = Assemblies.SelectMany(assembly => assembly.GetTypes())
            .Where(type => type.Name.EndsWith("Options", StringComparison.Ordinal))
            .SelectMany(type => type.GetProperties())
            .Where(property => property.CanWrite && Bounded.Contains(property.PropertyType))
            .Where(property => !Unbounded.Contains(property.Name) && !Unbounded.Contains($"{property.DeclaringType!.Name}.{property.Name}"))
            .ToArray();

        Assert.NotEmpty(settings);
        Assert.All(settings, setting => Assert.NotEmpty(setting.GetCustomAttributes<ValidationAttribute>()));
    }

    [Theory]
    [InlineData("Relay", typeof(RelayOptions))]
    [InlineData("Relay:Delivery", typeof(DeliveryOptions))]
    [InlineData("Access", typeof(AccessOptions))]
    [InlineData("Direct", typeof(DirectOptions))]
    [InlineData("Sqs", typeof(SqsOptions))]
    [InlineData("Redis", typeof(RedisOptions))]
    [InlineData("Nats", typeof(NatsOptions))]
    [InlineData("RabbitMq", typeof(RabbitMqOptions))]
    [InlineData("Queue", typeof(QueueBrokerOptions))]
    [InlineData("Queue:Sending", typeof(SendingOptions))]
    [InlineData("Queue:Settle", typeof(SettleOptions))]
    [InlineData("Queue:Nodes", typeof(NodeOptions))]
    [InlineData("LocalSqs", typeof(LocalSqsOptions))]
    public void Each_setting_stands_in_one_table_with_its_default_and_its_range(string section, Type options)
    {
        var rows = SourceTree.Files("docs/reference", ".md").Concat(SourceTree.Files("docs/guides", ".md")).SelectMany(SourceTree.Lines)
            .Where(line => line.StartsWith("| `", StringComparison.Ordinal)).Select(line => line.Split(" | ")).ToArray();
        var defaults = Activator.CreateInstance(options);
        foreach (var setting in options.GetProperties()
            .Where(one => one.CanWrite && !one.PropertyType.Name.EndsWith("Options", StringComparison.Ordinal)))
        {
            var name = $"{section}:{setting.Name}";
            var row = Assert.Single(rows, row => row.Length == 3 && row[0].Contains($"`{name}`", StringComparison.Ordinal));
            Assert.All(Bounds(setting).Prepend(setting.GetValue(defaults)).Where(value => value is not (null or "")), value => Assert.True(
                Texts(value).Any(text => Regex.IsMatch(row[1], $@"(?<![\w,.]){Regex.Escape(text)}(?!\w|,\d)")),
                $"The row of {name} has '{row[1]}', and not {string.Join(" or ", Texts(value))}."));
        }
    }

    // But 0, which the pages leave out.
    private static IEnumerable<object?> Bounds(PropertyInfo setting)
    {
        var rule = setting.GetCustomAttributes<ValidationAttribute>().FirstOrDefault(one => one is RangeAttribute or OffOrFromAttribute);
        var bounds = Value().Matches(rule?.FormatErrorMessage("") ?? "").Select(bound => bound.Value);
        return setting.PropertyType == typeof(TimeSpan)
            ? bounds.Select(bound => (object)TimeSpan.Parse(bound, CultureInfo.InvariantCulture)).Where(time => !time.Equals(TimeSpan.Zero))
            : bounds.Select(bound => (object)long.Parse(bound, CultureInfo.InvariantCulture)).Where(number => !number.Equals(0L));
    }

    // As the pages write a value: any of these.
    private static string[] Texts(object? value) => value switch
    {
        true or false => [$"{value}".ToLowerInvariant()],
        TimeSpan { Ticks: 0 } => ["0"],
        TimeSpan { TotalDays: >= 1 } time => [$"{time.TotalDays:0} day"],
        TimeSpan { TotalHours: >= 1 } time => [$"{time.TotalHours:0} h"],
        TimeSpan { TotalMinutes: >= 1 } time => [$"{time.TotalMinutes:0} min"],
        TimeSpan { TotalSeconds: >= 1 } time => [$"{time.TotalSeconds:0} s"],
        TimeSpan time => [$"{time.TotalMilliseconds:0} ms"],
        int or long => Texts(Convert.ToInt64(value, CultureInfo.InvariantCulture)),
        _ => [$"{value}"],
    };

    private static string[] Texts(long number)
    {
        var texts = new List<string> { number.ToString("N0", CultureInfo.InvariantCulture) };
        foreach (var unit in new[] { "KiB", "MiB", "GiB", "TiB" })
        {
            if (number == 0 || number % 1_024 != 0)
                break;
            number /= 1_024;
            texts.Add(string.Create(CultureInfo.InvariantCulture, $"{number:N0} {unit}"));
        }
        return [.. texts];
    }

    [GeneratedRegex(@"\d([\d:.]*\d)?")]
    private static partial Regex Value();
}
