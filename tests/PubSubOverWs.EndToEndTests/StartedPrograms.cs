using System.Runtime.CompilerServices;

namespace PubSubOverWs.EndToEndTests;

/// <summary>
/// Servers that tests start by their programs compile hot code again after the runtime's usual wait and not at once: most of them serve a
/// few requests and end, and a start takes half the processor time then (0189), which two cores do not have for all of them.
/// </summary>
internal static class StartedPrograms
{
    // Hexadecimal: 100 ms.
    [ModuleInitializer]
    internal static void CompileLater() => Environment.SetEnvironmentVariable("DOTNET_TC_CallCountingDelayMs", "64");
}
