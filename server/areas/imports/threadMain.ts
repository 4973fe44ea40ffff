import { parentPort } from 'node:worker_threads';
import { buildVisits } from './buildVisits';
import type { Calls, FromThread, ToThread } from './importThread';
import { readLogs } from './readLog';

/** Entry of the import thread: runs the tasks it receives, and calls the main thread for access to the stores. */
const port = parentPort;
if (port === null) throw new Error('this is the entry of a thread');

const waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }>();
let calls = 0;
const post = (message: FromThread, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

function call(name: keyof Calls, args: readonly unknown[], transfer: ArrayBuffer[] = []): Promise<never> {
  calls += 1;
  const number = calls;
  post({ call: number, name, args }, transfer);
  return new Promise((resolve, reject) => waiting.set(number, { resolve: resolve as (value: unknown) => void, reject }));
}

const store: Calls = {
  query: (...args) => call('query', args),
  queryBytes: (...args) => call('queryBytes', args),
  command: (...args) => call('command', args),
  insertBytes: (table, columns, rows, options) => call('insertBytes', [table, columns, rows, options], [rows.buffer as ArrayBuffer]),
  save: (...args) => call('save', args),
  tell: (...args) => call('tell', args),
};

async function run(task: Extract<ToThread, { task: unknown }>['task']): Promise<FromThread> {
  try {
    if (task.kind === 'read') return { done: await readLogs(task, { store, save: store.save, tell: store.tell }) };
    await buildVisits(store, task, store.tell);
    return { done: null };
  } catch (failed) {
    return { failed };
  }
}

port.on('message', (message: ToThread) => {
  if ('task' in message) return void run(message.task).then((end) => post(end));
  const number = 'response' in message ? message.response : message.refused;
  const pending = waiting.get(number);
  waiting.delete(number);
  if ('response' in message) pending?.resolve(message.value);
  else pending?.reject(new Error(String(message.error)));
});
