import { Resolver } from 'node:dns/promises';
import type { CaaRecord } from 'node:dns';

/** What resolvers say about one type of record. `none`: the name exists without such records. */
export type Answer =
  | { readonly kind: 'found'; readonly values: readonly string[] }
  | { readonly kind: 'none' | 'nxdomain' | 'servfail' | 'unreachable'; readonly values: readonly [] };

export const noRecords: Answer = { kind: 'none', values: [] };

export type Answers = {
  readonly a: Answer;
  readonly aaaa: Answer;
  readonly cname: Answer;
  readonly txt: Answer;
  /** Of the name, or of the closest parent that has any (RFC 8659). */
  readonly caa: Answer;
};

export type Lookup = (type: 'A' | 'AAAA' | 'CNAME' | 'TXT' | 'CAA', name: string) => Promise<Answer>;

const timeoutMs = 3000;
/** An answer counts once this many resolvers gave it, because one may still have an old one. */
const agreeing = 2;

/** c-ares reports what arrived and what did not arrive in the same way; only these say something about the name. */
const kinds: Readonly<Record<string, 'none' | 'nxdomain' | 'servfail'>> = {
  ENODATA: 'none',
  ENOTFOUND: 'nxdomain',
  ESERVFAIL: 'servfail',
  EREFUSED: 'servfail',
};

async function ask(resolver: Resolver, type: Parameters<Lookup>[0], name: string): Promise<Answer> {
  try {
    const values = await valuesOf(resolver, type, name);
    return values.length === 0 ? noRecords : { kind: 'found', values: values.toSorted() };
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
    return { kind: kinds[code] ?? 'unreachable', values: [] };
  }
}

async function valuesOf(resolver: Resolver, type: Parameters<Lookup>[0], name: string): Promise<string[]> {
  switch (type) {
    case 'A':
      return resolver.resolve4(name);
    case 'AAAA':
      return resolver.resolve6(name);
    case 'CNAME':
      return (await resolver.resolveCname(name)).map((one) => one.toLowerCase().replace(/\.$/, ''));
    case 'TXT':
      return (await resolver.resolveTxt(name)).map((chunks) => chunks.join(''));
    case 'CAA':
      return (await resolver.resolveCaa(name)).map(caaText);
  }
}

const caaText = ({ critical, issue, issuewild, iodef }: CaaRecord): string => {
  const [tag, value] = issue !== undefined ? ['issue', issue] : issuewild !== undefined ? ['issuewild', issuewild] : ['iodef', iodef ?? ''];
  return `${critical} ${tag} "${value}"`;
};

const isAnswered = ({ kind }: Answer): boolean => kind !== 'unreachable';

/** The answer that two resolvers agree on; else the first one that says something about the name. */
function agreed(answers: readonly Answer[]): Answer {
  const counted = new Map<string, { answer: Answer; times: number }>();
  for (const answer of answers.filter(isAnswered)) {
    const key = `${answer.kind} ${answer.values.join('\n')}`;
    const before = counted.get(key);
    counted.set(key, { answer, times: (before?.times ?? 0) + 1 });
  }
  const sure = [...counted.values()].find(({ times }) => times >= agreeing);
  // One resolver may fail where others do not.
  return (
    sure?.answer ?? answers.find(({ kind }) => kind !== 'unreachable' && kind !== 'servfail') ?? answers.find(isAnswered) ?? { kind: 'unreachable', values: [] }
  );
}

/** Asks each of the servers (`address` or `address:port`; none: those of the machine) at the same time. */
export function lookupWith(servers: readonly string[]): Lookup {
  const resolvers = (servers.length === 0 ? [null] : servers).map((server) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
    if (server !== null) resolver.setServers([server]);
    return resolver;
  });
  return async (type, name) => agreed(await Promise.all(resolvers.map((resolver) => ask(resolver, type, name))));
}

/** CAA records apply to all names below them: the closest ones count, up to the registrable domain. */
async function closestCaa(lookup: Lookup, host: string, apex: string): Promise<Answer> {
  const answer = await lookup('CAA', host);
  if ((answer.kind !== 'none' && answer.kind !== 'nxdomain') || host === apex) return answer;
  return closestCaa(lookup, host.slice(host.indexOf('.') + 1), apex);
}

export async function lookUpAll(lookup: Lookup, { host, apex }: { readonly host: string; readonly apex: string }): Promise<Answers> {
  const [a, aaaa, cname, txt, caa] = await Promise.all([
    lookup('A', host),
    lookup('AAAA', host),
    // A CNAME beside the records that every registered domain has is not possible.
    host === apex ? noRecords : lookup('CNAME', host),
    lookup('TXT', `_sitecheck.${host}`),
    closestCaa(lookup, host, apex),
  ]);
  return { a, aaaa, cname, txt, caa };
}
