import { isAscii, isUtf8, transcode } from 'node:buffer';

/** Labels whose decoder in Node is not that of the Encoding Standard: gb18030 has all characters of gbk and gb2312. */
const replaced: Readonly<Record<string, string>> = { gbk: 'gb18030', gb2312: 'gb18030', 'x-gbk': 'gb18030', chinese: 'gb18030', 'iso-ir-58': 'gb18030' };

const decoders = new Map<string, TextDecoder | null>();
function decoderOf(label: string): TextDecoder | null {
  let decoder = decoders.get(label);
  if (decoder === undefined) {
    try {
      decoder = new TextDecoder(label);
    } catch {
      decoder = null;
    }
    if (decoders.size > 200) decoders.clear();
    decoders.set(label, decoder);
  }
  return decoder;
}

/** The name of a charset as the decoder has it; null: unknown. */
export function charsetOf(label: string | null | undefined): string | null {
  const written = (label ?? '')
    .trim()
    .replace(/^["']|["']$/g, '')
    .toLowerCase();
  if (written === '' || written.length > 40) return null;
  return decoderOf(replaced[written] ?? written)?.encoding ?? null;
}

const inHeader = (contentType: string): string | null => charsetOf(/charset\s*=\s*("[^"]*"|'[^']*'|[^\s;]+)/i.exec(contentType)?.[1]);

/** Ends with a comment that is not closed. Not a pattern: many openings without an end would each be searched to the end. */
function withoutComments(text: string): string {
  let rest = '';
  let from = 0;
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', from)) {
    rest += text.slice(from, start);
    const end = text.indexOf('-->', start + 4);
    if (end < 0) return rest;
    from = end + 3;
  }
  return rest + text.slice(from);
}

/** In the first 1 024 bytes, otherwise in the first 64 KiB up to the end of the head. A page that says UTF-16 in ASCII is UTF-8. */
function inMeta(body: Uint8Array): string | null {
  for (const length of [1024, 65_536]) {
    const text = Buffer.from(body.buffer, body.byteOffset, Math.min(length, body.byteLength)).toString('latin1');
    const xml = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(text);
    const head = text.slice(0, /<\/head|<body/i.exec(text)?.index ?? text.length);
    const meta = /<meta\s[^<>]*?charset\s*=\s*(?:["']\s*)?([\w.:-]+)/i.exec(withoutComments(head));
    const found = charsetOf(meta?.[1] ?? xml?.[1]);
    if (found !== null) return found.startsWith('utf-16') ? 'utf-8' : found;
    if (head.length < text.length || body.byteLength <= length) return null;
  }
  return null;
}

const mark = (body: Uint8Array): string | null => {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8';
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le';
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : null;
};

/** Characters that occur in most Chinese texts: in a wrong charset, hardly any of them is found. */
const frequentHan =
  /[的一是不了在人有我他这中大来上个国到说们为你会出对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运這個來說時們為會對後過還進]/gu;

/** The most plausible charset of text that declares none: only with 1 KB beyond ASCII, because short texts fit everything. */
function guessed(body: Uint8Array): string | null {
  const bytes = body.subarray(0, 262_144);
  let beyond = 0;
  for (const byte of bytes) if (byte > 0x7f) beyond++;
  if (beyond < 1024) return null;
  let best: { charset: string; score: number } | null = null;
  for (const charset of ['gb18030', 'big5', 'shift_jis', 'euc-kr']) {
    const text = (decoderOf(charset) as TextDecoder).decode(bytes);
    const broken = text.split('\uFFFD').length - 1;
    const frequent =
      charset === 'gb18030' || charset === 'big5'
        ? (text.match(frequentHan)?.length ?? 0)
        : (text.match(charset === 'shift_jis' ? /[\u3040-\u30ff]/g : /[\uac00-\ud7a3]/g)?.length ?? 0) * 0.6;
    const score = frequent / beyond - (broken * 5) / beyond;
    if (score > 0.02 && (best === null || score > best.score)) best = { charset, score };
  }
  return best?.charset ?? null;
}

export type Decoded = {
  readonly text: string;
  readonly used: string;
  readonly header: string | null;
  readonly meta: string | null;
  readonly wrong: boolean;
  readonly replacements: number;
  readonly mojibake: boolean;
};

/** UTF-8 that was read as Windows-1252 and encoded again. */
const twice = /(?:Ã[\u0080-\u00bf]|â€[\u0080-\u2122]|[ä-éåæçè][\u0080-\u00bf\u0152-\u2122]{2})/g;
const isTwice = (text: string): boolean =>
  (text.includes('Ã') || text.includes('â€') || /[äåæçè][\u0080-\u00bf]/.test(text)) && (text.match(twice)?.length ?? 0) >= 5;

const count = (text: string, character: string): number => (text.includes(character) ? text.split(character).length - 1 : 0);

/** Whether bytes are not valid in a charset that they declare. A body that was cut may end within a character. */
function isWrong(body: Uint8Array, declared: string, utf8: boolean, replacements: number): boolean {
  if (declared === 'utf-8') return !utf8 && replacements > 0;
  const isMultiByte = ['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr'].includes(declared);
  if (isMultiByte && replacements > 0) return true;
  return utf8 && declared !== 'utf-16le' && declared !== 'utf-16be' && body.some((byte) => byte > 0x7f);
}

/** Text of bytes that are valid UTF-8. `Buffer.toString` takes several times as long as soon as one character is beyond ASCII. */
const utf8Text = (bytes: Buffer): string => (isAscii(bytes) ? bytes.toString('latin1') : transcode(bytes, 'utf8', 'utf16le').toString('utf16le'));

/** Text of a document: byte order mark, header, declaration in the document, the site's usual charset, UTF-8 if it is valid, a guess, Windows-1252. */
export function decode(body: Uint8Array, contentType: string, usual: string | null = null): Decoded {
  const header = inHeader(contentType);
  const meta = inMeta(body);
  const utf8 = isUtf8(body);
  const declared = mark(body) ?? header ?? meta;
  const used = declared ?? (utf8 ? 'utf-8' : (usual ?? guessed(body) ?? 'windows-1252'));
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const decoded = used === 'utf-8' && utf8 ? utf8Text(bytes) : (decoderOf(used) as TextDecoder).decode(body);
  const unmarked = decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  // PostgreSQL cannot store U+0000, and HTML replaces it.
  const text = unmarked.includes('\u0000') ? unmarked.replaceAll('\u0000', '\uFFFD') : unmarked;
  const replacements = count(text, '\uFFFD');
  // In UTF-8, all characters that such text begins with have one first byte.
  const mojibake = (used !== 'utf-8' || bytes.includes(0xc3)) && isTwice(text);
  return { text, used, header, meta, wrong: declared !== null && isWrong(body, declared, utf8, replacements), replacements, mojibake };
}
