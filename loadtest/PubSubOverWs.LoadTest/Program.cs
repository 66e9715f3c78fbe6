using PubSubOverWs.LoadTest;
using PubSubOverWs.LoadTest.Bench;
using PubSubOverWs.LoadTest.Bench.Peers;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Runs;
using PubSubOverWs.LoadTest.Targets.Feed;
using PubSubOverWs.LoadTest.Targets.NullEcho;
using PubSubOverWs.LoadTest.Workloads.Workers;

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
        BenchCommand.Create(PeersCommand.Create()),
        StreamServerCommand.Create(args),
        HiddenCommand.Retired("kills", "run kills"),
        HiddenCommand.Retired("nodes", "run nodes"),
        VersionCommand.Create(),
        HiddenCommand.Child(NullEcho.Command, () => NullEcho.RunAsync(args)),
        HiddenCommand.Child(FeedServer.Command, () => FeedServer.RunAsync(args)),
        HiddenCommand.Child(WorkerProgram.Command, () => WorkerProgram.RunAsync(args, WorkloadList.Shared)),
        HiddenCommand.Child(MisbehavingProgram.Command, () => MisbehavingProgram.RunAsync(args)),
        FaultProxyCommand.Create(args),
    ],
    terminal,
    interruption.Token);
