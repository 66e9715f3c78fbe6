namespace PubSubOverWs.Experiment.Design;

/// <summary>One setting of all factors except the arm: a row of every table.</summary>
/// <param name="Settings">One for each factor of the experiment, in its order. Levels are alike whose settings are.</param>
[JsonConverter(typeof(LevelJson))]
public sealed record Level(IReadOnlyList<Setting> Settings)
{
    /// <summary>From low to high, the first factor first.</summary>
    public static IComparer<Level> Order { get; } = Comparer<Level>.Create((one, other) => one.Settings
        .Zip(other.Settings, (first, second) => first.Number.CompareTo(second.Number)).FirstOrDefault(order => order != 0));

    /// <summary>As files are named by it, such as <c>1000</c> or <c>100-2000</c>.</summary>
    public string Key => string.Join('-', Settings.Select(setting => setting.Number.ToString(CultureInfo.InvariantCulture)));

    /// <summary>The number of its only factor.</summary>
    /// <exception cref="InvalidOperationException">It has several.</exception>
    public int Number => Settings is [var only] ? only.Number : throw new InvalidOperationException($"{this} has not one number.");

    /// <summary>The number of its first factor that is a rate; null: none is one.</summary>
    public int? Rate => Settings.Where(setting => setting.Factor.IsRate).Select(setting => (int?)setting.Number).FirstOrDefault();

    public bool Equals(Level? other) => other is not null && Settings.SequenceEqual(other.Settings);

    public override int GetHashCode() => Settings.Aggregate(0, HashCode.Combine);

    /// <summary>Such as <c>1000 users</c>, or <c>100 subscribers, 2000 messages/s</c>.</summary>
    public override string ToString() => string.Join(", ", Settings);

    /// <summary>Where there is one factor, its number: as reports have always had it.</summary>
    private sealed class LevelJson : JsonConverter<Level>
    {
        public override Level Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) =>
            throw new NotSupportedException("A level is read with its factors.");

        public override void Write(Utf8JsonWriter writer, Level value, JsonSerializerOptions options)
        {
            if (value.Settings is [var only])
            {
                writer.WriteNumberValue(only.Number);
                return;
            }

            writer.WriteStartObject();
            foreach (var setting in value.Settings)
                writer.WriteNumber(setting.Factor.Name, setting.Number);
            writer.WriteEndObject();
        }
    }
}

/// <summary>A factor of the experiment besides the arm.</summary>
/// <param name="Name">Its column in files and tables.</param>
/// <param name="Words">Behind a number of it, such as <c>users</c> or <c>messages/s</c>.</param>
public sealed record Factor(string Name, string Words)
{
    /// <summary>
    /// True: its numbers are rates that are offered, up to rates that an arm may not hold. Reports find where that begins
    /// (<see cref="KneeRule"/>).
    /// </summary>
    [JsonIgnore]
    public bool IsRate { get; init; }
}

/// <summary>A factor with its number.</summary>
public readonly record struct Setting(Factor Factor, int Number)
{
    public override string ToString() => $"{Number} {Factor.Words}";
}
