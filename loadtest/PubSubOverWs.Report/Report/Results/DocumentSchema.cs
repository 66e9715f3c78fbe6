using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.Json.Serialization.Metadata;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Standard;

namespace PubSubOverWs.Report.Results;

/// <summary>The JSON schema of a document that the program writes, made from the type that it is written from.</summary>
/// <param name="Name">Of the schema, such as <c>report</c>.</param>
/// <param name="Page">Of docs/reference, which says what each part means.</param>
public sealed record DocumentSchema(string Name, string Page, JsonSerializerOptions Options, Type Type)
{
    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, NewLine = "\n" };

    /// <returns>The text with a line end.</returns>
    public string Write()
    {
        var options = new JsonSerializerOptions(Options) { TypeInfoResolver = new DefaultJsonTypeInfoResolver() };
        var schema = options.GetJsonSchemaAsNode(Type, new() { TreatNullObliviousAsNonNullable = true, TransformSchemaNode = Named });
        var whole = new JsonObject
        {
            ["$schema"] = "https://json-schema.org/draft/2020-12/schema",
            ["title"] = Type == typeof(StandardModel) ? "report.json" : $"{Name}.json",
            ["description"] = $"docs/reference/{Page}.md says what each part means.",
        };
        foreach (var (key, value) in schema.AsObject())
            whole[key] = value?.DeepClone();
        return whole.ToJsonString(Indented) + "\n";
    }

    private JsonNode Named(JsonSchemaExporterContext context, JsonNode schema) => context.TypeInfo.Type switch
    {
        var type when type == typeof(Level) && Type == typeof(StandardModel) => new JsonObject
        {
            ["description"] = "The setting of the only factor; with several, one for each by its name.",
            ["type"] = new JsonArray("integer", "string", "object"),
        },
        var type when type == typeof(Level) => new JsonObject { ["type"] = "integer" },
        var type when type.IsAssignableTo(typeof(Scenario)) => new JsonObject { ["$ref"] = "scenario.schema.json" },
        var type when type == typeof(Gate) => new JsonObject { ["type"] = "string" },
        var type when type == typeof(double) || type == typeof(double?) => new JsonObject { ["type"] = new JsonArray("number", "null") },
        _ => schema,
    };
}
