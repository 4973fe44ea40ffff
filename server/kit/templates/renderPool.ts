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
  /** Heap of a thread in megabytes. */
  readonly heapMb: number;
  /** Pages that wait, and bytes of the data of one page. */
  readonly waiting: number;
  readonly dataBytes: number;
  /** Bytes of the themes that one thread has parsed. */
  readonly themeBytes: number;
};
const defaultLimits: RenderLimits = { threads: 2, timeout: 1000, heapMb: 96, waiting: 500, dataBytes: 4 * 1024 ** 2, themeBytes: 24 * 1024 ** 2 };

type Task = {
  readonly message:
    | { readonly operation: 'check'; readonly files: ThemeFiles }
    | { readonly operation: 'render'; readonly theme: string; readonly template: string; readonly data: string };
  /** Files of the theme of a rendering, if the thread does not have it. */
  readonly files: () => Promise<ThemeFiles>;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
};
type Response = { readonly id: number } & (
  | { readonly html: string }
  | { readonly failures: readonly TemplateFailure[] }
  | { readonly failure: TemplateFailure }
);

/** `template-worker.js` next to main.js in the build, where this file is part of a bundle. */
const entryFile = (): string =>
  fileURLToPath(import.meta.url.endsWith('.ts') ? new URL('./worker.mjs', import.meta.url) : new URL('./template-worker.js', import.meta.url));

const sizeOf = (files: ThemeFiles): number => Object.values(files).reduce((sum, text) => sum + text.length * 2, 0);

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

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const { heapMb } = this.#limits;
    const worker = new Worker(entryFile(), {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    worker.unref();
    this.#worker = worker;
    this.#themes = new Map();
    return worker;
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
    const worker = this.#started();
    const id = ++this.#lastId;
    const message = await this.#messageFor(task);
    try {
      return await this.#respond(worker, { id, ...message });
    } catch (error) {
      this.#worker = null;
      await worker.terminate();
      throw error;
    }
  }

  #respond(worker: Worker, message: { readonly id: number }): Promise<Response> {
    let timer: NodeJS.Timeout | undefined;
    const response = new Promise<Response>((resolve, reject) => {
      const exceeded = (what: string) =>
        reject(new TemplateError({ reason: 'limit', message: `${what} limit exceeded`, file: null, line: null, column: null }));
      timer = setTimeout(() => exceeded('time'), this.#limits.timeout);
      worker.removeAllListeners();
      worker.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? exceeded('memory') : reject(error)));
      worker.once('exit', () => {
        // Also of a thread that ends while it is idle.
        if (this.#worker === worker) this.#worker = null;
        reject(new Error('the thread ended'));
      });
      worker.on('message', (received: Response) => {
        if (received.id === message.id) resolve(received);
      });
      worker.postMessage(message);
    });
    return response.finally(() => clearTimeout(timer));
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
    this.#worker = null;
  }
}

/** Renders templates that people of a site wrote, in threads without access to the program: what a template exhausts is its own thread. */
export function openRenderPool(changes: Partial<RenderLimits> = {}): RenderPool {
  const limits = { ...defaultLimits, ...changes };
  const idle = Array.from({ length: limits.threads }, () => new RenderThread(limits));
  const threads = [...idle];
  const queue: Task[] = [];

  async function work(thread: RenderThread): Promise<void> {
    for (let task = queue.shift(); task; task = queue.shift()) {
      try {
        task.resolve(await thread.run(task));
      } catch (error) {
        task.reject(error instanceof Error ? error : new Error(String(error)));
      }
    }
    idle.push(thread);
  }
  function add(message: Task['message'], files: Task['files']): Promise<Response> {
    if (queue.length >= limits.waiting) return Promise.reject(new RenderingBusy());
    return new Promise((resolve, reject) => {
      queue.push({ message, files, resolve, reject });
      const thread = idle.pop();
      if (thread) void work(thread);
    });
  }

  return {
    async render({ theme, files, template, data }) {
      const json = JSON.stringify(data, (_, value: unknown) => (value === '' ? null : value));
      if (json.length > limits.dataBytes) throw new TemplateError({ reason: 'limit', message: 'data limit exceeded', file: null, line: null, column: null });
      const response = await add({ operation: 'render', theme, template, data: json }, files);
      if ('html' in response) return response.html;
      throw new TemplateError('failure' in response ? response.failure : { reason: 'template', message: 'no response', file: null, line: null, column: null });
    },
    async check(files) {
      const response = await add({ operation: 'check', files }, () => Promise.resolve(files));
      return 'failures' in response ? response.failures : 'failure' in response ? [response.failure] : [];
    },
    async close() {
      for (const { reject } of queue.splice(0)) reject(new RenderingBusy());
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
