using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// Which folder of a project uses which other, from its compiled code: signatures, attributes and method bodies. A <c>using</c> would miss
/// what a parent namespace gives. Constants are copied by the compiler and leave no trace here. The folder of a type is its namespace, or
/// that of its file where all folders of a project share one namespace.
/// </summary>
internal sealed partial class FolderUses
{
    private static readonly Dictionary<int, OpCode> OpCodesByValue = typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(field => (OpCode)field.GetValue(null)!).ToDictionary(code => (int)(ushort)code.Value);

    private const BindingFlags Everything =
        BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    private readonly Assembly _assembly;
    private readonly string _root;
    private readonly Dictionary<string, string> _foldersByName;
    private readonly SortedDictionary<(string From, string To), string> _found = [];

    private FolderUses(Assembly assembly)
    {
        _assembly = assembly;
        _root = assembly.GetName().Name!;
        var project = Path.GetDirectoryName(SourceTree.Files("", ".csproj").Single(path => Path.GetFileName(path) == $"{_root}.csproj"))!;
        _foldersByName = SourceTree.Files(project, ".cs")
            .SelectMany(path => Declared().Matches(SourceTree.Read(path)).Select(match => (Name: match.Groups["name"].Value, path)))
            .DistinctBy(declared => declared.Name)
            .ToDictionary(
                declared => declared.Name,
                declared => Path.GetRelativePath(project, Path.GetDirectoryName(declared.path)!).Replace('\\', '/').TrimStart('.'));
    }

    /// <summary>The folders that have types.</summary>
    public static IEnumerable<string> Folders(Assembly assembly)
    {
        var uses = new FolderUses(assembly);
        return assembly.GetTypes().Select(uses.Folder).OfType<string>().Distinct();
    }

    /// <summary>Each pair of folders of which the first uses the second, with one place as an example. The root folder is "".</summary>
    public static IReadOnlyDictionary<(string From, string To), string> Of(Assembly assembly)
    {
        var uses = new FolderUses(assembly);
        foreach (var type in assembly.GetTypes())
            uses.ArmStyle(type);
        return uses._found;
    }

    private void ArmStyle(Type type)
    {
        if (Folder(type) is not { } folder)
            return;
        void Use(Type? used, string place) => Add(folder, used, $"{type.Name}{place}");

        Use(type.BaseType, "");
        foreach (var one in type.GetInterfaces())
            Use(one, "");
        foreach (var attribute in type.CustomAttributes)
            Use(attribute.AttributeType, "");
        foreach (var field in type.GetFields(Everything))
            Use(field.FieldType, $".{field.Name}");
        foreach (var method in type.GetMethods(Everything).Cast<MethodBase>().Concat(type.GetConstructors(Everything)))
        {
            var place = $".{method.Name}";
            Use((method as MethodInfo)?.ReturnType, place);
            foreach (var parameter in method.GetParameters())
                Use(parameter.ParameterType, place);
            foreach (var used in InBody(method))
                Use(used, place);
        }
    }

    private void Add(string folder, Type? used, string place)
    {
        if (used is null || used.IsGenericParameter)
            return;
        if (used.HasElementType)
            Add(folder, used.GetElementType(), place);
        foreach (var argument in used.GenericTypeArguments)
            Add(folder, argument, place);
        if (used.Assembly == _assembly && Folder(used) is { } other && other != folder)
            _found.TryAdd((folder, other), $"{place} uses {used.Name}");
    }

    // Null: made by the compiler, of another project, or Program, which puts all together.
    private string? Folder(Type type)
    {
        while (type.DeclaringType is { } outer)
            type = outer;
        if (type.Namespace is { } name && name.StartsWith(_root + ".", StringComparison.Ordinal))
            return name[(_root.Length + 1)..].Replace('.', '/');
        return _foldersByName.GetValueOrDefault(type.Name.Split('`')[0]);
    }

    private static IEnumerable<Type?> InBody(MethodBase method)
    {
        if (method.GetMethodBody() is not { } body)
            yield break;
        foreach (var local in body.LocalVariables)
            yield return local.LocalType;
        foreach (var clause in body.ExceptionHandlingClauses.Where(clause => clause.Flags == ExceptionHandlingClauseOptions.Clause))
            yield return clause.CatchType;
        foreach (var member in Tokens(body.GetILAsByteArray()!).Select(token => Resolve(method, token)))
        {
            yield return member as Type ?? member?.DeclaringType;
            var signature = member switch
            {
                MethodInfo called => called.GetParameters().Select(parameter => parameter.ParameterType)
                    .Concat(called.IsGenericMethod ? called.GetGenericArguments() : []).Append(called.ReturnType),
                ConstructorInfo called => called.GetParameters().Select(parameter => parameter.ParameterType),
                FieldInfo field => [field.FieldType],
                _ => [],
            };
            foreach (var type in signature)
                yield return type;
        }
    }

    private static MemberInfo? Resolve(MethodBase method, int token) => method.Module.ResolveMember(
        token, method.DeclaringType?.GetGenericArguments(), method.IsGenericMethod ? method.GetGenericArguments() : null);

    /// <summary>The tokens of types, methods and fields in a method's code.</summary>
    private static List<int> Tokens(byte[] code)
    {
        List<int> tokens = [];
        for (var at = 0; at < code.Length;)
        {
            int value = code[at++];
            if (value == 0xFE)
                value = 0xFE00 | code[at++];
            var operand = OpCodesByValue[value].OperandType;
            if (operand is OperandType.InlineMethod or OperandType.InlineField or OperandType.InlineType or OperandType.InlineTok)
                tokens.Add(MemoryMarshal.Read<int>(code.AsSpan(at)));
            at += operand switch
            {
                OperandType.InlineNone => 0,
                OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
                OperandType.InlineVar => 2,
                OperandType.InlineI8 or OperandType.InlineR => 8,
                OperandType.InlineSwitch => 4 + 4 * MemoryMarshal.Read<int>(code.AsSpan(at)),
                _ => 4,
            };
        }
        return tokens;
    }

    [GeneratedRegex(@"^(?:(?:public|internal|static|abstract|sealed|partial|readonly|ref) )*"
        + @"(?:class|interface|enum|record struct|record|struct|delegate [\w<>\[\], ?]+) (?<name>\w+)", RegexOptions.Multiline)]
    private static partial Regex Declared();
}
