// A shop of three services that log with pino: `node shop.mjs > shop.log`, after `npm install pino`.
import pino from 'pino';

const service = (name) => pino({base: {service: name}}, pino.destination({sync: true}));
const gateway = service('gateway');
const payment = service('payment');
const warehouse = service('warehouse');

const send = (from, what, id) => from.info({requestId: id}, `${what} sent`);
const receive = (at, what, id) => at.info({requestId: id}, `${what} received`);

function charge(order) {
  receive(payment, 'request', `charge-${order}`);
  payment.info({event: 'paid', order, amount: 10 * order}, 'charged the card');
  send(payment, 'response', `charge-${order}`);
}

function ship(order) {
  receive(warehouse, 'request', `ship-${order}`);
  warehouse.info({event: 'shipped', order}, 'parcel left');
}

// An ordinary order: the warehouse is asked when the payment has answered.
gateway.info({event: 'ordered', order: 1}, 'new order');
send(gateway, 'request', 'charge-1');
charge(1);
receive(gateway, 'response', 'charge-1');
send(gateway, 'request', 'ship-1');
ship(1);

// An express order: nothing waits for the payment, which is fast enough today.
gateway.info({event: 'ordered', order: 2}, 'new order, express');
send(gateway, 'request', 'charge-2');
send(gateway, 'request', 'ship-2');
charge(2);
ship(2);
receive(gateway, 'response', 'charge-2');
