namespace PubSubOverWs.Record.Scenarios;

/// <summary>One setting of all factors except the arm: a row of every table.</summary>
/// <param name="Settings">One for each factor of the experiment, in its order. Levels are alike whose settings are.</param>
[JsonConverter(typeof(LevelJson))]
public sealed record Level(IReadOnlyList<Setting> Settings)
{
    /// <summary>From low to high, the first factor first.</summary>
    public static IComparer<Level> Order { get; } = Comparer<Level>.Create((one, other) => one.Settings
        .Zip(other.Settings, (first, second) => first.Number.CompareTo(second.Number)).FirstOrDefault(order => order != 0));

    /// <summary>As files are named by it, such as <c>1000</c>, <c>100-2000</c> or <c>edmonton-1</c>.</summary>
    public string Key => string.Join('-', Settings.Select(setting => Kebab.OfWords(setting.Text)));

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
                Write(writer, only);
                return;
            }

            writer.WriteStartObject();
            foreach (var setting in value.Settings)
            {
                writer.WritePropertyName(setting.Factor.Name);
                Write(writer, setting);
            }

            writer.WriteEndObject();
        }

        private static void Write(Utf8JsonWriter writer, Setting setting)
        {
            if (setting.Factor.Names is null)
                writer.WriteNumberValue(setting.Number);
            else
                writer.WriteStringValue(setting.Text);
        }
    }
}

/// <summary>A factor of the experiment besides the arm.</summary>
/// <param name="Name">Its column in files and tables.</param>
/// <param name="Words">Behind a number of it, such as <c>users</c> or <c>messages/s</c>.</param>
public sealed record Factor(string Name, string Words)
{
    /// <summary>True: its numbers are rates that are offered, up to rates that an arm may not hold: reports find the knee.</summary>
    [JsonIgnore]
    public bool IsRate { get; init; }
    /// <summary>The names of its settings, whose numbers are their places from 1. Null: its settings are numbers.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<string>? Names { get; init; }

    /// <summary>The setting with this name, or with this number where settings have no names; null: there is none.</summary>
    public Setting? Find(string text)
    {
        if (Names is null)
            return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? new Setting(this, number) : null;
        var place = Names.ToList().IndexOf(text) + 1;
        return place > 0 ? new Setting(this, place) : null;
    }
}

/// <summary>A factor with its number.</summary>
public readonly record struct Setting(Factor Factor, int Number)
{
    /// <summary>Its name, or its number where settings have no names: as in files and tables.</summary>
    public string Text => Factor.Names?.ElementAtOrDefault(Number - 1) ?? Number.ToString(CultureInfo.InvariantCulture);

    public override string ToString() => Factor.Names is null ? $"{Number} {Factor.Words}" : Text;
}
