import type { ProbeResult, RecordCheck } from '../../../contract/hostnames/schemas';
import type { DnsState, RecordState, TlsMode } from '../../../contract/hostnames/terms';
import { noRecords } from './dns';
import type { Answer, Answers } from './dns';
import type { HostnameRow } from './queries';
import type { Target } from './target';

/** Certificate authority that certificates are requested from automatically. */
const authority = 'letsencrypt.org';

type Name = Pick<HostnameRow, 'host' | 'apex' | 'token' | 'contested'>;
export type Diagnosis = {
  readonly dns: DnsState;
  readonly records: readonly RecordCheck[];
  readonly txtVerified: boolean;
  /** The records or the request say for certain that the hostname does not lead here. */
  readonly wrong: boolean;
};

const noAnswers: Answers = { a: noRecords, aaaa: noRecords, cname: noRecords, txt: noRecords, caa: noRecords };

export const verification = (token: string): string => `site-verify=${token}`;
const labelOf = (name: string, apex: string): string => (name === apex ? '@' : name.slice(0, -apex.length - 1));
const silent = ({ kind }: Answer): boolean => kind === 'unreachable' || kind === 'servfail';
/** IPv6 addresses are written in several ways. */
const plain = (address: string): string => (address.includes(':') ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address);

type Compared = {
  readonly state: RecordState;
  readonly found: readonly string[];
  readonly conflicts: readonly string[];
  readonly right: boolean;
  readonly foreign: boolean;
};

function compare(answer: Answer, expected: readonly string[]): Compared {
  const ours = new Set(expected.map(plain));
  const conflicts = answer.values.filter((value) => !ours.has(plain(value)));
  const right = answer.values.length > conflicts.length;
  const state = silent(answer) ? 'unreachable' : answer.values.length === 0 ? 'missing' : conflicts.length === 0 ? 'fine' : right ? 'conflict' : 'wrong';
  return { state, found: answer.values, conflicts, right, foreign: conflicts.length > 0 };
}

/** What the names of the delivery listener resolve to is as good as its configured addresses. */
export type Expected = { readonly name: string; readonly ipv4: readonly string[]; readonly ipv6: readonly string[] };

function addressRecord(type: 'A' | 'AAAA', { host, apex }: Name, answer: Answer, expected: readonly string[], optional: boolean): Compared & RecordCheck {
  const compared = compare(answer, expected);
  // An address family that is not used must be empty: visitors who prefer it would end up elsewhere.
  const state: RecordState = expected.length === 0 && compared.foreign ? 'conflict' : optional && compared.state === 'missing' ? 'optional' : compared.state;
  return {
    ...compared,
    type,
    name: host,
    label: labelOf(host, apex),
    expected: [...expected],
    found: [...compared.found],
    conflicts: [...compared.conflicts],
    state,
  };
}

/** The CNAME of a subdomain; with one, its addresses are those of the name it leads to. */
function cnameRecord({ host, apex }: Name, answer: Answer, target: string, addressed: boolean): Compared & RecordCheck {
  const compared = compare(answer, [target]);
  const state: RecordState = compared.state === 'missing' && addressed ? 'optional' : compared.state;
  return {
    ...compared,
    type: 'CNAME',
    name: host,
    label: labelOf(host, apex),
    expected: [target],
    found: [...compared.found],
    conflicts: [...compared.conflicts],
    state,
  };
}

function txtRecord({ host, apex, token, contested }: Name, answer: Answer): RecordCheck & { readonly verified: boolean } {
  const name = `_sitecheck.${host}`;
  const expected = verification(token);
  const verified = answer.values.some((value) => value === expected);
  const state: RecordState = verified ? 'fine' : silent(answer) ? 'unreachable' : !contested ? 'optional' : answer.values.length > 0 ? 'wrong' : 'missing';
  return { type: 'TXT', name, label: labelOf(name, apex), expected: [expected], found: [...answer.values], conflicts: [], state, verified };
}

