import type { ImportedKey, ImportedLine } from './importTerms';

type Property = { readonly name: string; readonly parameters: string; readonly value: string };

/** The name and parameters of a property must be within this many characters. */
const longestHead = 500;

/** Unfolds lines (RFC 6350, 3.2); each result has the number of its first line. */
function unfolded(text: string): { readonly line: number; readonly text: string }[] {
  // Parts are joined once at the end, because a value may have as many parts as the file has lines.
  const lines: { line: number; parts: string[]; head: string }[] = [];
  const add = (to: (typeof lines)[number], part: string): void => {
    to.parts.push(part);
    if (to.head.length < longestHead) to.head += part.slice(0, longestHead);
  };
  for (const [index, one] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .entries()) {
    const last = lines.at(-1);
    const end = last?.parts.at(-1) ?? '';
    if (last && /^[ \t]/.test(one)) add(last, one.slice(1));
    // Phones still write vCard 2.1, whose quoted-printable values fold with `=` at the end.
    else if (last && end.endsWith('=') && /^[^:]*QUOTED-PRINTABLE/i.test(last.head)) {
      last.parts[last.parts.length - 1] = end.slice(0, -1);
      add(last, one);
    } else lines.push({ line: index + 1, parts: [one], head: one.slice(0, longestHead) });
  }
  return lines.map(({ line, parts: all }) => ({ line, text: all.join('') }));
}

/** `item1.EMAIL;TYPE=work:a@example.com`; a colon inside quotes belongs to a parameter. */
function propertyOf(line: string): Property | null {
  const match = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/s.exec(line);
  if (!match) return null;
  const [, name = '', parameters = '', value = ''] = match;
  return { name: name.toUpperCase(), parameters: parameters.toUpperCase(), value: /QUOTED-PRINTABLE/i.test(parameters) ? unquoted(value) : value };
}

/** Quoted-printable (RFC 2045, 6.7) of UTF-8. */
const unquoted = (value: string): string => value.replaceAll(/(?:=[0-9A-F]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'));

const unescaped = (value: string): string => value.replaceAll(/\\([nN,;\\])/g, (_all, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign)).trim();
/** The parts between unescaped semicolons. */
const parts = (value: string): string[] => (value.match(/(?:\\.|[^;\\])+|(?<=;|^)(?=;|$)/g) ?? []).map(unescaped);
const joined = (value: string, by: string): string =>
  parts(value)
    .filter((part) => part !== '')
    .join(by);

const isPreferred = ({ parameters }: Property): boolean => /[;,=]PREF(?:=1)?(?:[;,]|$)/.test(parameters);

function valuesOf(properties: readonly Property[]): Partial<Record<ImportedKey, string>> {
  const best = (name: string): Property | undefined => {
    const all = properties.filter((one) => one.name === name && one.value.trim() !== '');
    return all.find(isPreferred) ?? all[0];
  };
  const text = (name: string): string => unescaped(best(name)?.value ?? '');
  const [lastName = '', firstName = ''] = parts(best('N')?.value ?? '');
  const address = joined(best('ADR')?.value ?? '', ' ');
  const wechat = properties.find(({ name, parameters, value }) => /WECHAT|WEIXIN/i.test(`${name} ${parameters} ${value.slice(0, 10)}`))?.value ?? '';
  const all: Record<ImportedKey, string> = {
    name: text('FN'),
    firstName,
    lastName,
    company: joined(best('ORG')?.value ?? '', ' '),
    title: text('TITLE') || text('ROLE'),
    email: text('EMAIL'),
    phone: text('TEL'),
    wechat: unescaped(wechat).replace(/^(?:wechat|weixin):/i, ''),
    address,
    locale: text('LANG'),
    topics: '',
    note: text('NOTE'),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** Contacts of a vCard file (3.0 and 4.0, and 2.1 as written by phones). Null if there are none, or one has no end. */
export function readVcards(text: string): ImportedLine[] | null {
  const cards: ImportedLine[] = [];
  let open: { line: number; properties: Property[] } | null = null;
  for (const { line, text: one } of unfolded(text)) {
    const property = propertyOf(one);
    if (!property) continue;
    const isCard = property.value.trim().toUpperCase() === 'VCARD';
    if (property.name === 'BEGIN' && isCard) {
      if (open) return null;
      open = { line, properties: [] };
    } else if (property.name === 'END' && isCard) {
      if (!open) return null;
      cards.push({ line: open.line, values: valuesOf(open.properties) });
      open = null;
    } else open?.properties.push(property);
  }
  return open || cards.length === 0 ? null : cards;
}
