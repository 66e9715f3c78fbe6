// The official client of SQS against LocalSqs, at the address in the environment variable SQS_ENDPOINT.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  BatchEntryIdsNotDistinct, ChangeMessageVisibilityBatchCommand, ChangeMessageVisibilityCommand, CreateQueueCommand,
  DeleteMessageBatchCommand, DeleteMessageCommand, DeleteQueueCommand, EmptyBatchRequest, GetQueueAttributesCommand, GetQueueUrlCommand,
  InvalidAttributeName, InvalidAttributeValue, InvalidMessageContents, ListQueuesCommand, MessageNotInflight, PurgeQueueCommand,
  PurgeQueueInProgress, QueueDeletedRecently, QueueDoesNotExist, QueueNameExists, ReceiptHandleIsInvalid, ReceiveMessageCommand,
  SendMessageBatchCommand, SendMessageCommand, SetQueueAttributesCommand, SQSClient, TooManyEntriesInBatchRequest,
} from "@aws-sdk/client-sqs";

const sqs = new SQSClient({
  endpoint: process.env.SQS_ENDPOINT,
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  maxAttempts: 1,
});
let queues = 0;

async function createQueue(Attributes) {
  const QueueName = `node-${process.pid}-${++queues}`;
  return (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl;
}

const send = (QueueUrl, MessageBody, more) => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more }));

async function receive(QueueUrl, more, options) {
  return (await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...more }), options)).Messages ?? [];
}

async function attributes(QueueUrl) {
  return (await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }))).Attributes;
}

const deleteAll = (QueueUrl, messages) => sqs.send(new DeleteMessageBatchCommand({
  QueueUrl, Entries: messages.map(({ ReceiptHandle }, i) => ({ Id: `${i}`, ReceiptHandle })),
}));

// As the developer guide of SQS makes it. The client checks the MD5 of bodies, not this one.
function md5OfAttributes(attributes) {
  const hash = createHash("md5");
  function add(part) {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  }
  for (const name of Object.keys(attributes).sort()) {
    const { DataType, StringValue, BinaryValue } = attributes[name];
    add(name);
    add(DataType);
    hash.update(Buffer.from([BinaryValue ? 2 : 1]));
    add(BinaryValue ?? StringValue);
  }
  return hash.digest("hex");
}

test("a queue is created with its attributes, found, listed and deleted", async () => {
  const url = await createQueue({ VisibilityTimeout: "7", MessageRetentionPeriod: "3600", MaximumMessageSize: "1048576" });
  const name = url.split("/").at(-1);
  const all = await attributes(url);
  assert.equal(all.VisibilityTimeout, "7");
  assert.equal(all.QueueArn, `arn:aws:sqs:us-east-1:000000000000:${name}`);
  assert.equal((await sqs.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl, url);
  assert.deepEqual((await sqs.send(new ListQueuesCommand({ QueueNamePrefix: name }))).QueueUrls, [url]);
  await assert.rejects(sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: { VisibilityTimeout: "8" } })), QueueNameExists);
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: { VisibilityTimeout: "9" } }));
  assert.equal((await attributes(url)).VisibilityTimeout, "9");
  await sqs.send(new DeleteQueueCommand({ QueueUrl: url }));
  await assert.rejects(sqs.send(new GetQueueUrlCommand({ QueueName: name })), QueueDoesNotExist);
  await assert.rejects(sqs.send(new CreateQueueCommand({ QueueName: name })), QueueDeletedRecently);
});

test("queues are listed in pages", async () => {
  const urls = [await createQueue(), await createQueue(), await createQueue()];
  const found = [];
  let NextToken;
  do {
    const page = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: `node-${process.pid}-`, MaxResults: 2, NextToken }));
    found.push(...page.QueueUrls);
    NextToken = page.NextToken;
  } while (NextToken);
  for (const url of urls) assert.ok(found.includes(url));
});

test("a message comes back as it was sent, with its system attributes", async () => {
  const url = await createQueue();
  const body = "tab\t newline\r\n \"quoted\" back\\slash é 漢 😀 <>&'";
  const before = Date.now();
  const { MessageId } = await send(url, body); // The client checks the MD5 of both answers.
  const [message] = await receive(url, { MessageSystemAttributeNames: ["All"] });
  assert.equal(message.Body, body);
  assert.equal(message.MessageId, MessageId);
  assert.match(MessageId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.equal(message.Attributes.ApproximateReceiveCount, "1");
  assert.ok(Math.abs(Number(message.Attributes.SentTimestamp) - before) < 60_000);
  assert.ok(Number(message.Attributes.ApproximateFirstReceiveTimestamp) >= Number(message.Attributes.SentTimestamp));
  await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: message.ReceiptHandle }));
  assert.equal((await attributes(url)).ApproximateNumberOfMessagesNotVisible, "0");
});

