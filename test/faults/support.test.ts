import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import type { ConversationMessage } from '../../contract/support/conversations';
import type { Site } from '../../contract/sites/schemas';
import { addVisitor, startConversation } from '../../server/areas/support';
import { makeToken } from '../../server/kit/tokens';
import { dataOf, makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { freePort, runProgramOn, temporaryFolder } from '../support/program';
import type { RunningProgram } from '../support/program';
import { until } from '../support/until';

/** The real program is killed (SIGKILL) while agents answer, and restarted on the same stores; agents repeat what was not acknowledged. */
jest.setTimeout(120_000);

const folder = temporaryFolder();
let app: TestApp;
let owner: Person;
let site: Site;
let token: string;
let port: number;
let program: RunningProgram;

beforeAll(async () => {
  app = await makeTestApp({ config: { dataDir: folder.dataDir } });
  owner = await app.signUpOwner();
  site = await app.makeSite(owner);
  const response = await owner.send('POST', '/api/acc/tokens', { name: 'agents', scopes: ['support:read', 'support:write'], siteIds: null, days: 30 });
  token = dataOf<{ value: string }>(response).value;
  port = await freePort();
  await start();
});
afterAll(async () => {
  program.process.kill('SIGKILL');
  await program.ended;
  await app.close();
  folder.remove();
});

async function start(): Promise<void> {
  program = await runProgramOn(app.stores, { DATA_DIR: folder.dataDir, PORT: String(port), ROLES: 'web' });
}

async function conversation(): Promise<string> {
  const source = { landing: '/', referrer: '', campaign: '', medium: '', channel: 'direct' };
  const page = { url: '', title: '' };
  const visitor = await addVisitor(
    app.ctx,
    { siteId: site.id, address: '203.0.113.9', userAgent: '', language: 'en', analyticsId: null, source, page },
    makeToken(),
  );
  const first = {
    clientId: randomUUID(),
    kind: 'chat',
    messageId: randomUUID(),
    body: 'start',
    subject: '',
    language: 'en',
    page,
    delaySeconds: 60,
    blocked: false,
  } as const;
  return (await startConversation(app.ctx, visitor, first)).conversation.id;
}

/** The place of the message; null if it was not acknowledged. Throws if it was refused: sending it again would not help. */
async function send(id: string, clientId: string): Promise<number | null> {
  let response: Response;
  try {
    response = await fetch(`http://localhost:${port}/api/site/${site.id}/cs/conversations/${id}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ clientId, body: clientId }),
    });
    if (response.ok) return ((await response.json()) as { data: { seq: number } }).data.seq;
  } catch {
    return null;
  }
  if (response.status < 500) throw new Error(await response.text());
  return null;
}

test('a killed server loses nothing acknowledged and doubles nothing repeated', async () => {
  const id = await conversation();
  const acknowledged = new Map<string, number>();
  const waiting = new Set<string>();
  let killed = false;
  /** An agent who sends one message after the other, and repeats each until it is acknowledged. */
  async function agent(): Promise<void> {
    for (let i = 0; i < 12; i++) {
      const clientId = randomUUID();
      waiting.add(clientId);
      for (let seq: number | null = null; seq === null;) {
        seq = await send(id, clientId);
        if (seq !== null) acknowledged.set(clientId, seq);
        else await new Promise((resolve) => setTimeout(resolve, 50));
      }
      waiting.delete(clientId);
    }
  }
  const agents = [agent(), agent(), agent(), agent()];
  for (const bound of [8, 24]) {
    await until(() => acknowledged.size >= bound, 60_000);
    program.process.kill('SIGKILL');
    await program.ended;
    killed ||= waiting.size > 0;
    await start();
  }
  await Promise.all(agents);

  expect(killed).toBe(true);
  const { rows } = dataOf<{ rows: ConversationMessage[] }>(await owner.get(`/api/site/${site.id}/cs/conversations/${id}/messages?after=0&size=200`));
  const answers = rows.filter(({ author }) => author === 'agent');
  expect(answers).toHaveLength(48);
  expect(new Map(answers.map(({ clientId, seq }) => [clientId, seq]))).toEqual(acknowledged);
  // No place of the conversation is missing or taken twice.
  expect(rows.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(rows.map((_, i) => i + 1));
});
