/** Pages without any problem, and the places where a problem is put in. */

/** Random numbers from 0 to 1, the same for the same seed (sfc32). Those of other seeds do not continue them somewhere else, as those of generators with a small state do. */
export function generator(seed: string): () => number {
  let [a, b, c, counter] = [2166136261, 0x9e3779b9, 0x6d2b79f5, 1];
  for (let at = 0; at < seed.length; at += 1) {
    a = Math.imul(a ^ seed.charCodeAt(at), 16777619);
    b = Math.imul(b ^ a, 0x85ebca6b);
  }
  const next = (): number => {
    const value = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + value) | 0;
    return (value >>> 0) / 4294967296;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}
const letters = 'abcdefghijklmnopqrstuvwxyz';
const han = '茶叶水温泡法产地山春秋香味壶杯红绿白青黄黑干湿光风云石路桥河湖海城村店家书画琴棋诗酒花木竹松梅兰菊';

/** A text of its own for each seed: no two are alike, in the way that search engines compare texts. */
export function textOf(seed: string, length = 230): string {
  const random = generator(seed);
  const word = (): string => Array.from({ length: 3 + Math.floor(random() * 5) }, () => letters[Math.floor(random() * 26)]).join('');
  return Array.from({ length }, word).join(' ');
}
export function chineseOf(seed: string, length = 420): string {
  const random = generator(seed);
  return Array.from({ length }, () => han[Math.floor(random() * han.length)]).join('');
}

export type PageOptions = {
  readonly title?: string | null;
  readonly description?: string | null;
  readonly language?: string | null;
  readonly text?: string;
  readonly heading?: string;
  /** Absolute address; null: none. */
  readonly canonical?: string | null;
  readonly viewport?: string | null;
  readonly openTitle?: boolean;
  readonly openImage?: string;
  readonly navigation?: string;
  readonly head?: string;
  readonly main?: string;
  readonly container?: string;
};

export function htmlOf(seed: string, options: PageOptions = {}): string {
  const { language = 'en', container = 'main', navigation = '<nav><a href="/">Start</a></nav>' } = options;
  const title = options.title === undefined ? `Article ${textOf(`title ${seed}`, 5)}` : options.title;
  const description = options.description === undefined ? `About ${textOf(`description ${seed}`, 20).slice(0, 84)}` : options.description;
  const viewport = options.viewport === undefined ? 'width=device-width, initial-scale=1' : options.viewport;
  const head = [
    '<meta charset="utf-8">',
    title === null ? '' : `<title>${title}</title>`,
    description === null ? '' : `<meta name="description" content="${description}">`,
    viewport === null ? '' : `<meta name="viewport" content="${viewport}">`,
    options.openTitle === false ? '' : '<meta property="og:title" content="An article">',
    options.openImage ?? '<meta property="og:image" content="https://127.0.0.1/og.png">',
    options.canonical === undefined || options.canonical === null ? '' : `<link rel="canonical" href="${options.canonical}">`,
    options.head ?? '',
  ].join('');
  return `<!doctype html><html${language === null ? '' : ` lang="${language}"`}><head>${head}</head><body>${navigation}<${container}>${options.heading ?? `<h1>Heading ${seed.replaceAll(/[<>&]/g, '')}</h1>`}<p>${options.text ?? textOf(seed)}</p>${options.main ?? ''}</${container}></body></html>`;
}
