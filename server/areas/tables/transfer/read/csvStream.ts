import { decodeHead, delimiterOf, encodingOf, headBytes, saidDelimiter } from '../../../../kit/text/decode';
import { csvRecords } from './csvSource';
import type { SourceRow } from './source';

/** Rows of a streamed CSV file, with encoding and delimiter detected from its beginning. Throws `ReadStop` at a row that is too long. */
export async function* csvRowsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly SourceRow[]> {
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    const first: Buffer[] = [];
    let size = 0;
    while (size < headBytes) {
      const next = await chunks.next();
      if (next.done === true) break;
      first.push(next.value);
      size += next.value.length;
    }
    const beginning = Buffer.concat(first);
    const head = beginning.subarray(0, headBytes);
    const encoding = encodingOf(head);
    const text = decodeHead(head, encoding);
    const delimiterLines = saidDelimiter(text) === null ? 0 : 1;
    const decoder = new TextDecoder(encoding);
    async function* texts(): AsyncGenerator<string> {
      yield decoder.decode(beginning, { stream: true });
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield decoder.decode(next.value, { stream: true });
      yield decoder.decode();
    }
    for await (const rows of csvRecords(texts(), delimiterOf(text))) yield rows.filter((row) => row.line > delimiterLines);
  } finally {
    await chunks.return?.();
  }
}
