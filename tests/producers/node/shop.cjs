// Takes orders over HTTP. An express order is charged while it is still being authorised: the bug.
'use strict';
const tracer = require('./telemetry.cjs').start('shop');
const http = require('node:http');
const grpc = require('@grpc/grpc-js');
const { context, propagation, trace, SpanKind } = require('@opentelemetry/api');
const { definition } = require('./ledger_service.cjs');

const Ledger = grpc.makeGenericClientConstructor(definition, 'Ledger');
const ledger = new Ledger(process.env.LEDGER, grpc.credentials.createInsecure());

const authorise = (order) =>
  new Promise((resolve, reject) => {
    const request = http.request(`${process.env.PAYMENTS}/authorise`, { method: 'POST' }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    request.on('error', reject);
    request.end(JSON.stringify({ order }));
  });

const chargeOnce = (order, amount) =>
  new Promise((resolve, reject) => {
    ledger.charge({ order, amount }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });

const charge = (order, amount) => chargeOnce(order, amount).catch(() => chargeOnce(order, amount));

const publish = (name) => {
  const span = tracer.startSpan(`${name} publish`, { kind: SpanKind.PRODUCER });
  const headers = {};
  propagation.inject(trace.setSpan(context.active(), span), headers);
  span.end();
  return { name, headers };
};

const buy = async ({ order, amount, express }) => {
  if (express) {
    await Promise.all([authorise(order), charge(order, amount)]);
  } else {
    await authorise(order);
    await charge(order, amount);
  }
  process.send({ messages: [publish('receipt'), publish('mail')] });
};

const server = http.createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  trace.getActiveSpan().setAttribute('order.id', JSON.parse(text).order);
  await buy(JSON.parse(text));
  response.end('{}');
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