test("a body of one MiB passes and one byte more does not", async () => {
  const url = await createQueue();
  await send(url, "x".repeat(1 << 20));
  assert.equal((await receive(url))[0].Body.length, 1 << 20);
  await assert.rejects(send(url, "x".repeat((1 << 20) + 1)), { name: "InvalidParameterValue" });
});

test("batches are sent, received and deleted, and their bad entries fail alone", async () => {
  const url = await createQueue();
  const sent = await sqs.send(new SendMessageBatchCommand({
    QueueUrl: url,
    Entries: [{ Id: "a", MessageBody: "A" }, { Id: "b", MessageBody: "\u0001" }, { Id: "c", MessageBody: "C" }],
  }));
  assert.deepEqual(sent.Successful.map(entry => entry.Id), ["a", "c"]);
  assert.deepEqual(sent.Failed.map(entry => [entry.Id, entry.Code, entry.SenderFault]), [["b", "InvalidMessageContents", true]]);
  const messages = await receive(url);
  assert.deepEqual(messages.map(message => message.Body), ["A", "C"]);
  const deleted = await sqs.send(new DeleteMessageBatchCommand({
    QueueUrl: url,
    Entries: [...messages, { ReceiptHandle: "nonsense" }].map((message, i) => ({ Id: `${i}`, ReceiptHandle: message.ReceiptHandle })),
  }));
  assert.deepEqual(deleted.Successful.map(entry => entry.Id), ["0", "1"]);
  assert.deepEqual(deleted.Failed.map(entry => [entry.Id, entry.Code]), [["2", "ReceiptHandleIsInvalid"]]);
});

test("a long poll is woken by a send", async () => {
  const url = await createQueue();
  const poll = receive(url, { WaitTimeSeconds: 20 });
  await send(url, "awake");
  assert.deepEqual((await poll).map(message => message.Body), ["awake"]);
});

test("a poll that was aborted takes no message with it", async () => {
  const url = await createQueue();
  const abort = new AbortController();
  const poll = receive(url, { WaitTimeSeconds: 20 }, { abortSignal: abort.signal });
  const gone = assert.rejects(poll, { name: "AbortError" });
  await attributes(url); // It has had time to arrive, or is aborted on its way: both must be right.
  abort.abort();
  await gone;
  await send(url, "still here");
  assert.deepEqual((await receive(url, { WaitTimeSeconds: 20 })).map(message => message.Body), ["still here"]);
});

test("a delayed message comes after its delay, and not before", async () => {
  const url = await createQueue();
  await send(url, "later", { DelaySeconds: 1 });
  assert.equal((await attributes(url)).ApproximateNumberOfMessagesDelayed, "1");
  assert.deepEqual(await receive(url), []);
  assert.deepEqual((await receive(url, { WaitTimeSeconds: 20 })).map(message => message.Body), ["later"]);
});

test("visibility is changed, alone and in batches", async () => {
  const url = await createQueue();
  await send(url, "x");
  const [first] = await receive(url);
  await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: first.ReceiptHandle, VisibilityTimeout: 0 }));
  const [second] = await receive(url, { MessageSystemAttributeNames: ["ApproximateReceiveCount"] });
  assert.equal(second.Attributes.ApproximateReceiveCount, "2");
  await assert.rejects(
    sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: first.ReceiptHandle, VisibilityTimeout: 5 })),
    MessageNotInflight);
  const changed = await sqs.send(new ChangeMessageVisibilityBatchCommand({
    QueueUrl: url, Entries: [{ Id: "x", ReceiptHandle: second.ReceiptHandle, VisibilityTimeout: 0 }],
  }));
  assert.deepEqual(changed.Successful.map(entry => entry.Id), ["x"]);
  assert.equal((await receive(url)).length, 1);
});

