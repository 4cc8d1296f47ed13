// Authorises orders over HTTP, and works through a queue: one span for several messages, with links.
'use strict';
const tracer = require('./telemetry.cjs').start('payments');
const { setTimeout: sleep } = require('node:timers/promises');
const http = require('node:http');
const { context, propagation, trace, SpanKind } = require('@opentelemetry/api');

const body = async (request) => {
  let text = '';
  for await (const part of request) text += part;
  return JSON.parse(text);
};

const authorise = (order) =>
  tracer.startActiveSpan('authorise', { attributes: { 'order.id': order } }, async (span) => {
    await sleep(5);
    span.end();
  });

/// A batch: its parent is the sender of the first message, and it is linked to all of them.
const work = (messages) => {
  const senders = messages.map((message) => propagation.extract(context.active(), message.headers));
  const links = senders.map((sender) => ({ context: trace.getSpanContext(sender) }));
  const span = tracer.startSpan(
    'receipts process',
    { kind: SpanKind.CONSUMER, links, attributes: { 'messaging.batch.message_count': messages.length } },
    senders[0],
  );
  span.end();
};

const server = http.createServer(async (request, response) => {
  const content = await body(request);
  if (request.url === '/authorise') await authorise(content.order);
  response.end('{}');
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
// The queue is the channel between these processes: no instrumentation knows it.
process.on('message', ({ messages }) => work(messages));
