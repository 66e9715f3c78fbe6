using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Experiments;
using PubSubOverWs.LoadTest.Experiments.Misbehaving.Load;
using PubSubOverWs.LoadTest.Experiments.Transports.Load;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;

Catalogue.Set(ExperimentList.All);
var terminal = Terminal.System;
using var interruption = new Interruption(terminal.Notices);

return await CommandLine.RunAsync(
    args,
    [
        RunCommand.Create(terminal),
        ReportCommand.Create(terminal),
        CompareCommand.Create(terminal),
        ResultsCommand.Create(terminal),
        OpenCommand.Create(terminal),
        ValidateCommand.Create(terminal),
        CiteCommand.Create(terminal),
        InitCommand.Create(terminal),
        PaperCommand.Create(terminal),
        DoctorCommand.Create(terminal),
        QueuesCommand.Create(terminal),
        StreamServerCommand.Create(args),
        JoinCommand.Create(args, terminal),
        VersionCommand.Create(),
        SchemasCommand.Create(),
        HiddenCommand.Child(NullEcho.Command, () => NullEcho.RunAsync(args)),
        HiddenCommand.Child(FeedServer.Command, () => FeedServer.RunAsync(args)),
        HiddenCommand.Child(MisbehavingProgram.Command, () => MisbehavingProgram.RunAsync(args)),
        FaultProxyCommand.Create(args),
    ],
    terminal,
    interruption.Token);