/** CAA records matter where certificates are requested automatically: with none, every authority may issue. */
function caaRecord({ host, apex }: Name, answer: Answer, mode: TlsMode): RecordCheck | null {
  const issuers = answer.values.filter((value) => / issue "/.test(value));
  const matters = mode === 'acme' || mode === 'caddy';
  if (answer.values.length === 0 && !(matters && silent(answer))) return null;
  const allowed = issuers.length === 0 || issuers.some((value) => value.includes(`"${authority}`));
  const state: RecordState = silent(answer) ? 'unreachable' : !matters || allowed ? 'fine' : 'conflict';
  const expected = matters ? [`0 issue "${authority}"`] : [];
  return { type: 'CAA', name: host, label: labelOf(host, apex), expected, found: [...answer.values], conflicts: [], state };
}

function stateOf(answers: Answers, checks: readonly Compared[], probe: ProbeResult): DnsState {
  const parts = [answers.a, answers.aaaa, answers.cname];
  const right = checks.some((one) => one.right);
  const foreign = checks.some((one) => one.foreign);
  if (right) return foreign ? 'conflict' : 'ok';
  if (foreign) return probe.state === 'ok' ? 'proxied' : 'mismatch';
  if (probe.state === 'ok') return 'ok';
  if (parts.some(({ kind }) => kind === 'servfail')) return 'servfail';
  if (parts.some(({ kind }) => kind === 'unreachable')) return 'unreachable';
  return parts.some(({ kind }) => kind === 'nxdomain') ? 'nxdomain' : 'pending';
}

/** The addresses at which a hostname is requested: those that lead here, if any do, because others are reported as conflicts. */
export function reachableAt({ a, aaaa, cname }: Answers, expected: Expected): readonly string[] {
  const ours = [...expected.ipv4, ...expected.ipv6];
  const compared = [...a.values, ...aaaa.values];
  // A resolver does not always follow a CNAME to the system host.
  if (compared.length === 0 && cname.values.some((name) => name === expected.name)) return ours;
  const right = new Set(ours.map(plain));
  const leadHere = compared.filter((address) => right.has(plain(address)));
  return leadHere.length > 0 ? leadHere : compared;
}

/** Compares what is expected with what was found. An answer that did not arrive is never wrong. */
export function diagnose(name: Name, answers: Answers, expected: Expected, probe: ProbeResult, mode: TlsMode): Diagnosis {
  const isApex = name.host === name.apex;
  const viaCname = answers.cname.values.length > 0;
  const cname = isApex
    ? null
    : cnameRecord(name, answers.cname, expected.name, compare(answers.a, expected.ipv4).right || compare(answers.aaaa, expected.ipv6).right);
  // With a CNAME to the system host, the addresses are its own.
  const follows = cname?.right === true && !cname.foreign;
  const addresses = follows
    ? []
    : [
        addressRecord('A', name, answers.a, expected.ipv4, expected.ipv4.length === 0 || !isApex),
        addressRecord('AAAA', name, answers.aaaa, expected.ipv6, expected.ipv6.length === 0 || !isApex),
      ];
  const checks = [...(cname === null ? [] : [cname]), ...(viaCname && !follows ? [] : addresses)];
  const txt = txtRecord(name, answers.txt);
  const caa = caaRecord(name, answers.caa, mode);
  const dns = stateOf(answers, checks, probe);
  const records: readonly RecordCheck[] = [
    ...(cname === null ? [] : [cname]),
    ...(viaCname ? [] : addresses.filter((one) => one.expected.length > 0 || one.found.length > 0)),
    txt,
    ...(caa ? [caa] : []),
  ];
  return {
    dns,
    // Without what only the comparison needs.
    records: records.map(({ type, name: full, label, expected: values, found, conflicts, state }) => ({
      type,
      name: full,
      label,
      expected: values,
      found,
      conflicts,
      state,
    })),
    txtVerified: txt.verified,
    wrong: probe.state !== 'ok' && ['mismatch', 'nxdomain', 'pending'].includes(dns),
  };
}

/** The records to create, before anything was looked up. */
export const firstRecords = (name: Name, expected: Expected, mode: TlsMode): readonly RecordCheck[] =>
  diagnose(name, noAnswers, expected, { state: 'unknown', detail: '' }, mode).records;

/** Resolves the system host where the operator named no addresses. */
export const expectedOf = (target: Target, a: Answer, aaaa: Answer): Expected => ({
  name: target.name,
  ipv4: target.ipv4.length + target.ipv6.length > 0 ? target.ipv4 : a.values,
  ipv6: target.ipv4.length + target.ipv6.length > 0 ? target.ipv6 : aaaa.values,
});