test("a message received too often goes to the dead-letter queue", async () => {
  const dead = await createQueue();
  const deadLetterTargetArn = (await attributes(dead)).QueueArn;
  const url = await createQueue({ RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 }) });
  await send(url, "poison");
  for (let i = 0; i < 2; i++) assert.equal((await receive(url, { VisibilityTimeout: 0 })).length, 1);
  assert.deepEqual(await receive(url), []);
  assert.deepEqual((await receive(dead)).map(message => message.Body), ["poison"]);
  assert.deepEqual(JSON.parse((await attributes(url)).RedrivePolicy), { deadLetterTargetArn, maxReceiveCount: 2 });
});

test("a purge empties the queue, once a minute", async () => {
  const url = await createQueue();
  await send(url, "x");
  await sqs.send(new PurgeQueueCommand({ QueueUrl: url }));
  assert.deepEqual(await receive(url), []);
  await assert.rejects(sqs.send(new PurgeQueueCommand({ QueueUrl: url })), PurgeQueueInProgress);
});

test("errors have the classes that the client knows", async () => {
  const url = await createQueue();
  const batch = Entries => sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  await assert.rejects(send(url + "-not", "x"), QueueDoesNotExist);
  await assert.rejects(send(url, "\u0000"), InvalidMessageContents);
  await assert.rejects(batch([]), EmptyBatchRequest);
  await assert.rejects(batch([{ Id: "a", MessageBody: "x" }, { Id: "a", MessageBody: "y" }]), BatchEntryIdsNotDistinct);
  await assert.rejects(batch(Array.from({ length: 11 }, (_, i) => ({ Id: `${i}`, MessageBody: "x" }))), TooManyEntriesInBatchRequest);
  await assert.rejects(sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: "nonsense" })), ReceiptHandleIsInvalid);
  await assert.rejects(createQueue({ VisibilityTimeout: "43201" }), InvalidAttributeValue);
});

test("requested message attributes come back with their MD5", async () => {
  const url = await createQueue({ VisibilityTimeout: "0" });
  const MessageAttributes = {
    "trace.id": { DataType: "String", StringValue: "é 漢 😀 \"quoted\"\n" },
    "trace.hop": { DataType: "Number.int", StringValue: "7" },
    picture: { DataType: "Binary.png", BinaryValue: Uint8Array.from([0, 1, 254, 255]) },
  };
  const sent = await send(url, "x", { MessageAttributes });
  assert.equal(sent.MD5OfMessageAttributes, md5OfAttributes(MessageAttributes));
  const batch = await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: [{ Id: "a", MessageBody: "x", MessageAttributes }] }));
  assert.equal(batch.Successful[0].MD5OfMessageAttributes, sent.MD5OfMessageAttributes);

  const [all] = await receive(url, { MessageAttributeNames: ["All"] });
  assert.deepEqual(all.MessageAttributes, MessageAttributes);
  assert.equal(all.MD5OfMessageAttributes, sent.MD5OfMessageAttributes);
  const [some] = await receive(url, { MessageAttributeNames: ["trace.*"] });
  assert.deepEqual(Object.keys(some.MessageAttributes).sort(), ["trace.hop", "trace.id"]);
  assert.equal(some.MD5OfMessageAttributes, md5OfAttributes(some.MessageAttributes));
  const [none] = await receive(url);
  assert.equal(none.MessageAttributes, undefined);
  for (const MessageAttributes of [{ "AWS.x": { DataType: "String", StringValue: "x" } }, { x: { DataType: "String", StringValue: "" } }]) {
    await assert.rejects(send(url, "x", { MessageAttributes }), { name: "InvalidParameterValue" });
  }
});

test("a FIFO queue is refused with a sentence that says where to get one", async () => {
  const refused = { name: "UnsupportedOperation", message: /^LocalSqs has no FIFO queues: use fauxqs or LocalStack for ordered\.fifo/ };
  await assert.rejects(sqs.send(new CreateQueueCommand({ QueueName: "ordered.fifo", Attributes: { FifoQueue: "true" } })), refused);
  await assert.rejects(sqs.send(new CreateQueueCommand({ QueueName: "ordered.fifo" })), refused);
  await assert.rejects(createQueue({ ContentBasedDeduplication: "true" }), InvalidAttributeName);
  await assert.rejects(send(await createQueue(), "x", { MessageDeduplicationId: "1" }), { name: "InvalidParameterValue" });
});

test("the group of a message is kept and shown", async () => {
  const url = await createQueue();
  await send(url, "x", { MessageGroupId: "tenant" });
  const [message] = await receive(url, { MessageSystemAttributeNames: ["All"] });
  assert.equal(message.Attributes.MessageGroupId, "tenant");
  assert.equal(message.Attributes.SequenceNumber, undefined);
});
