const letters = 'ABCDEFGHJKLMNOPQRSTWXYZ';
/** The first character of each pinyin initial in Chinese dictionary order. */
const firsts = Array.from('阿八嚓哒妸发旮哈讥咔垃妈拏噢妑七呥仨它屲夕丫帀');
const collator = new Intl.Collator('zh-CN-u-co-pinyin');

/** By character, because comparing takes long and a list is searched with every key. */
const initials = new Map<string, string>();

function initialOf(char: string): string {
  const known = initials.get(char);
  if (known !== undefined) return known;
  let at = firsts.length - 1;
  while (at > 0 && collator.compare(firsts[at] as string, char) > 0) at -= 1;
  const initial = (letters[at] as string).toLowerCase();
  initials.set(char, initial);
  return initial;
}

/** 趋势 → `qs`: what people type without switching the input method. Latin letters and digits stay. */
export function pinyinInitials(text: string): string {
  let out = '';
  for (const char of text.toLowerCase()) {
    if (/[a-z0-9]/.test(char)) out += char;
    else if (/\p{Script=Han}/u.test(char)) out += initialOf(char);
  }
  return out;
}

/** Whether `term` consists of beginnings of consecutive syllables, of at least one letter each: `yunqi`, `yqsd` and `yunqsd` all match 云栖书店. */
export function matchesSyllables(term: string, syllables: readonly string[]): boolean {
  const continues = (rest: string, at: number): boolean => {
    if (rest === '') return true;
    const syllable = syllables[at] ?? '';
    let same = 0;
    while (same < rest.length && rest[same] === syllable[same]) same += 1;
    for (; same > 0; same -= 1) if (continues(rest.slice(same), at + 1)) return true;
    return false;
  };
  return syllables.some((_syllable, at) => continues(term, at));
}

/**
 * How well `query` matches `text` (or one of its other names): 0 is no match, 100 is the whole text. Letters scattered over a long text do not match:
 * below the threshold nothing is shown.
 */
export function matchScore(query: string, text: string, keywords: readonly string[] = []): number {
  const term = query.trim().toLowerCase();
  if (term === '') return 1;
  return Math.max(one(term, text.toLowerCase()), one(term, pinyinInitials(text)) * 0.8, ...keywords.map((word) => one(term, word.toLowerCase()) * 0.7));
}

function one(term: string, text: string): number {
  if (text === term) return 100;
  const at = text.indexOf(term);
  if (at === 0) return 80;
  if (at > 0) return /[\s\p{P}]/u.test(text[at - 1] as string) ? 60 : 40;
  let from = 0;
  let gaps = 0;
  for (const char of term) {
    const next = text.indexOf(char, from);
    if (next === -1) return 0;
    gaps += next - from;
    from = next + 1;
  }
  const score = 30 - 2 * gaps;
  return score >= 15 && term.length > 1 ? score : 0;
}
