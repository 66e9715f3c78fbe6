using System.Runtime.CompilerServices;

namespace PubSubOverWs.EndToEndTests;

/// <summary>
/// Servers that tests start compile hot code again after the runtime's usual wait and not at once (0189): most of them serve a few
/// requests and end, and a start then takes half the processor time (0.7 to 0.8 s in place of 1.4 to 1.9 s), which two cores do not have
/// for all of them.
/// </summary>
internal static class StartedPrograms
{
    // Hexadecimal: 100 ms.
    [ModuleInitializer]
    internal static void CompileLater() => Environment.SetEnvironmentVariable("DOTNET_TC_CallCountingDelayMs", "64");
}
