import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { appendFromVisitor, findConversationOf, markVisitorRead, readAfter } from '../../server/areas/support';
import { dataOf } from '../support/app';
import { caseCounts } from '../support/caseCounts';
import { makeSupportFixture } from './supportFixture';
import type { SupportFixture } from './supportFixture';

/** Several senders write to one conversation at the same time, repeat what they sent, edit and resolve, while a reader resumes at any moment. */
let f: SupportFixture;
beforeAll(async () => {
  f = await makeSupportFixture();
});
afterAll(() => f.program.close());

const act = fc.record({ kind: fc.constantFrom('visitor', 'agent', 'note', 'edit', 'resolve', 'read'), key: fc.nat(5), repeats: fc.nat(2) });
type Act = { readonly kind: 'visitor' | 'agent' | 'note' | 'edit' | 'resolve' | 'read'; readonly key: number; readonly repeats: number };

test('concurrent senders get each message once, in one order for every reader', async () => {
  const counts = caseCounts('repeated', 'edited', 'resumed');
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 14 }), fc.integer({ min: 1, max: 3 }), async (acts, size) => {
      const visitor = await f.visitor();
      const { conversation } = await f.start(visitor, 'start');
      const { id, siteId } = conversation;
      f.expectOk(await f.reply(id, 'answer'));
      const keys = new Map<string, string>();
      const clientId = ({ kind, key }: Act): string => {
        const name = `${kind === 'note' ? 'agent' : kind} ${key}`;
        keys.set(name, keys.get(name) ?? randomUUID());
        return keys.get(name) ?? '';
      };
      const acknowledged = new Map<string, Set<number>>();
      const acknowledge = (name: string, seq: number): void => void acknowledged.set(name, (acknowledged.get(name) ?? new Set()).add(seq));
      const play = async (one: Act): Promise<void> => {
        const name = clientId(one);
        if (one.kind === 'resolve') f.expectOk(await f.change(id, { state: 'resolved' }));
        else if (one.kind === 'read') await markVisitorRead(f.ctx, conversation, one.key);
        else if (one.kind === 'visitor') {
          const sent = await appendFromVisitor(f.ctx, {
            siteId,
            conversationId: id,
            clientId: name,
            kind: 'text',
            body: name,
            delaySeconds: 60,
            blocked: false,
          });
          acknowledge(name, sent.row.message.seq);
        } else if (one.kind === 'edit') {
          const own = (await f.messages(id)).rows.find(({ author, deletedAt }) => author === 'agent' && deletedAt === null);
          if (!own) return;
          f.expectOk(await f.agent.send('PATCH', f.at(`/conversations/${id}/messages/${own.seq}`), { body: `${own.body}!` }));
          counts.count('edited');
        } else {
          const response = await f.reply(id, name, { clientId: name, kind: one.kind === 'note' ? 'note' : 'text' });
          f.expectOk(response);
          acknowledge(name, dataOf<{ seq: number }>(response).seq);
        }
      };

      // What a reader has who resumes after the version of the last page, again and again while all this happens.
      const read = new Map<number, string>();
      let after = 0;
      const readOn = async (): Promise<void> => {
        for (let more = true; more;) {
          const row = await findConversationOf(f.ctx, visitor, id);
          if (!row) throw new Error('the conversation is missing');
          const page = await readAfter(f.ctx.postgres.db, row, after, size);
          for (const { message } of page.rows) read.set(message.seq, message.body);
          if (page.rows.length > 0) counts.count('resumed');
          ({ version: after, more } = page);
        }
      };
      const writing = Promise.all(acts.flatMap((one) => Array.from({ length: one.repeats + 1 }, () => play(one))));
      let done = false;
      const reading = (async () => {
        while (!done) await readOn();
      })();
      await writing;
      done = true;
      await reading;
      await readOn();

      const { rows } = await f.messages(id);
      const whole = rows.toSorted((a, b) => a.seq - b.seq);
      expect(read).toEqual(new Map(whole.map(({ seq, body }) => [seq, body])));
      for (const [name, seqs] of acknowledged) {
        expect([name, seqs.size]).toEqual([name, 1]);
        expect(whole.filter((row) => row.clientId === name).map(({ seq }) => seq)).toEqual([...seqs]);
        counts.count('repeated');
      }
      expect(new Set(whole.map(({ version }) => version)).size).toBe(whole.length);
      expect(await f.conversation(id)).toMatchObject({ version: Math.max(...whole.map(({ version }) => version)) });
    }),
    { numRuns: 10, interruptAfterTimeLimit: 25_000 },
  );
  counts.expectAtLeast(5);
}, 60_000);
