// Publishes events to the stream that monitors share, and reads their verdicts, by the NATS client of npm.
// Usage: node share_stream.mjs URL. Fails if anything is missing or comes twice.
import assert from 'node:assert/strict';
import { connect, StringCodec } from 'nats';

const text = StringCodec();
const connection = await connect({ servers: process.argv[2] });
const stream = connection.jetstream();
const manager = await connection.jetstreamManager();
const bucket = await stream.views.kv('lightcone');
const partitions = Number(text.decode((await bucket.get('partitions')).value));

// FNV-1a, as docs/guides/monitoring.md says.
const partitionOf = (execution) => {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(execution)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash % partitions;
};

const executions = Array.from({ length: 20 }, (_, i) => `from npm ${i}`);
const line = (value) => `${JSON.stringify(value)}\n`;
const publish = (execution, lines) =>
  stream.publish(`lightcone.events.${partitionOf(execution)}`, text.encode(lines.join('')));
for (const execution of executions) {
  const event = (label, rank) => line({ process: 'bank', kind: 'internal', labels: [label], rank });
  const heading = line({ lightcone: 1, execution });
  await publish(execution, [heading, event('charge', 1), event('charge', 3)]);
  await publish(execution, [heading, event('charge', 1), event('authorise', 2)]);
  await publish(execution, [line({ lightcone: 1, execution, end: true })]);
}

// Each has a verdict on event 1, and a final one.
const told = new Map(executions.map((execution) => [execution, []]));
const consumer = await stream.consumers.get('lightcone-verdicts');
const messages = await consumer.consume();
const timer = setTimeout(() => messages.stop(), 30000);
for await (const message of messages) {
  const verdict = message.json();
  if (!told.has(verdict.execution)) continue;
  assert.equal(message.subject, `lightcone.verdicts.${partitionOf(verdict.execution)}`);
  told.get(verdict.execution).push(verdict);
  if ([...told.values()].every((verdicts) => verdicts.some((one) => one.final))) break;
}
clearTimeout(timer);
for (const [execution, verdicts] of told) {
  assert.deepEqual(verdicts.map((one) => one.sequence), [1, 2], execution);
  assert.deepEqual(verdicts[0].at, { process: 'bank', event: 1 });
  assert.equal(verdicts[1].verdict, 'fail');
  assert.equal(verdicts[1].found, 1);
}
const names = [];
for await (const info of manager.consumers.list('lightcone-events')) names.push(info.name);
assert.equal(names.length, partitions);
console.log(`${executions.length} executions of ${partitions} partitions are decided`);
await connection.close();
