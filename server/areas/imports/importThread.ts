import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { BuildRequest } from './buildVisits';
import type { LogReading, ReadingHost } from './readLog';
import type { Progress } from './progress';

/** The tasks of the thread: reading logs into hits, or building visits from stored hits. Both use a CPU for minutes, while the main thread serves requests. */
export type Task = ({ readonly kind: 'read' } & LogReading) | ({ readonly kind: 'build' } & BuildRequest);
export type Calls = ReadingHost['store'] & Pick<ReadingHost, 'save' | 'tell'>;
export type CallName = keyof Calls;

/** From the thread: a numbered call, or the end of the task. */
export type FromThread =
  | { readonly call: number; readonly name: CallName; readonly args: readonly unknown[] }
  | { readonly done: Progress | null }
  | { readonly failed: unknown };
/** To the thread: a task, or the result of a call. */
export type ToThread = { readonly task: Task } | { readonly response: number; readonly value: unknown } | { readonly refused: number; readonly error: unknown };

export type ImportThread = {
  /** Runs one task at a time; its calls are executed in the main thread. A failing call ends the task with its error. */
  readonly run: (task: Task, calls: Calls) => Promise<Progress | null>;
  /** Call it while no task is running. It need not be awaited, because the thread is idle. */
  readonly close: () => void;
};

/** Heap limits of the thread in megabytes: place and user agent caches take a few hundred, and the data in progress is bounded. */
const heap = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 64 };

/** `import-thread.js` next to main.js in the build. */
function entryFile(): string {
  const built = fileURLToPath(new URL('./import-thread.js', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('./threadFromSource.mjs', import.meta.url));
}

/** A thread for the work of one import. Rows are transferred without copying. */
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
          post({ response: call, value }, value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : []);
        } catch (error) {
          // The error object stays in this thread, because its type determines what happens to the job.
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
              const responding = respond(message.call, message.name, message.args).finally(() => open.delete(responding));
              open.add(responding);
            }
          });
          worker.once('error', reject);
          worker.once('exit', (code) => reject(new Error(`the thread of the import ended with ${code}`)));
          post({ task });
        });
      } catch (error) {
        throw (failure as { readonly error: unknown } | null)?.error ?? error;
      } finally {
        // Waits for open calls: nothing may be written after an import has stopped.
        await Promise.all(open);
      }
    },
    close: () => void worker.terminate(),
  };
}
