import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { FromCrawl, ToCrawl } from './protocol';

/** Megabytes of the heap of a crawl: 500 000 addresses that wait need some 200. New objects get what they have without that limit: half of it costs a tenth of the speed. */
export const crawlArguments: readonly string[] = ['--max-old-space-size=1024', '--max-semi-space-size=16'];
/** The program, which people wait for, comes first when the processors are full. */
const niceness = 10;

/** `crawl-process.js` next to main.js in the build. */
function entryFile(): string {
  const built = fileURLToPath(new URL('./crawl-process.js', import.meta.url));
  return existsSync(built) ? built : fileURLToPath(new URL('./processFromSource.mjs', import.meta.url));
}
/** What the process needs of the environment; it has no access to the databases and gets no secrets of stores. */
const inherited = ['PATH', 'NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'TZ', 'TEST_CRAWL_PROCESS', 'UV_THREADPOOL_SIZE'];

type Message = Exclude<FromCrawl, { readonly type: 'alive' }>;
export type CrawlProcess = {
  readonly pid: number | undefined;
  readonly send: (message: ToCrawl) => void;
  /** Milliseconds since the process last said anything. */
  readonly silence: () => number;
  /** Messages one after the other; ends with an error if the process does. */
  readonly next: () => Promise<Message>;
  readonly kill: () => void;
};

/** Reads the next message, which must have this type. Otherwise throws the failure of the process. */
export async function answerOf<T extends Message['type']>(child: CrawlProcess, type: T): Promise<Extract<Message, { readonly type: T }>> {
  const message: Message = await child.next();
  if (message.type !== type) throw new Error(message.type === 'failed' ? message.message : `unexpected message ${message.type}`);
  return message as Extract<Message, { readonly type: T }>;
}

function yieldToOthers(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It has ended already, which its channel tells.
  }
}

/** Starts the process of one crawl. It ends with this one: its channel closes. */
export function startCrawlProcess(): CrawlProcess {
  const env = Object.fromEntries(inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
  const child = fork(entryFile(), [], {
    serialization: 'advanced',
    execArgv: [...crawlArguments],
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  yieldToOthers(child.pid);
  const messages: Message[] = [];
  let waiting: { readonly resolve: (message: Message) => void; readonly reject: (error: Error) => void } | null = null;
  let failure: Error | null = null;
  // A clock that stands still while the machine sleeps.
  let heardAt = performance.now();

  function fail(error: Error): void {
    failure ??= error;
    waiting?.reject(failure);
    waiting = null;
  }
  child.on('message', (sent) => {
    heardAt = performance.now();
    const message = sent as FromCrawl;
    if (message.type === 'alive') return;
    if (waiting === null) messages.push(message);
    else {
      waiting.resolve(message);
      waiting = null;
    }
  });
  child.on('error', fail);
  child.on('exit', (code, signal) => fail(new Error(`the process of the crawl ended with ${code ?? signal}`)));

  return {
    pid: child.pid,
    // A message to a process that has ended is lost; `next` then rejects.
    send: (message) => void (child.connected && child.send(message)),
    silence: () => performance.now() - heardAt,
    next: () =>
      new Promise((resolve, reject) => {
        const message = messages.shift();
        if (message !== undefined) resolve(message);
        else if (failure !== null) reject(failure);
        else waiting = { resolve, reject };
      }),
    kill: () => void child.kill('SIGKILL'),
  };
}
