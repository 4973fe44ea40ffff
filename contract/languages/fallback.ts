/** Fallback chains of a site's languages: in which language a text is read where it is not translated. */

/** By language, the languages that it falls back to, in order. A language without an entry has none of its own. */
export type Fallbacks = Readonly<Record<string, readonly string[]>>;

const fallbacksOf = (fallbacks: Fallbacks, language: string): readonly string[] => (Object.hasOwn(fallbacks, language) ? (fallbacks[language] ?? []) : []);

/**
 * The languages in which a text is looked for: the language itself, then its fallbacks, each followed by its own (es-MX → es → pt), without repetition, at last the default language. A
 * cycle, which is refused when it is saved, does no harm here.
 */
export function chainOf(language: string, fallbacks: Fallbacks, defaultLanguage: string): string[] {
  const chain = new Set<string>();
  const add = (one: string): void => {
    if (chain.has(one)) return;
    chain.add(one);
    for (const next of fallbacksOf(fallbacks, one)) add(next);
  };
  add(language);
  chain.add(defaultLanguage);
  return [...chain];
}

/** The first language of a chain in which something exists; null: in none of them. */
export const pickLanguage = (chain: readonly string[], available: ReadonlySet<string>): string | null =>
  chain.find((language) => available.has(language)) ?? null;

/** A cycle of fallbacks as a path that ends where it begins (`['es', 'pt', 'es']`); null: there is none. */
export function fallbackCycle(fallbacks: Fallbacks): string[] | null {
  const finished = new Set<string>();
  const visit = (language: string, path: readonly string[]): string[] | null => {
    const begun = path.indexOf(language);
    if (begun >= 0) return [...path.slice(begun), language];
    if (finished.has(language)) return null;
    for (const next of fallbacksOf(fallbacks, language)) {
      const cycle = visit(next, [...path, language]);
      if (cycle !== null) return cycle;
    }
    finished.add(language);
    return null;
  };
  for (const language of Object.keys(fallbacks)) {
    const cycle = visit(language, []);
    if (cycle !== null) return cycle;
  }
  return null;
}

const baseOf = (language: string): string => language.split('-', 1)[0] ?? language;

type Texts = Readonly<Partial<Record<string, string>>>;
const textsOf = (texts: Texts) => Object.entries(texts).flatMap(([language, text]) => (text === undefined || text === '' ? [] : [{ language, text }]));

/** The text of the first language of a chain that has one: the language itself, else another variety of it. undefined: none has. */
export function textWithin(texts: Texts, chain: readonly string[]): string | undefined {
  const present = textsOf(texts);
  for (const one of chain) {
    const found = present.find(({ language }) => language === one) ?? present.find(({ language }) => baseOf(language) === baseOf(one));
    if (found) return found.text;
  }
  return undefined;
}

/** As `textWithin`, at last any text; undefined without texts. */
export const textAlong = (texts: Texts, chain: readonly string[]): string | undefined => textWithin(texts, chain) ?? textsOf(texts)[0]?.text;
