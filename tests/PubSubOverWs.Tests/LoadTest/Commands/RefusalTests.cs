using PubSubOverWs.LoadTest.Experiments.Paper.Faults;
using PubSubOverWs.LoadTest.Harness.Runs;

namespace PubSubOverWs.Tests.LoadTest.Commands;

public sealed class RefusalTests
{
    private readonly TestTerminal _terminal = new();

    [Theory]
    [InlineData(
        "",
        "No command was given: use one of run, report, compare, results, open, validate, cite, init, paper, doctor, queues, "
            + "stream-server, load-worker, version; pubsub-over-ws --help explains each.")]
    [InlineData(
        "rnu smoke",
        "There is no command 'rnu', did you mean 'run'? The commands are run, report, compare, results, open, validate, cite, init, "
            + "paper, doctor, queues, stream-server, load-worker, version.")]
    [InlineData("run", "'run' needs a scenario: use run paper or run smoke, or give the path of a .json file.")]
    [InlineData(
        "run smok",
        "There is no scenario 'smok', did you mean 'smoke'? Known: SCENARIOS; or give the path of a .json file.")]
    [InlineData(
        "runn paper",
        "There is no command 'runn', did you mean 'run'? The commands are run, report, compare, results, open, validate, cite, init, "
            + "paper, doctor, queues, stream-server, load-worker, version.")]
    [InlineData("paper smoke", "'paper' does not take 'smoke': see pubsub-over-ws paper --help.")]
    [InlineData("run --quik", "'run' has no option '--quik', did you mean '--quick'? pubsub-over-ws run --help lists its options.")]
    [InlineData("init --x", "'init' has no option '--x'. pubsub-over-ws init --help lists its options.")]
    [InlineData(
        "cite --auhtor Doe", "'cite' has no option '--auhtor', did you mean '--author'? pubsub-over-ws cite --help lists its options.")]
    [InlineData("run nowhere/mine.json", "There is no scenario file nowhere/mine.json: check the path.")]
    [InlineData("run paper --user 5", "'run' has no option '--user', did you mean '--users'? pubsub-over-ws run --help lists its options.")]
    [InlineData("run paper --users", "Option --users needs a value: levels, such as 50,100,500.")]
    [InlineData("run paper --users 50,many", "users=50,many: 'users' is \"50,many\": it must be a list of whole numbers.")]
    [InlineData("run paper --users 0", "'users' of scenario 'paper' is 0: it must be from 1 to 1000000.")]
    [InlineData("run paper --iterations 0", "--iterations '0' is not a whole number of at least 1.")]
    [InlineData("run paper --blocks -1", "--blocks '-1' is not a whole number of at least 1.")]
    [InlineData("run paper --blocks 40", "'blocks' of scenario 'paper' is 40: it must be from 1 to 30.")]
    [InlineData("run paper --seed x", "--seed 'x' is not a whole number of at least 0.")]
    [InlineData(
        "run paper --arms direkt",
        "arms=direkt: 'arms' of scenario 'paper' names 'direkt' (did you mean 'direct'?): direct, direct+buffer, pubsub and "
            + "pubsub+single are known.")]
    [InlineData(
        "run paper --arms undisturbed",
        "arms=undisturbed: 'arms' of scenario 'paper' names 'undisturbed': direct, direct+buffer, pubsub and pubsub+single are known.")]
    [InlineData(
        "run fan-out --fault churn",
        "The experiment fan-out has no key 'fault', which one-way has, so 'fault=churn' cannot be set. Its keys are name, arms, "
            + "subscribers, rates, publishers, for, iterations, blocks, warmUps, mostWarmUps, deadline, payloadBytes, receipts, pinning, "
            + "workers, queueLatency, pubsubNodes, seed, gates, margins, quick.")]
    [InlineData(
        "run paper --arrival spread",
        "arrival=spread: The arrival 'spread' is not known: write burst, or spread with a time above 0, such as spread:2s.")]
    [InlineData(
        "run smoke --queue-latency far",
        "queueLatency=far: The queue latency 'far' is not known: write none, aws, or the median (above 0, at most 10s) and the 99th "
            + "percentile (at least that, at most 60s), such as 20ms,80ms.")]
    [InlineData(
        "run smoke --queue-latency aws --sqs-endpoint http://127.0.0.1:1",
        "The queue latency aws needs LocalSqs: omit --pubsub, --sqs-endpoint and --sqs aws and measure the arm pubsub, or use "
            + "--queue-latency none.")]
    [InlineData("run request-reply --workers 0", "'workers' of scenario 'request-reply' is 0: it must be from 1 to 64.")]
    [InlineData("run request-reply --workers 65", "'workers' of scenario 'request-reply' is 65: it must be from 1 to 64.")]
    [InlineData(
        "run request-reply --users 3 --workers 4",
        "'workers' of scenario 'request-reply' is 4, and there are 3 users: each load process needs one at least.")]
    [InlineData(
        "run nodes --workers 2",
        "The experiment nodes has no key 'workers', which one-way, fan-out, request-reply have, so 'workers=2' cannot be set. Its keys "
            + "are name, arms, pubsubNodes, faultFor, topicSubscribers, queues, messages, iterations, blocks, warmUps, deadline, "
            + "payloadBytes, pinning, visibility, seed, gates, margins, quick.")]
    [InlineData("run smoke --set mostWarmUps=2", "'mostWarmUps' of scenario 'smoke' is 2: it must be from 3 to 100.")]
    [InlineData("run paper --set warmUps=8", "'mostWarmUps' of scenario 'paper' is 7: it must be from 8 to 100.")]
    [InlineData("run smoke --pubsub-nodes 0", "'pubsubNodes' of scenario 'smoke' is 0: it must be from 1 to 16.")]
    [InlineData("run smoke --pubsub-nodes 17", "'pubsubNodes' of scenario 'smoke' is 17: it must be from 1 to 16.")]
    [InlineData(
        "run smoke --pubsub-nodes 2 --pubsub http://127.0.0.1:1",
        "2 pubsub nodes must be started by the run: omit --pubsub and measure the arm pubsub, or use --pubsub-nodes 1.")]
    [InlineData(
        "run smoke --pubsub-nodes 2 --arms direct",
        "2 pubsub nodes must be started by the run: omit --pubsub and measure the arm pubsub, or use --pubsub-nodes 1.")]
    [InlineData("run smoke --aa both", "--aa 'both' is not known. Allowed: direct, pubsub.")]
    [InlineData("run smoke --aa direct --arms pubsub", "--aa direct sets the arms: omit --arms.")]
    [InlineData(
        "run smoke --fault chrun",
        "fault=chrun: The fault 'chrun' is not known (did you mean 'churn'?): FAULTS.")]
    [InlineData(
        "run paper --fault churn",
        "'workload' of scenario 'paper' must be pairs with the fault churn: a user that is cut cannot send meanwhile. Use the scenario "
            + "faults, whose workload it is.")]
    [InlineData(
        "run faults --fault restart --pubsub http://127.0.0.1:1",
        "The fault restart needs servers and a queue that the run starts: omit --direct, --pubsub and --reference.")]
    [InlineData(
        "run faults --fault queue-killed --sqs-endpoint http://127.0.0.1:1",
        "The fault queue-killed needs a queue that the run starts, which is LocalSqs: omit --sqs and --sqs-endpoint.")]
    [InlineData(
        "run faults --fault queue-down --sqs-endpoint http://127.0.0.1:1",
        "The fault queue-down needs a queue that the run starts, which is LocalSqs: omit --sqs and --sqs-endpoint.")]
    [InlineData(
        "run faults --arms direct+buffer --direct http://127.0.0.1:1",
        "--direct has no effect without the arm direct: omit it, or add direct to --arms.")]
    [InlineData(
        "run faults --arms direct,direct+buffer --direct http://127.0.0.1:1",
        "The arm direct+buffer is a direct server that the run starts: omit --direct, or direct+buffer.")]
    [InlineData(
        "run faults --fault churn --aa direct",
        "The fault churn of scenario 'faults' cannot be run with one server against itself: its prediction is about direct and pubsub.")]
    [InlineData(
        "run paper --arms direct,pubsub,pubsub+single --pubsub http://127.0.0.1:1",
        "The arm pubsub+single is a pubsub server that the run starts: omit --pubsub, or pubsub+single.")]
    [InlineData("run smoke --client chrome", "--client 'chrome' is not known. Allowed: own, browser.")]
    [InlineData(
        "run fan-out --client browser",
        "--client browser has the users of the paper in a page, not those of the experiment fan-out: omit it, or run paper.")]
    [InlineData(
        "run faults --users 50 --client browser",
        "--client browser has users that neither reconnect nor are disturbed: omit it, or the fault and the workload pairs.")]
    [InlineData(
        "run paper --client browser",
        "--client browser has all users in one page, which can open 200 connections, and the scenario has 10000: add --users 50.")]
    [InlineData(
        "run paper --users 50 --client browser --direct http://127.0.0.1:1",
        "--client browser needs servers that the run starts, because they must let its page connect: omit --direct, --pubsub and "
            + "--reference.")]
    [InlineData(
        "run paper --users 200 --set messages=1000 --client browser",
        "--client browser takes at most 4 MiB of messages in an iteration: use fewer users, fewer messages or a smaller payload.")]
    [InlineData(
        "run --self-test --client browser",
        "--self-test has a plan of its own and leaves no record: omit every other option except --seed, --no-pin and --no-live.")]
    [InlineData("run smoke --login me", "--login and --passcode-file go together: give both or neither.")]
    [InlineData("run smoke --passcode-file nowhere", "--login and --passcode-file go together: give both or neither.")]
    [InlineData(
        "run smoke --aa direct --direct http://127.0.0.1:1",
        "--aa starts two instances of the direct server: omit --direct, --pubsub and --reference.")]
    [InlineData(
        "run smoke --aa pubsub --pubsub-nodes 2",
        "'pubsubNodes' of scenario 'smoke' must be 1 where one server is measured against itself.")]
    [InlineData("run smoke --quick", "The scenario 'smoke' has no quick form: omit --quick.")]
    [InlineData(
        "run smoke extra",
        "'run' does not take 'extra': write several values of one option as one list, as in --users 50,100, and see "
            + "pubsub-over-ws run --help.")]
    [InlineData(
        "run paper --users 10 200 3000",
        "'run' does not take '200': write several values of one option as one list, as in --users 10,200,3000, and see "
            + "pubsub-over-ws run --help.")]
    [InlineData(
        "run --users 10 200 paper",
        "'run' does not take 'paper': write several values of one option as one list, as in --users 10,200, and see "
            + "pubsub-over-ws run --help.")]
    [InlineData(
        "run paper --arms direct pubsub --quick",
        "'run' does not take 'pubsub': write several values of one option as one list, as in --arms direct,pubsub, and see "
            + "pubsub-over-ws run --help.")]
    [InlineData(
        "run --users 50 100", "'100' is not a scenario: write several values of one option as one list, as in --users 50,100.")]
    [InlineData(
        "run smoke --direct localhost:80",
        "--direct 'localhost:80' is not a usable address: write it as http://host:port or ws://host:port.")]
    [InlineData(
        "run smoke --pubsub https://host",
        "--pubsub 'https://host' is not a usable address: write it as http://host:port or ws://host:port.")]
    [InlineData(
        "run smoke --pubsub ws://host:1/stomp",
        "--pubsub 'ws://host:1/stomp' has a path, and the run takes the paths of its own servers: write it as ws://host:port.")]
    [InlineData(
        "run smoke --sqs-endpoint 127.0.0.1",
        "--sqs-endpoint '127.0.0.1' is not a usable address: write it as http://host:port or https://host:port.")]
    [InlineData(
        "run smoke --arms direct --sqs-client http",
        "--sqs-client has no effect without the arm pubsub: omit it, or add pubsub to --arms.")]
    [InlineData(
        "run smoke --pubsub http://127.0.0.1 --sqs-client http",
        "--sqs-client has no effect with --pubsub, because that server has a client: omit it, and set Sqs:Client of the server.")]
    [InlineData(
        "run smoke --arms pubsub --direct http://127.0.0.1",
        "--direct has no effect without the arm direct: omit it, or add direct to --arms.")]
    [InlineData(
        "run smoke --arms direct --pubsub http://127.0.0.1",
        "--pubsub has no effect without the arm pubsub: omit it, or add pubsub to --arms.")]
    [InlineData(
        "run smoke --arms direct --sqs-endpoint http://127.0.0.1",
        "--sqs-endpoint has no effect without the arm pubsub: omit it, or add pubsub to --arms.")]
    [InlineData(
        "run smoke --arms direct --sqs aws --region eu-central-1",
        "--sqs aws has no effect without the arm pubsub: omit it, or add pubsub to --arms.")]
    [InlineData(
        "run smoke --sqs aws --region eu-central-1 --queue-latency aws",
        "The queue latency aws needs LocalSqs: omit --pubsub, --sqs-endpoint and --sqs aws and measure the arm pubsub, or use "
            + "--queue-latency none.")]
    [InlineData("run smoke --sqs was", "--sqs 'was' is not known, did you mean 'aws'? Allowed: local, aws.")]
    [InlineData(
        "run smoke --sqs aws", "--sqs aws needs a region: add --region with one that your account may use, such as --region eu-central-1.")]
    [InlineData("run smoke --region eu-central-1", "--region has no effect without --sqs aws: omit it, or use --sqs aws.")]
    [InlineData(
        "run smoke --sqs aws --region a.example/?",
        "--region 'a.example/?' is not an AWS region: write it as AWS does, such as --region eu-central-1.")]
    [InlineData(
        "run smoke --sqs aws --region eu-central-1 --sqs-endpoint http://127.0.0.1",
        "--sqs and --sqs-endpoint name two queues: omit one (they may also be set by PUBSUBOVERWS_SQS and PUBSUBOVERWS_SQS_ENDPOINT).")]
    [InlineData(
        "run smoke --sqs local --sqs-endpoint http://127.0.0.1",
        "--sqs and --sqs-endpoint name two queues: omit one (they may also be set by PUBSUBOVERWS_SQS and PUBSUBOVERWS_SQS_ENDPOINT).")]
    [InlineData(
        "run smoke --yes-this-costs-money",
        "--yes-this-costs-money has no effect without --sqs aws: omit it, because nothing else costs money.")]
    [InlineData("run smoke --sqs-price -1", "--sqs-price '-1' is not a price: give dollars from 0, such as --sqs-price 0.40.")]
    [InlineData(
        "run smoke --sqs-endpoint https://sqs.eu-central-1.amazonaws.com",
        "--sqs-endpoint 'https://sqs.eu-central-1.amazonaws.com/' is Amazon SQS, which costs money: use --sqs aws and --region instead; "
            + "the run first shows the cost.")]
    [InlineData(
        "run smoke --gate pubsub.latency.p99<250ms",
        "The gate 'pubsub.latency.p99<250ms' cannot be answered by this run: at 50 users an iteration has 50 messages, and latency.p99 "
            + "needs 1000; ask for a percentile that needs fewer (p50: 20, p90: 100, p99: 1,000) or the mean, or measure only levels with "
            + "enough.")]
    [InlineData(
        "run smoke --gate pubsub.guarantee-loss==0",
        "The gate 'pubsub.guarantee-loss==0' cannot be answered by this run: guarantee-loss counts acknowledged messages; add --receipts.")]
    [InlineData(
        "run smoke --arms direct --gate pubsub.loss==0",
        "The gate 'pubsub.loss==0' cannot be answered by this run: it does not have the arm pubsub; add it to --arms, or omit the gate.")]
    [InlineData("doctor smoke --users 0", "'users' of scenario 'smoke' is 0: it must be from 1 to 1000000.")]
    [InlineData("doctor smok", "There is no scenario 'smok', did you mean 'smoke'? Known: SCENARIOS; or give the path of a .json file.")]
    [InlineData("queues", "No command was given: use one of list, clean; pubsub-over-ws queues --help explains each.")]
    [InlineData("queues list", "The queues of LocalSqs end with it: use --sqs aws and --region, or --sqs-endpoint and an address.")]
    [InlineData(
        "queues clean --sqs-endpoint http://127.0.0.1",
        "'queues clean' deletes queues: give their least age, such as --older-than 1h, and see them first with --dry-run.")]
    [InlineData(
        "queues clean --older-than 1w",
        "--older-than '1w' is not an age: give a whole number with s, m, h or d after it, such as --older-than 1h.")]
    [InlineData(
        "queues clean --older-than 99999999d",
        "--older-than '99999999d' is not an age: give a whole number with s, m, h or d after it, such as --older-than 1h.")]
    [InlineData(
        "queues list --sqs-endpoint https://sqs.us-east-1.api.aws",
        "--sqs-endpoint 'https://sqs.us-east-1.api.aws/' is Amazon SQS, which costs money: use --sqs aws and --region instead; the "
            + "run first shows the cost.")]
    [InlineData("run smoke --label a/b", "--label 'a/b' cannot be part of a folder's name: use letters, digits, '-', '_' and '.'.")]
    [InlineData("run smoke --label a --out b", "--label is part of the default folder's name: omit it with --out.")]
    [InlineData("run smoke --resume there", "--resume takes the scenario from the record: omit 'smoke'.")]
    [InlineData(
        "run --live smoke",
        "--live 'smoke' is not a port from 0 to 65535: write the scenario before --live, and a port or nothing behind it.")]
    [InlineData(
        "run smoke --live 65536",
        "--live '65536' is not a port from 0 to 65535: write the scenario before --live, and a port or nothing behind it.")]
    [InlineData(
        "run --self-test --live",
        "--self-test has a plan of its own and leaves no record: omit every other option except --seed, --no-pin and --no-live.")]
    [InlineData(
        "run smoke --self-test",
        "--self-test has a plan of its own and leaves no record: omit every other option except --seed, --no-pin and --no-live.")]
    [InlineData(
        "run --self-test --users 5",
        "--self-test has a plan of its own and leaves no record: omit every other option except --seed, --no-pin and --no-live.")]
    [InlineData(
        "run --self-test --gate pubsub.loss==0",
        "--self-test has a plan of its own and leaves no record: omit every other option except --seed, --no-pin and --no-live.")]
    [InlineData(
        "run --self-test --out there",
        "--self-test has a plan of its own and leaves no record: omit every other option except --seed, --no-pin and --no-live.")]
    [InlineData(
        "run --self-test --pubsub http://127.0.0.1:1",
        "--self-test has a plan of its own and leaves no record: omit every other option except --seed, --no-pin and --no-live.")]
    [InlineData(
        "run --resume there --users 5",
        "--resume continues with the scenario as it was recorded: omit the options that change it (only --gate may be added).")]
    [InlineData(
        "run --resume there --workers 2",
        "--resume continues with the scenario as it was recorded: omit the options that change it (only --gate may be added).")]
    [InlineData("run --resume there --label a", "--resume writes into the folder it names: omit --out and --label.")]
    [InlineData(
        "run paper --direct http://127.0.0.1:1 --blocks 2",
        "--blocks cannot be more than 1 with --direct, --pubsub or --reference: servers that the run did not start cannot be restarted, "
            + "so they are one block.")]
    [InlineData("results nowhere", "There is no folder nowhere: name one that holds record folders, or make a run first.")]
    [InlineData("compare", "'compare' needs A: the record folder of the baseline.")]
    [InlineData("validate nowhere", "There is no folder nowhere: name one that holds a run.json.")]
    [InlineData("report nowhere", "There is no folder nowhere: name one that holds a run.json.")]
    [InlineData("validate", "'validate' needs DIR: a record folder, such as results/paper/TIME, or several.")]
    public async Task Invalid_arguments_are_refused_in_one_sentence_with_exit_code_5(string arguments, string sentence)
    {
        Assert.Equal(5, await _terminal.RunAsync(arguments));

        var expected = sentence.Replace("SCENARIOS", string.Join(", ", ScenarioFiles.Names), StringComparison.Ordinal)
            .Replace("FAULTS", string.Join(", ", FaultProfiles.Names), StringComparison.Ordinal);
        Assert.Equal(expected + Environment.NewLine, _terminal.Error);
        Assert.Empty(_terminal.Output);
    }

