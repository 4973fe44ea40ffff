import { readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';

/** One HTTP request. */
export type Shot = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: string;
  /** Beside those of the target; the content type is JSON by default. */ readonly headers?: Readonly<Record<string, string>>;
};
/** A program to send requests to, and the headers to send. */
export type Target = { readonly name: string; readonly url: string; readonly headers: () => Readonly<Record<string, string>> };
/** Processes whose processor time is measured: those of the program and those of its database. */
export type Processes = { readonly server: () => readonly number[]; readonly database: () => readonly number[] };

/** `p50`, `p95`: response time in ms. `server`, `database`: processor time per request, ms; null where the system does not report it. */
export type Figures = {
  readonly p50: number;
  readonly p95: number;
  readonly perSecond: number;
  readonly server: number | null;
  readonly database: number | null;
};

/** Sends one request and resolves with the body of the response; rejects on any status but 2xx, with the text of the response. */
export function send(target: Target, shot: Shot, agent?: http.Agent): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { method, path, body, headers } = shot;
    const content = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { method, ...(agent ? { agent } : {}), headers: { accept: 'application/json', ...target.headers(), ...content, ...headers } };
    const request = http.request(`${target.url}${path}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(Buffer.concat(chunks));
        else reject(new Error(`${target.name}: ${method} ${path} ${status} ${Buffer.concat(chunks).toString().slice(0, 500)}`));
      });
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** Sends shots over `connections` connections, at most `times` shots and for at most `seconds`, after a warm-up of three per connection. */
export async function shootMany(
  target: Target,
  processes: Processes,
  connections: number,
  bound: { readonly times: number; readonly seconds: number },
  shotOf: (n: number) => Shot,
): Promise<Figures> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  let next = 0;
  const took: number[] = [];
  const each = (work: () => Promise<void>): Promise<unknown> => Promise.all(Array.from({ length: connections }, work));
  try {
    await each(async () => {
      for (let n = 0; n < 3; n += 1) await send(target, shotOf(next++), agent);
    });
    const before = { server: processorTimes(processes.server()), database: processorTimes(processes.database()) };
    const begun = performance.now();
    const first = next;
    await each(async () => {
      while (next < first + bound.times && performance.now() - begun < bound.seconds * 1000) {
        const shot = shotOf(next++);
        const at = performance.now();
        await send(target, shot, agent);
        took.push(performance.now() - at);
      }
    });
    const seconds = (performance.now() - begun) / 1000;
    const used = (of: 'server' | 'database'): number | null => {
      const now = processorTimes(processes[of]());
      // All the time of a process that has started meanwhile counts; a process that has ended is not counted.
      const sum = Array.from(now, ([pid, ms]) => ms - (before[of].get(pid) ?? 0)).reduce((all, ms) => all + ms, 0);
      return now.size === 0 ? null : sum / took.length;
    };
    took.sort((a, b) => a - b);
    const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
    return { p50: at(0.5), p95: at(0.95), perSecond: took.length / seconds, server: used('server'), database: used('database') };
  } finally {
    agent.destroy();
  }
}

/** Returns the processor time of each process so far, ms. Linux reports it per thread, in nanoseconds. */
function processorTimes(pids: readonly number[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const pid of pids) {
    try {
      const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
      times.set(
        pid,
        threads.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]) / 1e6, 0),
      );
    } catch {
      // It has ended, or this system has no such files.
    }
  }
  return times;
}

/** Returns a process and all its descendants. */
export function family(pid: number): number[] {
  const found = [pid];
  try {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const parents = all.map((name) => [Number(name), parentOf(Number(name))] as const);
    for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  } catch {
    // No such files: only the one.
  }
  return found;
}
/** Returns the parent process id; 0 where it is not known. */
export function parentOf(pid: number): number {
  try {
    // The program name is in brackets and may itself contain brackets.
    return Number(
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  } catch {
    return 0;
  }
}
