import type { ProbeResult } from '../../../contract/hostnames/schemas';
import type { Answer, Answers } from './dns';
import { diagnose, reachableAt } from './doctor';

const none: Answer = { kind: 'none', values: [] };
const values = (...found: string[]): Answer => ({ kind: 'found', values: found });
const answers = (change: Partial<Answers>): Answers => ({ a: none, aaaa: none, cname: none, txt: none, caa: none, ...change });
const expected = { name: 'tea.sites.test', ipv4: ['203.0.113.1'], ipv6: ['2001:db8::1'] };
const sub = { host: 'www.tea.test', apex: 'tea.test', token: 'f'.repeat(32), contested: false };
const apex = { ...sub, host: 'tea.test' };
const quiet: ProbeResult = { state: 'unknown', detail: '' };
const arrived: ProbeResult = { state: 'ok', detail: '' };
const see = (name: typeof sub, change: Partial<Answers>, probe = quiet) => diagnose(name, answers(change), expected, probe, 'acme');

test.each<[string, typeof sub, Partial<Answers>, ProbeResult, string, boolean]>([
  ['a CNAME to the system host', sub, { cname: values('tea.sites.test'), a: values('203.0.113.1') }, quiet, 'ok', false],
  ['addresses of the listener', apex, { a: values('203.0.113.1'), aaaa: values('2001:DB8:0::1') }, quiet, 'ok', false],
  ['a stale AAAA record', apex, { a: values('203.0.113.1'), aaaa: values('2001:db8::7') }, quiet, 'conflict', false],
  ['addresses of a CDN that forwards', apex, { a: values('198.51.100.1') }, arrived, 'proxied', false],
  ['addresses of somebody else', apex, { a: values('198.51.100.1') }, quiet, 'mismatch', true],
  ['a CNAME to somebody else', sub, { cname: values('shop.test'), a: values('198.51.100.1') }, quiet, 'mismatch', true],
  ['no records', apex, {}, quiet, 'pending', true],
  ['no name', apex, { a: { kind: 'nxdomain', values: [] } }, quiet, 'nxdomain', true],
  ['failing name servers', apex, { a: { kind: 'servfail', values: [] } }, quiet, 'servfail', false],
  ['no answer', apex, { a: { kind: 'unreachable', values: [] }, aaaa: { kind: 'unreachable', values: [] } }, quiet, 'unreachable', false],
])('%s', (_case, name, change, probe, dns, wrong) => {
  expect(see(name, change, probe)).toMatchObject({ dns, wrong });
});

test('conflicting records are named', () => {
  const { records } = see(apex, { a: values('203.0.113.1', '198.51.100.1'), aaaa: values('2001:db8::1') });
  expect(records.find(({ type }) => type === 'A')).toMatchObject({ state: 'conflict', conflicts: ['198.51.100.1'], label: '@' });
});

test('only the TXT record of the hostname verifies it', () => {
  const verified = (text: string): boolean => see(sub, { txt: values(text, 'v=spf1') }).txtVerified;
  expect([verified(`site-verify=${sub.token}`), verified(`site-verify=${'0'.repeat(32)}`), verified(sub.token)]).toEqual([true, false, false]);
});

test('a CAA record that forbids the authority is a conflict', () => {
  const state = (...records: string[]) => see(sub, { caa: values(...records) }).records.find(({ type }) => type === 'CAA')?.state;
  expect([state('0 issue "letsencrypt.org"'), state('0 issue "digicert.com"'), state('0 iodef "mailto:a@b.c"'), state()]).toEqual([
    'fine',
    'conflict',
    'fine',
    undefined,
  ]);
});

test('a hostname is requested at the addresses that lead here', () => {
  expect(reachableAt(answers({ a: values('198.51.100.1', '203.0.113.1') }), expected)).toEqual(['203.0.113.1']);
  expect(reachableAt(answers({ a: values('198.51.100.1') }), expected)).toEqual(['198.51.100.1']);
});
