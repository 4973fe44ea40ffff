import type { ReadOptions, textEncodings } from '../../../contract/tables/transfers';
import type { StoredFile } from '../../stores/files/storedFile';

export type Encoding = (typeof textEncodings)[number];

/** Bytes examined to detect the format. */
export const headBytes = 256 * 1024;

function isUtf8(head: Buffer): boolean {
  try {
    // `stream`: a character truncated at the end of the sample is no error.
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length === headBytes });
    return true;
  } catch {
    return false;
  }
}

/** By byte order mark, else by content: Western text in UTF-16 is half zeros, and anything that is not valid UTF-8 is taken for GB 18030. */
export function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  const zeros = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 5 && even < odd / 10) return 'utf-16le';
  if (even > head.length / 5 && odd < even / 10) return 'utf-16be';
  return isUtf8(head) ? 'utf-8' : 'gb18030';
}

export const decodeHead = (head: Buffer, encoding: Encoding): string => new TextDecoder(encoding).decode(head, { stream: true });

export type TextFile = { readonly texts: AsyncIterable<string>; readonly bytesRead: () => number; readonly close: () => void };
/** The text of a file in chunks, without byte order mark. Invalid bytes become U+FFFD. */
export function textsOf(file: StoredFile, encoding: Encoding): TextFile {
  const stream = file.read();
  let read = 0;
  async function* texts(): AsyncGenerator<string> {
    const decoder = new TextDecoder(encoding);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      read += chunk.length;
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  }
  return { texts: texts(), bytesRead: () => read, close: () => void stream.destroy() };
}

export type Delimiter = Exclude<ReadOptions['delimiter'], undefined>;
const candidates: readonly Delimiter[] = [',', '\t', ';', '|'];

/** Excel's first line that names the delimiter. */
export const saidDelimiter = (head: string): Delimiter | null => (/^sep=([,;\t|])\r?\n/.exec(head)?.[1] as Delimiter | undefined) ?? null;

/** Detects the delimiter: the character that occurs equally often in most of the first lines, outside quotes; a comma if there is none. */
export function delimiterOf(head: string): Delimiter {
  const said = saidDelimiter(head);
  if (said) return said;
  const lines = head
    .slice(0, 64 * 1024)
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '')
    .slice(0, 50);
  let best: Delimiter = ',';
  let most = 0;
  for (const one of candidates) {
    const counts = lines.map((line) => line.split(one).length - 1);
    const [first = 0] = counts;
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
    if (usual === 0 && first === 0) continue;
    const same = counts.filter((count) => count === usual && count > 0).length / Math.max(1, counts.length);
    const score = same * 10 + Math.min(usual, 30) / 30;
    if (score > most) [best, most] = [one, score];
  }
  return best;
}
