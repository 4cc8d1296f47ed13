// Charges cards over gRPC. The first attempt for some orders fails.
'use strict';
const tracer = require('./telemetry.cjs').start('ledger');
const { setTimeout: sleep } = require('node:timers/promises');
const grpc = require('@grpc/grpc-js');
const { definition } = require('./ledger_service.cjs');

const attempts = new Map();

const charge = (call, callback) => {
  const { order, amount } = call.request;
  tracer.startActiveSpan('charge', { attributes: { 'order.id': order, amount } }, async (span) => {
    const attempt = (attempts.get(order) ?? 0) + 1;
    attempts.set(order, attempt);
    await sleep(20); // so that charges are later than authorisations, whether they waited or not
    if (order === 'order-3' && attempt === 1) {
      const error = { code: grpc.status.UNAVAILABLE, message: 'the ledger is busy' };
      span.recordException(error.message);
      span.setStatus({ code: 2, message: error.message });
      span.end();
      callback(error);
      return;
    }
    span.addEvent('booked', { amount });
    span.end();
    callback(null, { booked: true });
  });
};

const server = new grpc.Server();
server.addService(definition, { charge });
server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send({ port });
});
