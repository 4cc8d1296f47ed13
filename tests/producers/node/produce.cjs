// Runs three services with OpenTelemetry and buys a few things. What their exporters post is written
// to files as it comes: FOLDER/shop.otlp.json, one document per line, and FOLDER/shop.zipkin.json.
// Usage: npm ci && node produce.cjs FOLDER
'use strict';
const { fork } = require('node:child_process');
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const folder = process.argv[2];
const files = { '/v1/traces': 'shop.otlp.json', '/api/v2/spans': 'shop.zipkin.json' };

/// Writes each body on a line of the file of its kind.
const collect = async () => {
  for (const name of Object.values(files)) fs.writeFileSync(path.join(folder, name), '');
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    fs.appendFileSync(path.join(folder, files[request.url]), `${body}\n`);
    response.writeHead(request.url === '/v1/traces' ? 200 : 202, { 'Content-Type': 'application/json' });
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const start = async (name, env) => {
  const child = fork(path.join(__dirname, `${name}.cjs`), { env: { ...process.env, ...env } });
  const [{ port }] = await once(child, 'message');
  return { child, port };
};

const stop = async ({ child }) => {
  child.kill('SIGTERM');
  await once(child, 'exit');
};

const buy = (port, order) =>
  new Promise((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', method: 'POST', path: '/buy' }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    request.on('error', reject);
    request.end(JSON.stringify(order));
  });

const main = async () => {
  const collector = await collect();
  const env = { COLLECTOR: `http://127.0.0.1:${collector.address().port}` };
  const ledger = await start('ledger', env);
  const payments = await start('payments', env);
  const shop = await start('shop', {
    ...env,
    LEDGER: `127.0.0.1:${ledger.port}`,
    PAYMENTS: `http://127.0.0.1:${payments.port}`,
  });
  shop.child.on('message', (message) => payments.child.send(message));
  for (let i = 1; i <= 6; ++i) {
    await buy(shop.port, { order: `order-${i}`, amount: 10 * i, express: i === 5 });
  }
  await sleep(100);
  for (const service of [shop, payments, ledger]) await stop(service);
  collector.close();
};

main();
