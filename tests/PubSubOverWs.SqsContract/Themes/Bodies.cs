using System.Text;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// Bodies are text: #x9 #xA #xD #x20-#xD7FF #xE000-#xFFFD #x10000-#x10FFFF
/// (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html). The client checks the MD5 of both answers.
/// </summary>
internal static class Bodies
{
    [Behaviour]
    public static Task Tabs_blanks_and_line_ends_come_back(Trial trial) => RoundTripAsync(trial, " \t a\nb\r\nc\rd\n\t ");

    [Behaviour]
    public static Task Quotes_backslashes_and_markup_come_back(Trial trial) =>
        RoundTripAsync(trial, """{"a":"\"b\"","c":"\\d\\","e":'f'} <g href="h">&amp;</g> \u0041 %20 +""");

    [Behaviour]
    public static Task Every_character_from_U_0020_to_U_D7FF_comes_back(Trial trial) => RoundTripAsync(trial, Characters(0x20, 0xD7FF));

    [Behaviour]
    public static Task Every_character_from_U_E000_to_U_FFFD_comes_back(Trial trial) => RoundTripAsync(trial, Characters(0xE000, 0xFFFD));

    [Behaviour]
    public static Task Characters_of_every_plane_above_come_back(Trial trial) => RoundTripAsync(
        trial,
        "😀" + string.Concat(Enumerable.Range(1, 16).Select(plane => plane << 16).Select(
            plane => Characters(plane, plane + 0xFF) + Characters(plane + 0xFF00, plane + 0xFFFF))));

    [Behaviour]
    public static async Task Characters_may_be_escaped_in_JSON(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        var answer = await trial.Raw.CallAsync(
            "SendMessage", $$"""{"QueueUrl":"{{url}}","MessageBody":"\u0041\/\u00e9\"\\\u6f22\n\u007f"}""");

        answer.ShouldBeTaken();
        Assert.Equal("A/é\"\\漢\n\u007f", (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    [Behaviour]
    public static async Task Control_characters_are_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        foreach (var control in Enumerable.Range(0, 0x20).Select(code => (char)code).Except("\t\n\r"))
            await RefusesAsync(trial, url, $"a{control}b");
        Assert.Empty(await trial.Sqs.PollAsync(url));
    }

    [Behaviour]
    public static async Task The_noncharacters_U_FFFE_and_U_FFFF_are_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        await RefusesAsync(trial, url, "a\uFFFEb");
        await RefusesAsync(trial, url, "a\uFFFFb");
    }

    [Behaviour]
    public static async Task Half_of_a_surrogate_pair_is_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        var answer = await trial.Raw.CallAsync("SendMessage", $$"""{"QueueUrl":"{{url}}","MessageBody":"a\ud83db"}""");

        answer.ShouldBeRefusedWith(SqsErrorCode.InvalidMessageContents, "SerializationException");
    }

    [Behaviour]
    public static async Task An_empty_body_is_refused(Trial trial)
    {
        var url = await trial.CreateQueueAsync();

        (await trial.Raw.CallAsync("SendMessage", new { QueueUrl = url, MessageBody = "" })).ShouldBeRefusedWith("MissingParameter");
        (await trial.Raw.CallAsync("SendMessage", new { QueueUrl = url })).ShouldBeRefusedWith("MissingParameter");
    }

    [Behaviour]
    public static async Task The_MD5_of_a_body_comes_when_it_is_sent_and_when_it_is_received(Trial trial)
    {
        const string Md5 = "ea8ff0f51d05268331f70cb0e4a54d4b"; // printf smörgåsbord | md5sum
        var url = await trial.CreateQueueAsync();

        var sent = await trial.Raw.CallAsync("SendMessage", new { QueueUrl = url, MessageBody = "smörgåsbord" });
        var received = await trial.Raw.ReceiveOneAsync(url);

        Assert.Equal(Md5, sent.Json.GetProperty("MD5OfMessageBody").GetString());
        Assert.Equal(Md5, received.GetProperty("MD5OfBody").GetString());
    }

    [Behaviour]
    public static async Task Bytes_of_every_value_come_back_through_base64(Trial trial)
    {
        byte[] bytes = [.. Enumerable.Range(0, 256 * 256).Select(i => (byte)(i ^ (i >> 8)))];
        var url = await trial.CreateQueueAsync();

        await trial.Sqs.SendTextsAsync(url, Convert.ToBase64String(bytes));

        Assert.Equal(bytes, Convert.FromBase64String((await trial.Sqs.ReceiveOneAsync(url)).Text()));
    }

    private static async Task RoundTripAsync(Trial trial, string body)
    {
        var url = await trial.CreateQueueAsync();

        await trial.Sqs.SendTextsAsync(url, body);

        Assert.Equal(body, (await trial.Sqs.ReceiveOneAsync(url)).Text());
    }

    private static async Task RefusesAsync(Trial trial, string url, string body) =>
        (await trial.Raw.CallAsync("SendMessage", new { QueueUrl = url, MessageBody = body })).ShouldBeRefusedWith(
            SqsErrorCode.InvalidMessageContents);

    public static string Characters(int first, int last)
    {
        var text = new StringBuilder();
        for (var code = first; code <= last; code++)
            text.Append(new Rune(code).ToString());
        return text.ToString();
    }
}