    [Theory]
    [InlineData("run smoke --direct http://me:word@127.0.0.1:1", "--direct", "http://host:port or ws://host:port")]
    [InlineData("run smoke --pubsub ftp://me:word@127.0.0.1:1", "--pubsub", "http://host:port or ws://host:port")]
    [InlineData("run smoke --direct http://127.0.0.1:1?access_token=word", "--direct", "http://host:port or ws://host:port")]
    [InlineData("run smoke --sqs-endpoint https://key:word@127.0.0.1:1", "--sqs-endpoint", "http://host:port or https://host:port")]
    public async Task An_address_that_holds_a_secret_is_refused_and_not_repeated(string arguments, string option, string form)
    {
        Assert.Equal(5, await _terminal.RunAsync(arguments));

        Assert.Equal(
            $"{option} has a user, a password or a query in it, which is not repeated here: write the address alone, as {form}. "
                + "A server's user is named by --login and --passcode-file, a queue's keys by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
                + Environment.NewLine,
            _terminal.Error);
        Assert.Empty(_terminal.Output);
    }

    [Fact]
    public async Task A_gate_that_cannot_be_read_is_refused_before_anything_runs()
    {
        Assert.Equal(5, await _terminal.RunAsync("run", "smoke", "--gate", "pubsub.loss < 1"));

        Assert.StartsWith("The gate 'pubsub.loss < 1' needs a percentage", _terminal.Error);
    }

