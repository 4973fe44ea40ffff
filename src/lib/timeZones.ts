/** One IANA time zone in the reader's language. */
export type TimeZone = {
  /** `Asia/Shanghai`. */
  readonly id: string;
  /** `中国标准时间` · `China Time`. */
  readonly name: string;
  /** `UTC+8`, as of today (including daylight saving time). */
  readonly offset: string;
  readonly minutes: number;
};

/** The time zone of this browser, or the installation's default if the browser hides it. */
export function guessTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === undefined || zone === '' ? 'Asia/Shanghai' : zone;
}

const part = (zone: string, locale: string, style: 'longGeneric' | 'shortOffset', at: Date): string =>
  new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: style }).formatToParts(at).find((p) => p.type === 'timeZoneName')?.value ?? zone;

/** Zones whose places some browsers leave in Latin letters amid Chinese (“Urumqi时间”): their CLDR names. */
const chinese: Readonly<Record<string, string>> = {
  'America/Godthab': '努克时间',
  'America/Nuuk': '努克时间',
  'America/Inuvik': '北美山区时间',
  'America/Punta_Arenas': '蓬塔阿雷纳斯时间',
  'America/Scoresbysund': '斯科列斯比桑德时间',
  'Antarctica/Palmer': '帕尔默时间',
  'Antarctica/Troll': '特罗尔时间',
  'Asia/Urumqi': '乌鲁木齐时间',
  'Pacific/Bougainville': '布干维尔时间',
};

/** The zone's name in the reader's language, never half Chinese: an untranslated zone uses the place in its id. */
function nameOf(id: string, locale: string, at: Date): string {
  const name = part(id, locale, 'longGeneric', at);
  if (!/\p{Script=Latin}/u.test(name) || !/\p{Script=Han}/u.test(name)) return name;
  return chinese[id] ?? id.slice(id.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** Minutes east of Greenwich from `GMT+5:45`. */
function minutesOf(offset: string): number {
  const found = /([+-])(\d{1,2})(?::(\d{2}))?/.exec(offset);
  if (!found) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  return found[1] === '-' ? -minutes : minutes;
}

/** `Asia/Shanghai` → `{name: '中国标准时间', offset: 'UTC+8', …}`. An unknown id is its own name. */
export function describeTimeZone(id: string, locale: string, at = new Date()): TimeZone {
  try {
    const offset = part(id, 'en', 'shortOffset', at).replace('GMT', 'UTC');
    return { id, name: nameOf(id, locale, at), offset: offset === 'UTC' ? 'UTC+0' : offset, minutes: minutesOf(offset) };
  } catch {
    return { id, name: id, offset: '', minutes: 0 };
  }
}

const lists = new Map<string, readonly TimeZone[]>();

/** All zones of this browser, from west to east, then by id. Computed once per locale: it takes some 100 ms. */
export function timeZones(locale: string, include: readonly string[] = []): readonly TimeZone[] {
  const key = [locale, ...include].join('\n');
  const known = lists.get(key);
  if (known) return known;
  const at = new Date();
  const ids = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...include]);
  const list = [...ids].map((id) => describeTimeZone(id, locale, at)).sort((a, b) => a.minutes - b.minutes || (a.id < b.id ? -1 : 1));
  lists.set(key, list);
  return list;
}
