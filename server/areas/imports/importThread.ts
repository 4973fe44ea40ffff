import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { BuildRequest } from './buildVisits';
import type { LogReading, ReadingHost } from './readLog';
import type { Progress } from './progress';

/**
 * What the thread does: reads logs into hits, or makes visits of stored hits. Both keep a processor busy for minutes, and requests are answered by
 * the program's own thread.
 */
export type Task = ({ readonly kind: 'read' } & LogReading) | ({ readonly kind: 'build' } & BuildRequest);
export type Calls = ReadingHost['store'] & Pick<ReadingHost, 'save' | 'tell'>;
export type CallName = keyof Calls;

/** From the thread: a call with its number, or the end of the task. */
export type FromThread =
  | { readonly call: number; readonly name: CallName; readonly args: readonly unknown[] }
  | { readonly done: Progress | null }
  | { readonly failed: unknown };
/** To the thread: a task, or what came of a call. */
export type ToThread = { readonly task: Task } | { readonly answer: number; readonly value: unknown } | { readonly refused: number; readonly error: unknown };

export type ImportThread = {
  /** Does a task, one at a time, with the calls that it makes answered here. A call that fails ends the task with its error. */
  readonly run: (task: Task, calls: Calls) => Promise<Progress | null>;
  /** To be called when no task runs. Nobody has to wait for it: the thread has nothing left to do. */
  readonly close: () => void;
};

/** Megabytes of the thread's heap: places and agents are known by a few hundred, and what is being worked on is bounded. */
const heap = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 };

/** In the build `import-thread.js` beside main.js. */
function entryFile(): string {
  const built = fileURLToPath(new URL('./import-thread.js', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('./threadFromSource.mjs', import.meta.url));
}

/** A thread of its own for the work of one import. Rows go to and fro without being copied. */
export function startImportThread(): ImportThread {
  const worker = new Worker(entryFile(), { execArgv: [], resourceLimits: heap });
  const post = (message: ToThread, transfer: ArrayBuffer[] = []): void => worker.postMessage(message, transfer);

  return {
    async run(task, calls) {
      const open = new Set<Promise<void>>();
      let failure: { readonly error: unknown } | null = null;

      async function respond(call: number, name: CallName, args: readonly unknown[]): Promise<void> {
        try {
          const value = await (calls[name] as (...values: readonly unknown[]) => Promise<unknown>)(...args);
          post({ answer: call, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
        } catch (error) {
          // The error itself stays here: what it is decides what becomes of the job.
          failure ??= { error };
          post({ refused: call, error: error instanceof Error ? error.message : 'failed' });
        }
      }

      try {
        return await new Promise<Progress | null>((resolve, reject) => {
          worker.removeAllListeners();
          worker.on('message', (message: FromThread) => {
            if ('done' in message) resolve(message.done);
            else if ('failed' in message) reject(message.failed);
            else {
              const answering = respond(message.call, message.name, message.args).finally(() => open.delete(answering));
              open.add(answering);
            }
          });
          worker.once('error', reject);
          worker.once('exit', (code) => reject(new Error(`the thread of the import ended with ${code}`)));
          post({ task });
        });
      } catch (error) {
        throw (failure as { readonly error: unknown } | null)?.error ?? error;
      } finally {
        // Nothing may be written behind a stopped import.
        await Promise.all(open);
      }
    },
    close: () => void worker.terminate(),
  };
}
