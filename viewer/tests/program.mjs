// Starts `lightcone view` for tests, and stops it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.on('exit', () => stopAll());

/** The program under test. */
export const program = process.env.LIGHTCONE_PROGRAM ?? '';

/** A folder that is removed when the process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'lightcone-view-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the program to its end. Returns status, stdout and stderr. */
export function run(...words) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  return { status, stdout, stderr };
}

/** Writes a random trace; throws if that fails. */
export function generate(file, ...words) {
  const generator = process.env.LIGHTCONE_GENERATOR ?? program;
  const { status, stderr } = spawnSync(generator, ['generate', '-o', file, ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`generate failed: ${stderr}`);
}

const servers = new Set();

/** Ends all servers that are still there. */
export function stopAll() {
  for (const child of servers) child.kill('SIGKILL');
}

/** Serves a trace. Returns the address, its parts, and a function that ends the server. */
export async function serve(...words) {
  const child = spawn(program, ['view', '--no-open', ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  servers.add(child);
  child.on('exit', () => servers.delete(child));
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)));
  const address = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.on('exit', (code) => reject(new Error(`it ended with ${code}: ${errors}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    return ended;
  };
  const url = new URL(address);
  return { address, base: `${url.origin}/`, port: url.port, token: url.searchParams.get('token'), pid: child.pid, stop };
}
