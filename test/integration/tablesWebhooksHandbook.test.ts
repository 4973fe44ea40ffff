import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { signatureOf } from '../../server/kit/webhookSignature';
import { snippets } from '../../src/features/tables/webhooks/snippets';

/** The sample code of the handbook and the console must accept what the server signs. */
const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const body = '{"event":"record.updated","records":[{"values":{"title":"春天的茶"}}]}';
const id = 'msg_3f2a91c0_1842';
const now = Math.floor(Date.now() / 1000);
const headers = (sent: number, signature: string) => ({ 'webhook-id': id, 'webhook-timestamp': String(sent), 'webhook-signature': signature });
/** Requests to a receiver, and whether it must accept them. */
const cases: readonly (readonly [object, string, boolean])[] = [
  [headers(now, signatureOf(secret, id, now, body)), body, true],
  // During a rotation of the secret there are two signatures.
  [headers(now, `${signatureOf(other, id, now, body)} ${signatureOf(secret, id, now, body)}`), body, true],
  [headers(now, signatureOf(other, id, now, body)), body, false],
  [headers(now, signatureOf(secret, id, now, body)), `${body} `, false],
  [headers(now - 3600, signatureOf(secret, id, now - 3600, body)), body, false],
];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hooks-'));
  writeFileSync(path.join(folder, 'cases.json'), JSON.stringify(cases.map(([headerSet, text]) => [headerSet, text])));
  writeFileSync(path.join(folder, 'body.json'), body);
});
afterAll(() => rmSync(folder, { recursive: true }));

const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], WEBHOOK_SECRET: secret, WEBHOOK_ID: id, WEBHOOK_TIMESTAMP: String(now) };
const run = async (command: string, args: readonly string[]): Promise<string> => (await promisify(execFile)(command, args, { cwd: folder, env })).stdout.trim();
const has = (command: string, argument: string): boolean => spawnSync(command, [argument], { env }).status === 0;
const expected = JSON.stringify(cases.map(([, , good]) => good));

test.each(['zh', 'en'])('the handbook (%s) shows the same code as the console', (language) => {
  const page = readFileSync(path.join(import.meta.dirname, `../../docs/${language}/webhooks.md`), 'utf8');
  const blocks = [...page.matchAll(/^```(?:js|python|sh)\n([\s\S]*?)\n```$/gm)].map(([, code]) => code);
  expect(blocks).toEqual(Object.values(snippets));
});

test('Node.js accepts only signatures made with its secret', async () => {
  const ask = `import { readFileSync } from 'node:fs';\nconsole.log(JSON.stringify(JSON.parse(readFileSync('cases.json', 'utf8')).map(([headers, body]) => verify(headers, body))));`;
  writeFileSync(path.join(folder, 'verify.mjs'), `${snippets['Node.js']}\n${ask}\n`);
  expect(await run(process.execPath, ['verify.mjs'])).toBe(expected);
});

(has('python3', '--version') ? test : test.skip)('Python takes what was signed with its secret, and nothing else', async () => {
  const ask =
    'import json\nprint(json.dumps([verify(headers, body.encode()) for headers, body in json.load(open("cases.json", encoding="utf-8"))], separators=(",", ":")))';
  writeFileSync(path.join(folder, 'verify.py'), `${snippets.Python}\n${ask}\n`);
  expect(await run('python3', ['verify.py'])).toBe(expected);
});

(has('openssl', 'version') ? test : test.skip)('the command line prints the signature', async () => {
  expect(await run('sh', ['-c', snippets.openssl])).toBe(signatureOf(secret, id, now, body));
});
