using BenchmarkDotNet.Running;
using PubSubOverWs.Benchmarks;

BenchmarkSwitcher.FromAssembly(typeof(CodecBenchmarks).Assembly).Run(args);
