import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** Text files of a theme by path, such as `templates/home.liquid`. */
export type ThemeFiles = Readonly<Record<string, string>>;

/**
 * Why a template was not rendered. `template`: it is wrong; `limit`: it needs more time, memory or output than is allowed. `file` within the theme; line and
 * column count from 1.
 */
export type TemplateFailure = {
  readonly reason: 'template' | 'limit';
  readonly message: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
};

/** A template could not be rendered. */
export class TemplateError extends Error {
  readonly failure: TemplateFailure;
  constructor(failure: TemplateFailure) {
    super(failure.message);
    this.failure = failure;
  }
}
/** Too many pages are waiting to be rendered. */
export class RenderingBusy extends Error {}

export type Rendering = {
  /** Identifies the files: the same name always has the same files. */
  readonly theme: string;
  /** Called when the thread does not have the theme yet. */
  readonly files: () => Promise<ThemeFiles>;
  /** Path of the template without `.liquid`. */
  readonly template: string;
  /** Only what JSON can express reaches the template, and no empty texts: in Liquid they would count as true. */
  readonly data: unknown;
};

export type RenderPool = {
  /** HTML of a template. Throws `TemplateError` or `RenderingBusy`. */
  readonly render: (rendering: Rendering) => Promise<string>;
  /** Errors of all templates of a theme, without rendering them. */
  readonly check: (files: ThemeFiles) => Promise<readonly TemplateFailure[]>;
  readonly close: () => Promise<void>;
};

export type RenderLimits = {
  readonly threads: number;
  /** Milliseconds after which a thread that still renders is ended. LiquidJS checks its own limit only between two parts of a template. */
  readonly timeout: number;
  /** Milliseconds in which a thread has to start, which do not count for its first page. */
  readonly startTimeout: number;
  /** Heap of a thread in megabytes. */
  readonly heapMb: number;
  /** Pages that wait, those of one theme among them, the bytes of their data together, and the bytes of the data of one page. */
  readonly waiting: number;
  readonly waitingPerTheme: number;
  readonly waitingBytes: number;
  readonly dataBytes: number;
  /** Bytes of the themes that one thread has parsed. */
  readonly themeBytes: number;
};
const defaultLimits: RenderLimits = {
  threads: 2,
  timeout: 1000,
  startTimeout: 30_000,
  heapMb: 96,
  waiting: 500,
  waitingPerTheme: 250,
  waitingBytes: 96 * 1024 ** 2,
  dataBytes: 4 * 1024 ** 2,
  themeBytes: 24 * 1024 ** 2,
};

type Task = {
  readonly message:
    | { readonly operation: 'check'; readonly files: ThemeFiles }
    | { readonly operation: 'render'; readonly theme: string; readonly template: string; readonly data: string };
  /** Approximate size in memory. */
  readonly bytes: number;
  /** Files of the theme of a rendering, if the thread does not have it. */
  readonly files: () => Promise<ThemeFiles>;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
};
type Response = { readonly id: number } & (
  | { readonly ready: true }
  | { readonly html: string }
  | { readonly failures: readonly TemplateFailure[] }
  | { readonly failure: TemplateFailure }
);

/** `template-worker.js` next to main.js in the build, where this file is part of a bundle. */
const entryFile = (): string =>
  fileURLToPath(import.meta.url.endsWith('.ts') ? new URL('./worker.mjs', import.meta.url) : new URL('./template-worker.js', import.meta.url));

const sizeOf = (files: ThemeFiles): number => Object.values(files).reduce((sum, text) => sum + text.length * 2, 0);

const exceeded = (what: string): TemplateError =>
  new TemplateError({ reason: 'limit', message: `${what} limit exceeded`, file: null, line: null, column: null });

