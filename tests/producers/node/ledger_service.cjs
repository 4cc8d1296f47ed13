// The service as gRPC sees it; messages are JSON, so that no compiler is needed.
'use strict';
const write = (value) => Buffer.from(JSON.stringify(value));
const read = (bytes) => JSON.parse(bytes.toString());

exports.definition = {
  charge: {
    path: '/shop.Ledger/Charge',
    requestStream: false,
    responseStream: false,
    requestSerialize: write,
    requestDeserialize: read,
    responseSerialize: write,
    responseDeserialize: read,
  },
};
