import { spawn } from 'node:child_process';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../test/support/program';
import { until } from '../../test/support/until';

/**
 * A Ghost with one published article, for comparison. `GHOST` names the folder of an installed Ghost 5, which is not a dependency: extract the package `ghost@5.99.1`, run
 * `yarn install --production --ignore-scripts` in it, and build SQLite's binding with `npx node-gyp rebuild` in `node_modules/sqlite3`.
 */
export type Ghost = { readonly version: string; readonly page: string; readonly stop: () => Promise<void> };

const person = { name: 'Bench', email: 'bench@ghost.example', password: 'correct horse battery staple', blogTitle: 'Bench' };

async function send(origin: string, call: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin, 'accept-version': 'v5.0', ...(cookie !== '' && { cookie }) };
  const response = await fetch(`${origin}/ghost/api/admin/${call}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`Ghost answered ${String(response.status)} to ${call}: ${await response.text()}`);
  return response;
}

async function publish(origin: string, title: string, html: string): Promise<string> {
  await send(origin, 'authentication/setup/', { setup: [person] });
  const session = await send(origin, 'session/', { username: person.email, password: person.password });
  const cookie = session.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  // Ghost answers before it has stored the session.
  await until(async () => (await fetch(`${origin}/ghost/api/admin/users/me/`, { headers: { origin, cookie } })).ok);
  const response = await send(origin, 'posts/?source=html', { posts: [{ title, html, status: 'published' }] }, cookie);
  const { posts } = (await response.json()) as { posts: { url: string }[] };
  return posts[0]?.url ?? '';
}

/** null without `GHOST`. `scratch`: a folder for its content and database. */
export async function startGhost(scratch: string, article: { readonly title: string; readonly html: string }): Promise<Ghost | null> {
  const folder = process.env.GHOST;
  if (folder === undefined || folder === '') return null;
  const port = await freePort();
  const origin = `http://127.0.0.1:${String(port)}`;
  const content = path.join(scratch, 'ghost');
  await cp(path.join(folder, 'content'), content, { recursive: true });
  const settings = {
    NODE_ENV: 'production',
    url: origin,
    server__host: '127.0.0.1',
    server__port: String(port),
    database__client: 'sqlite3',
    database__connection__filename: path.join(scratch, 'ghost.db'),
    database__useNullAsDefault: 'true',
    paths__contentPath: content,
    mail__transport: 'stub',
    privacy__useUpdateCheck: 'false',
    logging__level: 'error',
  };
  const ghost = spawn(process.execPath, ['index.js'], { cwd: folder, stdio: 'ignore', env: { ...process.env, ...settings } });
  const ended = new Promise<void>((resolve) => ghost.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    ghost.kill();
    await ended;
  };
  try {
    await until(
      () =>
        fetch(origin).then(
          ({ ok }) => ok,
          () => false,
        ),
      120_000,
    );
    const page = await publish(origin, article.title, article.html);
    await until(async () => (await fetch(page)).ok);
    const { version } = (await import(path.join(folder, 'package.json'), { with: { type: 'json' } })) as { version: string };
    return { version, page, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
