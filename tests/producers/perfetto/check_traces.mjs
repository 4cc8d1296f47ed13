// Opens Chrome traces of Lightcone with the trace processor of Perfetto, and compares what it found.
// Usage: node check_traces.mjs PROGRAM PERFETTO TRACE...; PERFETTO is a folder with trace_processor.wasm.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import vm from 'node:vm';

const [program, folder, ...traces] = process.argv.slice(2);
const run = (...words) =>
  execFileSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] });
const inFolder = (name) => path.join(folder, name);
const { EngineBase } = await import(pathToFileURL(inFolder('engine.mjs')).href);

/// The glue is made for a worker in a browser. It is given the bytes and a name for its bridge.
const loadGlue = () => {
  globalThis.self = globalThis;
  globalThis.WorkerGlobalScope = class {};
  globalThis.location = { href: `${pathToFileURL(folder).href}/` };
  globalThis.wasmBytes = new Uint8Array(readFileSync(inFolder('trace_processor.wasm')));
  const edits = {
    'this.useMemory64 = hasMemory64Support();': 'this.useMemory64 = false;',
    'locateFile: (s) => s,': 'locateFile: (s) => s, wasmBinary: globalThis.wasmBytes,',
    'const wasmBridge = new': 'const wasmBridge = globalThis.bridge = new',
  };
  let glue = readFileSync(inFolder('engine_bundle.node.js'), 'utf8');
  for (const [from, to] of Object.entries(edits)) {
    if (!glue.includes(from)) throw new Error(`the glue has no \`${from}\``);
    glue = glue.replace(from, to);
  }
  return glue;
};
const glue = loadGlue();

class Perfetto extends EngineBase {
  mode = 'WASM';
  id = 'check';
  constructor(port) {
    super();
    this.port = port;
    port.onmessage = ({ data }) => this.onRpcResponseBytes(data);
  }
  rpcSendRequestBytes(data) {
    this.port.postMessage(data);
  }
  /// The rows of a query, as lists of texts.
  async rows(sql) {
    const result = await this.query(sql);
    const rows = [];
    for (const row = result.iter({}); row.valid(); row.next()) {
      rows.push(result.columns().map((column) => String(row.get(column))));
    }
    return rows;
  }
}

const opened = async (bytes) => {
  vm.runInThisContext(glue);
  const channel = new MessageChannel();
  await globalThis.bridge.initialize(channel.port1);
  const perfetto = new Perfetto(channel.port2);
  await perfetto.parse(bytes);
  await perfetto.notifyEof();
  return perfetto;
};

const expectEqual = (what, found, expected) => {
  if (String(found) === String(expected)) return;
  throw new Error(`${what}: Perfetto has ${found}, Lightcone ${expected}`);
};

const check = async (trace) => {
  const info = JSON.parse(run('info', '--json', trace));
  const written = run('convert', trace, '-', '--to', 'chrome');
  const lines = run('convert', trace, '-', '--to', 'jsonl');
  const count = (text, part) => text.split(part).length - 1;
  const perfetto = await opened(new TextEncoder().encode(written));
  const counted = async (table) => (await perfetto.rows(`select count(*) from ${table}`))[0][0];
  const errors = `stats where severity in ('error', 'data_loss') and value > 0`;
  expectEqual('errors', await perfetto.rows(`select name, value from ${errors}`), '');
  expectEqual('threads', await counted('thread where tid > 0'), info.processes);
  expectEqual('slices', await counted('slice'), info.events + count(lines, '"kind": "init"'));
  expectEqual('nested slices', await counted('slice where depth > 0'), 0);
  expectEqual('flows', await counted('flow'), info.edges);
  expectEqual('counters', await counted('counter'), count(written, '{"ph": "C"'));
  // A flow goes from the send of a message to its receive, which may take several.
  const message = (slice) => `extract_arg(${slice}.arg_set_id, 'args.message')`;
  const wrong = await perfetto.rows(`select ${message('o')}, ${message('i')}
    from flow join slice o on slice_out = o.id join slice i on slice_in = i.id
    where ${message('o')} is null or ${message('o')} != ${message('i')}`);
  expectEqual('flows between other events', wrong, '');
  console.log(`perfetto: ${path.basename(trace)}: ${info.events} events, ${info.edges} flows`);
};

console.warn = () => {}; // about fields that only newer engines know
for (const trace of traces) await check(trace);
process.exit(0);
