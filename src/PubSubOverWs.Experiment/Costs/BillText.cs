using System.Globalization;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Costs;

/// <summary>A <see cref="QueueBill"/> as people read it.</summary>
public static class BillText
{
    /// <summary>Such as <c>3,000 to 30,000 requests to SQS, $0.0012 to $0.012 at $0.40 per million</c>.</summary>
    public static string Expected(QueueBill bill) =>
        $"{Count(bill.ExpectedAtLeast)} to {Count(bill.ExpectedAtMost)} requests to SQS, "
        + $"{Dollars(bill.Dollars(bill.ExpectedAtLeast))} to {Dollars(bill.Dollars(bill.ExpectedAtMost))} at "
        + $"{Dollars(bill.PricePerMillion)} per million";

    /// <summary>Such as <c>3,100 were made, $0.0012</c>.</summary>
    public static string Made(QueueBill bill) =>
        bill.Made is { } made ? $"{Count(made)} were made, {Dollars(bill.Dollars(made))}" : "how many were made is not known";

    private static string Count(long requests) => requests.ToString("N0", CultureInfo.InvariantCulture);

    // Cents and two digits more: a run costs less than one.
    private static string Dollars(decimal dollars) => dollars.ToString("'$'0.00##", CultureInfo.InvariantCulture);
}
