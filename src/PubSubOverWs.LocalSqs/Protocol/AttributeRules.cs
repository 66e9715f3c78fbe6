using System.Globalization;

namespace PubSubOverWs.LocalSqs;

/// <summary>The rules of SQS for message attributes. Each returns the error message; null: the attribute keeps the rule.</summary>
internal static class AttributeRules
{
    // Of a name, and of a type.
    private const int MaxLength = 256;

    public static string? FaultIn(List<AttributeFields> attributes)
    {
        if (attributes.Count > SqsLimit.MessageAttributes)
            return $"Number of message attributes [{attributes.Count}] exceeds the allowed maximum [{SqsLimit.MessageAttributes}].";
        if (attributes.GroupBy(fields => fields.Name).FirstOrDefault(named => named.Count() > 1) is { } repeated)
            return $"Message (user) attribute name '{repeated.Key}' is invalid: it is there more than once.";
        return attributes.Select(FaultIn).FirstOrDefault(fault => fault is not null);
    }

    private static string? FaultIn(AttributeFields attribute) => attribute.HasList
        ? "Message attribute list values in SendMessage operation are not supported."
        : FaultInName(attribute.Name) ?? FaultInType(attribute.Name, attribute.DataType) ?? FaultInValue(attribute);

    private static string? FaultInName(string name)
    {
        if (name.Length == 0)
            return "The request must contain non-empty message (user) attribute names.";
        if (name.Length > MaxLength)
            return "Message (user) attribute name must be shorter than 256 bytes.";
        if (name.StartsWith("AWS.", StringComparison.OrdinalIgnoreCase) || name.StartsWith("Amazon.", StringComparison.OrdinalIgnoreCase))
            return "You can't use message attribute names beginning with 'AWS.' or 'Amazon.'. These strings are reserved for internal use.";
        if (name[0] == '.' || name[^1] == '.' || name.Contains("..", StringComparison.Ordinal))
            return $"Message (user) attribute name '{name}' is invalid: it cannot start or end with a period, or have two in a row.";
        // Letters and digits of any script: the documentation says A-Z, a-z and 0-9, but SQS itself accepts more.
        return name.All(character => char.IsLetterOrDigit(character) || character is '.' or '-' or '_')
            ? null
            : $"Message (user) attribute name '{name}' is invalid: it can only contain letters, digits, periods, hyphens and underscores.";
    }

    private static string? FaultInType(string name, string? type)
    {
        if (string.IsNullOrEmpty(type))
            return $"The message (user) attribute '{name}' must contain a non-empty message attribute type.";
        if (type.Length > MaxLength)
            return "Message (user) attribute type must be shorter than 256 bytes.";
        var dot = type.IndexOf('.', StringComparison.Ordinal);
        return dot != type.Length - 1 && type[..(dot < 0 ? type.Length : dot)] is "String" or "Number" or "Binary"
            ? null
            : $"The type of message (user) attribute '{name}' is invalid. You must use only the following supported type prefixes: "
                + "Binary, Number, String.";
    }

    private static string? FaultInValue(AttributeFields attribute)
    {
        if (attribute.HasForbiddenCharacters)
            return $"Invalid characters found in the value of message (user) attribute '{attribute.Name}'.";
        var isBinary = attribute.DataType!.StartsWith("Binary", StringComparison.Ordinal);
        var (value, other) = isBinary ? (attribute.Bytes, attribute.Text) : (attribute.Text, attribute.Bytes);
        if (value is null or { Length: 0 })
            return $"Message (user) attribute '{attribute.Name}' must contain a non-empty value of type '{attribute.DataType}'.";
        if (other is not null)
            return $"Message (user) attribute '{attribute.Name}' must contain one value only, of type '{attribute.DataType}'.";
        return attribute.DataType.StartsWith("Number", StringComparison.Ordinal) && !IsNumber(value)
            ? $"Can't cast the value of message (user) attribute '{attribute.Name}' to a number."
            : null;
    }

    private static bool IsNumber(byte[] text) =>
        double.TryParse(
            text, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent, CultureInfo.InvariantCulture,
            out var number)
        && double.IsFinite(number);
}
