using System.ComponentModel.DataAnnotations;
using System.Reflection;
using PubSubOverWs.DirectServer;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Repository;

public sealed class OptionTests
{
    private static readonly Assembly[] Assemblies =
        [typeof(RelayOptions).Assembly, typeof(DirectBroker).Assembly, typeof(SqsBroker).Assembly, typeof(SqsOptions).Assembly,
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
}
