/** What the name of an element says. */
export type Tag = {
  readonly name: string;
  /** It has no end. */
  readonly isVoid: boolean;
  /** Elements that end where it begins. */
  readonly closes: ReadonlySet<string>;
  /** `foreign`: markup of SVG or MathML begins, in which elements may end themselves; `html`: HTML within that. */
  readonly context: 'foreign' | 'html' | null;
  /** What ends it, if nothing within it is markup; null: elements. */
  readonly end: RegExp | null;
  /** Text in it has no character references. */
  readonly isRaw: boolean;
  readonly isHead: boolean;
  /** Its text is not visible. */
  readonly isSilent: boolean;
  /** It is a part of a line of text. */
  readonly isInline: boolean;
  /** It is a part of the frame of a page. */
  readonly isFraming: boolean;
  readonly isLandmark: boolean;
};

const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const voids = namesIn('area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr');
const blocks =
  'p h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section table ul';
const fields = 'input option optgroup select button datalist textarea';
/** Names of elements, and of those that end where one of them begins, if they are the innermost. */
const implied: readonly (readonly [string, string])[] = [
  [blocks, 'p'],
  ['tr', 'tr th td'],
  ['th', 'th'],
  ['td', 'thead th td'],
  ['body', 'head link script'],
  ['li', 'li'],
  ['select input output button datalist textarea', fields],
  ['option', 'option'],
  ['optgroup', 'optgroup option'],
  ['dd dt', 'dd dt'],
  ['rt rp', 'rt rp'],
  ['tbody tfoot', 'thead tbody'],
];
const closes = new Map(implied.flatMap(([names, ended]) => [...namesIn(names)].map((name) => [name, namesIn(ended)] as const)));
const none: ReadonlySet<string> = new Set();
const foreign = namesIn('math svg');
const integration = namesIn('mi mo mn ms mtext annotation-xml foreignobject desc title');
const texts = namesIn('script style title textarea xmp');
const heads = namesIn('html head title base link meta script style noscript template');
const silent = namesIn('script style template svg head title textarea noscript object math');
const inline = namesIn('a abbr b bdi bdo cite code data dfn em font i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr label img');
/** Those of the content differ between pages of one template. */
const framing = namesIn('body div main article section nav header footer aside form');
const landmarks = namesIn('nav header main article aside footer');

function createTag(name: string): Tag {
  return {
    name,
    isVoid: voids.has(name),
    closes: closes.get(name) ?? none,
    context: foreign.has(name) ? 'foreign' : integration.has(name) ? 'html' : null,
    end: texts.has(name) ? new RegExp(`</${name}[ \\t\\n\\f\\r>]`, 'gi') : null,
    isRaw: name === 'script' || name === 'style',
    isHead: heads.has(name),
    isSilent: silent.has(name),
    isInline: inline.has(name),
    isFraming: framing.has(name),
    isLandmark: landmarks.has(name),
  };
}

const mostRemembered = 2000;
const longestRemembered = 60;
const hasRoom = (names: ReadonlyMap<string, unknown>, written: string): boolean => names.size < mostRemembered && written.length <= longestRemembered;
/** A name that is remembered must not be a part of its document, which would stay in memory as long. */
const copyOf = (written: string): string => JSON.parse(JSON.stringify(written)) as string;

const tags = new Map<string, Tag>();
for (const name of [voids, closes.keys(), foreign, integration, texts, heads, silent, inline, framing, namesIn('label iframe picture video audio')].flatMap(
  (names) => [...names],
))
  tags.set(name, createTag(name));
/** By the name as it is written: pages use few, so that none of them is looked at twice. */
export function tagOf(written: string): Tag {
  const known = tags.get(written);
  if (known !== undefined) return known;
  const isRemembered = hasRoom(tags, written);
  const copy = isRemembered ? copyOf(written) : written;
  const name = copy.toLowerCase();
  const tag = tags.get(name) ?? createTag(name);
  if (isRemembered) tags.set(name, tag).set(copy, tag);
  return tag;
}

const names = new Map<string, string>();
/** The name of an attribute in lower case. */
export function attributeName(written: string): string {
  const known = names.get(written);
  if (known !== undefined) return known;
  if (!hasRoom(names, written)) return written.toLowerCase();
  const copy = copyOf(written);
  const name = copy.toLowerCase();
  names.set(copy, name);
  return name;
}
