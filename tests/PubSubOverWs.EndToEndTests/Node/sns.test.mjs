// The official client of SNS against LocalSqs, at the address in the environment variable SQS_ENDPOINT.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  BatchEntryIdsNotDistinctException, BatchRequestTooLongException, CreateTopicCommand, DeleteTopicCommand, EmptyBatchRequestException,
  GetSubscriptionAttributesCommand, GetTopicAttributesCommand, InvalidBatchEntryIdException, InvalidParameterException,
  ListSubscriptionsByTopicCommand, ListTopicsCommand, NotFoundException, PublishBatchCommand, PublishCommand,
  SetSubscriptionAttributesCommand, SNSClient, SubscribeCommand, TooManyEntriesInBatchRequestException, UnsubscribeCommand,
} from "@aws-sdk/client-sns";
import {
  CreateQueueCommand, GetQueueAttributesCommand, InvalidAttributeValue, ReceiveMessageCommand, SetQueueAttributesCommand, SQSClient,
} from "@aws-sdk/client-sqs";

const options = {
  endpoint: process.env.SQS_ENDPOINT,
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  maxAttempts: 1,
};
const sns = new SNSClient(options);
const sqs = new SQSClient(options);
let names = 0;

const newName = () => `node-sns-${process.pid}-${++names}`;

const createTopic = async () => (await sns.send(new CreateTopicCommand({ Name: newName() }))).TopicArn;

const subscribe = (TopicArn, Endpoint, more) => sns.send(new SubscribeCommand({
  TopicArn, Endpoint, Protocol: "sqs", Attributes: { RawMessageDelivery: "true" }, ...more,
}));

const policy = (queueArn, topicArn) => JSON.stringify({
  Version: "2012-10-17",
  Statement: [{
    Effect: "Allow", Principal: { Service: "sns.amazonaws.com" }, Action: "sqs:SendMessage", Resource: queueArn,
    Condition: { ArnEquals: { "aws:SourceArn": topicArn } },
  }],
});

async function createQueue(topicArn) {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: newName() }));
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] }));
  const Policy = policy(Attributes.QueueArn, topicArn);
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
  return { url: QueueUrl, arn: Attributes.QueueArn, policy: Policy };
}

async function receive(QueueUrl) {
  return ((await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))).Messages ?? []).map(message => message.Body);
}

const batch = (TopicArn, ...entries) => sns.send(new PublishBatchCommand({
  TopicArn, PublishBatchRequestEntries: entries.map(([Id, Message]) => ({ Id, Message })),
}));

test("a topic is created, found, listed, described and deleted", async () => {
  const arn = await createTopic();
  const Name = arn.split(":").at(-1);
  assert.equal((await sns.send(new CreateTopicCommand({ Name }))).TopicArn, arn);
  assert.ok((await sns.send(new ListTopicsCommand())).Topics.some(topic => topic.TopicArn === arn));
  assert.equal((await sns.send(new GetTopicAttributesCommand({ TopicArn: arn }))).Attributes.SubscriptionsConfirmed, "0");
  await sns.send(new DeleteTopicCommand({ TopicArn: arn }));
  await sns.send(new DeleteTopicCommand({ TopicArn: arn }));
  await assert.rejects(sns.send(new GetTopicAttributesCommand({ TopicArn: arn })), NotFoundException);
});

test("topics and subscriptions are listed in pages", async () => {
  const arns = await Promise.all(Array.from({ length: 101 }, createTopic));
  const found = [];
  let NextToken;
  do {
    const page = await sns.send(new ListTopicsCommand({ NextToken }));
    assert.ok(page.Topics.length <= 100);
    found.push(...page.Topics.map(topic => topic.TopicArn));
    NextToken = page.NextToken;
  } while (NextToken);
  assert.equal(new Set(found).size, found.length);
  for (const arn of arns) assert.ok(found.includes(arn));

  for (let i = 0; i < 101; i++) await subscribe(arns[0], `arn:aws:sqs:us-east-1:000000000000:none-${i}`);
  const first = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: arns[0] }));
  const second = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: arns[0], NextToken: first.NextToken }));
  assert.deepEqual([first.Subscriptions.length, second.Subscriptions.length, second.NextToken], [100, 1, undefined]);
  for (const TopicArn of arns) await sns.send(new DeleteTopicCommand({ TopicArn }));
});

