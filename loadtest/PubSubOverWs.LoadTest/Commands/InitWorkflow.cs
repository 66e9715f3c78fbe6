using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>
/// The workflow that <c>init</c> writes: it installs the program from a package in the repository, or builds it in a clone of the program.
/// </summary>
/// <param name="IsClone">The repository is a clone of the program.</param>
internal sealed record InitWorkflow(bool IsClone)
{
    private const string Project = "loadtest/PubSubOverWs.LoadTest";
    private const string Folder = $".github/{ThisProgram.Name}";

    private static string FileName => $"{ThisProgram.Name}.{ThisProgram.Version}.nupkg";

    /// <summary>The package that this program was installed from; null: it was not. An installation keeps it above tools/net10.0/any/.
    /// </summary>
    public static string? InstalledPackage
    {
        get
        {
            var package = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "..", "..", "..", FileName));
            return File.Exists(package) ? package : null;
        }
    }

    public static InitWorkflow For(string repository) =>
        new(File.Exists(Path.Combine(repository, Project, "PubSubOverWs.LoadTest.csproj")));

    /// <summary>Where the workflow looks for the package; null: it needs none.</summary>
    public string? Package(string repository) => IsClone ? null : Path.Combine(repository, Folder, FileName);

    public string Text(string name) => $$$"""
        # Runs {{{name}}}.json on every push. A gate that fails is an error of the job, and all gates are in its summary.
        name: {{{name}}}
        on: [push, pull_request]
        permissions:
          contents: read
        {{{(IsClone ? "" : Environment)}}}jobs:
          {{{name}}}:
            runs-on: ubuntu-latest
            timeout-minutes: 15
            steps:
              - uses: actions/checkout@v4
              - uses: actions/setup-dotnet@v4
                with:
                  dotnet-version: 10.0.x
        {{{(IsClone ? "" : Install)}}}      - run: >-
                  {{{(IsClone ? $"dotnet run -c Release --project {Project} --" : $"\"$RUNNER_TEMP/tools/{ThisProgram.Name}\"")}}}
                  run {{{name}}}.json --quick --out "$RUNNER_TEMP/{{{name}}}" --junit "$RUNNER_TEMP/{{{name}}}.xml"
              - if: always()
                uses: actions/upload-artifact@v4
                with:
                  name: {{{name}}}
                  path: |
                    ${{ runner.temp }}/{{{name}}}
                    ${{ runner.temp }}/{{{name}}}.xml

        """;

    private static string Environment => $"""
        env:
          # A folder of this repository with the package of the program, or a feed that has it.
          SOURCE: {Folder}

        """;

    private static string Install => $"""
              - run: >-
                  dotnet tool install {ThisProgram.Name} --version {ThisProgram.Version}
                  --tool-path "$RUNNER_TEMP/tools" --source "$SOURCE"

        """;
}