/** One thread: a task at a time. After a task that exceeded a limit the thread is replaced. */
class RenderThread {
  readonly #limits: RenderLimits;
  /** Themes that the thread has, the least recently used first, with their bytes. */
  #themes = new Map<string, number>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(limits: RenderLimits) {
    this.#limits = limits;
  }

  /** The thread once it can render. Throws if it does not start, which is not the fault of a template. */
  async #started(): Promise<Worker> {
    if (this.#worker) return this.#worker;
    const { heapMb, startTimeout } = this.#limits;
    const worker = new Worker(entryFile(), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    worker.unref();
    this.#worker = worker;
    this.#themes = new Map();
    try {
      await this.#responseOf(worker, 0, startTimeout, () => new Error('the thread did not start in time'));
      return worker;
    } catch (error) {
      await this.#end(worker);
      throw error;
    }
  }

  /** Makes space for a theme; the names of those that the thread must forget. */
  #admit(theme: string, bytes: number): string[] {
    const forget: string[] = [];
    let total = bytes + [...this.#themes.values()].reduce((sum, one) => sum + one, 0);
    for (const [name, size] of this.#themes) {
      if (total <= this.#limits.themeBytes) break;
      this.#themes.delete(name);
      forget.push(name);
      total -= size;
    }
    this.#themes.set(theme, bytes);
    return forget;
  }

  async #messageFor({ message, files }: Task): Promise<object> {
    if (message.operation === 'check') return message;
    const known = this.#themes.get(message.theme);
    if (known !== undefined) {
      this.#themes.delete(message.theme);
      this.#themes.set(message.theme, known);
      return message;
    }
    const texts = await files();
    return { ...message, files: texts, forget: this.#admit(message.theme, sizeOf(texts)) };
  }

  async run(task: Task): Promise<Response> {
    const worker = await this.#started();
    const id = ++this.#lastId;
    const message = await this.#messageFor(task);
    if (this.#worker !== worker) throw new Error('the thread ended');
    try {
      worker.postMessage({ id, ...message });
      return await this.#responseOf(worker, id, this.#limits.timeout, () => exceeded('time'));
    } catch (error) {
      await this.#end(worker);
      throw error;
    }
  }

  async #end(worker: Worker): Promise<void> {
    if (this.#worker === worker) this.#worker = null;
    await worker.terminate();
  }

  /** What the thread answers to a message; 0: that it has started. */
  #responseOf(worker: Worker, id: number, timeout: number, late: () => Error): Promise<Response> {
    let timer: NodeJS.Timeout | undefined;
    const response = new Promise<Response>((resolve, reject) => {
      timer = setTimeout(() => reject(late()), timeout);
      worker.removeAllListeners();
      // They stay after the response, because an error of a thread that nobody listens to ends the program.
      worker.on('error', (error: NodeJS.ErrnoException) => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? exceeded('memory') : error));
      worker.once('exit', () => {
        // Also of a thread that ends while it is idle.
        if (this.#worker === worker) this.#worker = null;
        reject(new Error('the thread ended'));
      });
      worker.on('message', (received: Response) => {
        if (received.id === id) resolve(received);
      });
    });
    return response.finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }
}

/** The theme that a task renders; null: it checks one. */
const themeOf = ({ message }: Pick<Task, 'message'>): string | null => (message.operation === 'render' ? message.theme : null);

/** Renders templates that people of a site wrote, in threads without access to the program: what a template exhausts is its own thread. */
export function openRenderPool(changes: Partial<RenderLimits> = {}): RenderPool {
  const limits = { ...defaultLimits, ...changes };
  const idle = Array.from({ length: limits.threads }, () => new RenderThread(limits));
  const threads = [...idle];
  const queue: Task[] = [];
  let queuedBytes = 0;
  /** Tasks that are running, by thread. */
  const running = new Map<RenderThread, Task>();

  /** The next task: one of a theme that no thread renders if there is any, so that a slow theme never holds up all others. */
  function next(): Task | undefined {
    const busy = new Set([...running.values()].map(themeOf));
    const at = Math.max(
      0,
      queue.findIndex((task) => !busy.has(themeOf(task))),
    );
    const [task] = queue.splice(at, 1);
    queuedBytes -= task?.bytes ?? 0;
    return task;
  }
  async function work(thread: RenderThread): Promise<void> {
    for (let task = next(); task; task = next()) {
      running.set(thread, task);
      try {
        task.resolve(await thread.run(task));
      } catch (error) {
        task.reject(error instanceof Error ? error : new Error(String(error)));
      }
      running.delete(thread);
    }
    idle.push(thread);
  }
  function add(message: Task['message'], bytes: number, files: Task['files']): Promise<Response> {
    const theme = themeOf({ message });
    const isFull =
      queue.length >= limits.waiting ||
      queuedBytes + bytes > limits.waitingBytes ||
      (theme !== null && queue.filter((task) => themeOf(task) === theme).length >= limits.waitingPerTheme);
    if (isFull) return Promise.reject(new RenderingBusy());
    return new Promise((resolve, reject) => {
      queue.push({ message, bytes, files, resolve, reject });
      queuedBytes += bytes;
      const thread = idle.pop();
      if (thread) void work(thread);
    });
  }

  return {
    async render({ theme, files, template, data }) {
      const json = JSON.stringify(data, (_, value: unknown) => (value === '' ? null : value));
      if (json.length > limits.dataBytes) throw exceeded('data');
      const response = await add({ operation: 'render', theme, template, data: json }, json.length * 2, files);
      if ('html' in response) return response.html;
      throw new TemplateError('failure' in response ? response.failure : { reason: 'template', message: 'no response', file: null, line: null, column: null });
    },
    async check(files) {
      const response = await add({ operation: 'check', files }, sizeOf(files), () => Promise.resolve(files));
      return 'failures' in response ? response.failures : 'failure' in response ? [response.failure] : [];
    },
    async close() {
      for (const { reject } of queue.splice(0)) reject(new RenderingBusy());
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