    [Theory]
    [InlineData("pubsub.los == 0", "asks for 'los', which is not measured (did you mean 'loss'?): write ")]
    [InlineData("pubsub.latency.p9 < 1ms", "asks for 'latency.p9', which is not measured (did you mean 'latency.p90'?): write ")]
    [InlineData("pubsup.loss == 0", "names 'pubsup', which is no arm (did you mean 'pubsub'?): write ")]
    public async Task A_misspelt_gate_is_refused_with_the_word_that_was_meant(string gate, string refusal)
    {
        Assert.Equal(5, await _terminal.RunAsync("run", "smoke", "--gate", gate));

        Assert.StartsWith($"The gate '{gate}' {refusal}", _terminal.Error);
    }

    [Fact]
    public async Task A_file_for_gates_that_cannot_be_written_is_refused_before_anything_runs()
    {
        var file = Path.Combine("nowhere", "gates.xml");

        Assert.Equal(5, await _terminal.RunAsync("run", "smoke", "--dry-run", "--junit", file));

        Assert.Matches(@"^--junit '.*gates.xml' cannot be written \(.+\): name a file in a folder that exists\.$", _terminal.Error.Trim());
        Assert.Empty(_terminal.Output);
    }

    [Fact]
    public async Task A_gate_of_an_AA_run_is_refused_if_it_names_arms_that_are_not_run()
    {
        Assert.Equal(5, await _terminal.RunAsync("run", "smoke", "--aa", "pubsub", "--gate", "pubsub.loss == 0"));

        Assert.StartsWith("--gate names direct and pubsub, which are not arms of an A/A run: omit it", _terminal.Error);
    }

    [Fact]
    public async Task An_output_folder_with_something_in_it_is_refused()
    {
        var folder = Directory.CreateTempSubdirectory("out-").FullName;
        await File.WriteAllTextAsync(Path.Combine(folder, "keep"), "");

        Assert.Equal(5, await _terminal.RunAsync("run", "smoke", "--dry-run", "--out", folder));

        Assert.Contains("is not empty: give --out a new one, or continue with --resume", _terminal.Error);
        Directory.Delete(folder, recursive: true);
    }
}
