using System.Runtime.CompilerServices;
using PubSubOverWs.LoadTest.Experiments;
using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.Tests.LoadTest;

/// <summary>Sets the experiments before any test, as the program does when it starts.</summary>
internal static class KnownExperiments
{
    [ModuleInitializer]
    internal static void Set() => Catalogue.Set(ExperimentList.All);
}
