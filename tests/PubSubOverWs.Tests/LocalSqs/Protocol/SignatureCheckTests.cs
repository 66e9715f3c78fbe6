using System.ComponentModel.DataAnnotations;
using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>Whom LocalSqs answers, beyond what the contract says of signatures.</summary>
public sealed class SignatureCheckTests(LocalSqsHost host) : IClassFixture<LocalSqsHost>
{
    [Fact]
    public async Task A_signature_is_good_for_15_minutes()
    {
        using var old = host.CreateRequest("ListQueues", "{}");
        await LocalSqsHost.SignAsync(old);
        using var young = host.CreateRequest("ListQueues", "{}");
        await LocalSqsHost.SignAsync(young);

        host.Time.Advance(TimeSpan.FromMinutes(15));
        using var answer = await host.SendAsync(young);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);

        host.Time.Advance(TimeSpan.FromSeconds(1));
        await RefusedAsync(old, HttpStatusCode.Forbidden, "InvalidSignatureException");
    }

    [Theory]
    [InlineData("Bearer token")]
    [InlineData("AWS4-HMAC-SHA256 nothing")]
    [InlineData("AWS4-HMAC-SHA256 Credential=test/20260101/r/sqs/aws4_request, SignedHeaders=x-amz-date, Signature=00")]
    [InlineData("AWS4-HMAC-SHA256 Credential=test/20260101/r/sqs/aws4_request, SignedHeaders=host;x-amz-date, Signature=")]
    [InlineData("AWS4-HMAC-SHA256 Credential=test/19990101/r/sqs/aws4_request, SignedHeaders=host;x-amz-date, Signature=00")]
    public async Task An_incomplete_signature_is_refused(string authorization)
    {
        using var request = host.CreateRequest("ListQueues", "{}");
        request.Headers.TryAddWithoutValidation("Authorization", authorization);
        await RefusedAsync(request, HttpStatusCode.BadRequest, "IncompleteSignatureException");
    }

    [Fact]
    public async Task The_signature_covers_the_path_and_the_query()
    {
        using var request = host.CreateRequest("ListQueues", "{}");
        request.RequestUri = new Uri("http://localhost/000000000000/jobs?b=2&a=1");
        await LocalSqsHost.SignAsync(request);
        // The oracle signs without a query.
        await RefusedAsync(request, HttpStatusCode.Forbidden, "InvalidSignatureException");

        using var plain = host.CreateRequest("ListQueues", "{}");
        plain.RequestUri = new Uri("http://localhost/000000000000/jobs");
        await LocalSqsHost.SignAsync(plain);
        using var answer = await host.SendAsync(plain);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
    }

    [Fact]
    public async Task A_call_of_SQS_that_is_signed_for_SNS_is_refused()
    {
        using var request = host.CreateRequest("ListQueues", "{}");
        await LocalSqsHost.SignAsync(request, service: "sns");
        await RefusedAsync(request, HttpStatusCode.Forbidden, "InvalidSignatureException");
    }

    [Fact]
    public async Task A_web_page_that_uses_DNS_rebinding_is_refused_though_it_knows_the_key()
    {
        using var request = host.CreateRequest("ListQueues", "{}");
        request.Headers.Host = "rebound.example:9324";
        await LocalSqsHost.SignAsync(request);
        await RefusedAsync(request, HttpStatusCode.Forbidden, "AccessDeniedException");

        using var form = host.CreateSnsRequest("Action=ListTopics&Version=2010-03-31");
        form.Headers.Host = "rebound.example:9324";
        await LocalSqsHost.SignAsync(form, signedHeaders: "content-type;host;x-amz-date", service: "sns");
        using var answer = await host.SendAsync(form);
        Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
    }

    [Theory]
    [InlineData("localhost:9324", true)]
    [InlineData("127.0.0.9", true)]
    [InlineData("[::1]:9324", true)]
    [InlineData("192.0.2.1:9324", true)]
    [InlineData("QUEUE:9324", true)]
    [InlineData("queue.rebound.example", false)]
    [InlineData("127.0.0.1.rebound.example", false)]
    [InlineData("", false)]
    public void Calls_are_taken_at_addresses_at_localhost_and_at_the_names_that_are_set(string name, bool isHere)
    {
        var check = new SignatureCheck(new LocalSqsOptions { Hosts = "queue, other" }, host.Time);
        var request = new DefaultHttpContext().Request;
        request.Host = new HostString(name);

        var refused = Assert.Throws<SqsErrorException>(() => check.Read(request));

        // It is not signed either, which is looked at afterwards.
        Assert.Equal(isHere ? "MissingAuthenticationTokenException" : "AccessDeniedException", refused.Error.Code);
    }

    [Theory]
    [InlineData(false, "test", true)]
    [InlineData(true, "test", false)]
    [InlineData(true, "fifteen-letters", false)]
    [InlineData(true, "sixteen-letters!", true)]
    public void Listening_beyond_this_machine_requires_a_key_of_the_operators_own(bool allowNetwork, string secretKey, bool isTaken)
    {
        var options = new LocalSqsOptions { AllowNetwork = allowNetwork, SecretKey = secretKey };

        Assert.Equal(isTaken, Validator.TryValidateObject(options, new ValidationContext(options), [], validateAllProperties: true));
    }

    private async Task RefusedAsync(HttpRequestMessage request, HttpStatusCode status, string code)
    {
        using var response = await host.SendAsync(request);
        Assert.Equal(status, response.StatusCode);
        using var answer = JsonDocument.Parse(await response.Content.ReadAsStringAsync());
        Assert.EndsWith("#" + code, answer.RootElement.GetProperty("__type").GetString()!, StringComparison.Ordinal);
        Assert.NotEmpty(answer.RootElement.GetProperty("message").GetString()!);
    }
}