test("a published message comes to every queue unchanged", async () => {
  const topic = await createTopic();
  const queues = [await createQueue(topic), await createQueue(topic), await createQueue(topic)];
  for (const queue of queues) await subscribe(topic, queue.arn);
  const text = "tab\t newline\r\n \"quoted\" back\\slash é 漢 😀 <>&' a=b&c=d %20 +";

  const { MessageId } = await sns.send(new PublishCommand({ TopicArn: topic, Message: text }));
  assert.match(MessageId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const { Successful, Failed } = await batch(topic, ["a", "A"], ["b", ""], ["c", "\u0001"], ["d", "D"]);

  assert.deepEqual(Successful.map(entry => entry.Id), ["a", "d"]);
  assert.deepEqual(
    Failed.map(entry => [entry.Id, entry.Code, entry.SenderFault]), [["b", "InvalidParameter", true], ["c", "InvalidParameter", true]]);
  for (const queue of queues) assert.deepEqual(await receive(queue.url), [text, "A", "D"]);
});

test("a subscription is found again, described and ended", async () => {
  const topic = await createTopic();
  const queue = await createQueue(topic);
  const { SubscriptionArn } = await subscribe(topic, queue.arn, { ReturnSubscriptionArn: true });
  assert.equal((await subscribe(topic, queue.arn)).SubscriptionArn, SubscriptionArn);
  const { Attributes } = await sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }));
  assert.deepEqual([Attributes.Endpoint, Attributes.RawMessageDelivery, Attributes.PendingConfirmation], [queue.arn, "true", "false"]);
  await sns.send(new SetSubscriptionAttributesCommand({ SubscriptionArn, AttributeName: "RawMessageDelivery", AttributeValue: "true" }));
  await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
  await batch(topic, ["a", "late"]);
  assert.deepEqual(await receive(queue.url), []);
  await assert.rejects(sns.send(new GetSubscriptionAttributesCommand({ SubscriptionArn })), NotFoundException);
});

test("a policy is kept as it was set, and a topic that it does not name brings nothing", async () => {
  const topic = await createTopic();
  const queue = await createQueue(await createTopic());
  await subscribe(topic, queue.arn);
  await batch(topic, ["a", "nothing for you"]);
  assert.deepEqual(await receive(queue.url), []);
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: queue.url, AttributeNames: ["Policy"] }));
  assert.equal(Attributes.Policy, queue.policy);
  const everybody = policy(queue.arn, topic).replace("{\"Service\":\"sns.amazonaws.com\"}", "\"*\"");
  await assert.rejects(
    sqs.send(new SetQueueAttributesCommand({ QueueUrl: queue.url, Attributes: { Policy: everybody } })), InvalidAttributeValue);
});

test("errors have the classes that the client knows", async () => {
  const topic = await createTopic();
  await assert.rejects(batch(topic + "-not", ["a", "x"]), NotFoundException);
  await assert.rejects(batch(topic), EmptyBatchRequestException);
  await assert.rejects(batch(topic, ["a", "x"], ["a", "y"]), BatchEntryIdsNotDistinctException);
  await assert.rejects(batch(topic, ["a b", "x"]), InvalidBatchEntryIdException);
  await assert.rejects(batch(topic, ...Array.from({ length: 11 }, (_, i) => [`${i}`, "x"])), TooManyEntriesInBatchRequestException);
  await assert.rejects(batch(topic, ["a", "x".repeat(1 << 18)], ["b", "y"]), BatchRequestTooLongException);
  await assert.rejects(sns.send(new PublishCommand({ TopicArn: topic, Message: "x".repeat((1 << 18) + 1) })), InvalidParameterException);
});

test("options that LocalSqs does not support are refused as a whole", async () => {
  const topic = await createTopic();
  const queue = await createQueue(topic);
  const refused = command => assert.rejects(sns.send(command), InvalidParameterException);
  await refused(new CreateTopicCommand({ Name: "ordered.fifo", Attributes: { FifoTopic: "true" } }));
  await refused(new CreateTopicCommand({ Name: "named", Attributes: { DisplayName: "x" } }));
  await refused(new PublishCommand({ TopicArn: topic, Message: "x", Subject: "s" }));
  await refused(new PublishCommand({ TopicArn: topic, Message: "x", MessageAttributes: { a: { DataType: "String", StringValue: "b" } } }));
  await refused(new PublishCommand({ PhoneNumber: "+15550100", Message: "x" }));
  await assert.rejects(subscribe(topic, "https://example.com/", { Protocol: "https" }), InvalidParameterException);
  await assert.rejects(subscribe(topic, queue.arn, { Attributes: undefined }), InvalidParameterException);
  await assert.rejects(subscribe(topic, queue.arn, { Attributes: { RawMessageDelivery: "false" } }), InvalidParameterException);
  await assert.rejects(
    subscribe(topic, queue.arn, { Attributes: { RawMessageDelivery: "true", FilterPolicy: "{}" } }), InvalidParameterException);
  await assert.rejects(subscribe(topic, queue.arn + ".fifo"), InvalidParameterException);
  const { SubscriptionArn } = await subscribe(topic, queue.arn);
  await refused(new SetSubscriptionAttributesCommand({ SubscriptionArn, AttributeName: "FilterPolicy", AttributeValue: "{}" }));
});
