import type { ExchangeFormat, TextFormat, TranslationState } from '../../../../../contract/languages/translationTerms';
import type { InlineCode } from '../inlineTags';

/** One text in a file. `note`: where it is, for the person who translates. */
export type ExportedText = {
  readonly id: string;
  readonly note: string;
  readonly from: string;
  readonly source: string;
  readonly text: string | null;
  readonly state: TranslationState;
  readonly format: TextFormat;
  /** Tags of rich text, which source and text have as placeholders. */
  readonly codes: readonly InlineCode[];
  /** Names of the texts of attributes of these tags, by number of the tag. */
  readonly attributeIds?: ReadonlyMap<number, string>;
};
/** `source`: null if the file does not repeat it. `text`: empty where nothing is translated. */
export type ImportedText = { readonly id: string; readonly source: string | null; readonly text: string };
export type FileHead = { readonly tag: string; readonly site: string };

/** A file format. Files are written text by text, so that their size does not matter. */
export type Format = {
  readonly extension: string;
  /** How rich text has its tags. Programs read HTML; people get numbered placeholders (`inlineTags.ts`). */
  readonly tags: 'html' | 'placeholders';
  readonly mime: string;
  readonly head: (file: FileHead) => string;
  /** `before`: the text in front of it; null: it is the first. */
  readonly text: (text: ExportedText, before: ExportedText | null, file: FileHead) => string;
  /** `last`: null if the file has no texts. */
  readonly foot: (last: ExportedText | null) => string;
  /** Throws `FormatError`. */
  readonly read: (content: string) => ImportedText[];
};

/** A file that is not in its format. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

const declared: Readonly<Record<ExchangeFormat, RegExp | null>> = {
  json: null,
  csv: null,
  xliff: /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/,
  po: /Content-Type:[^\n]*\bcharset=([\w.-]+)/i,
};
/** How much of a file is searched for the name of its encoding. */
const beginning = 4096;

/**
 * The text of a file and the name of its encoding: by its byte order mark, else by what it says itself, else UTF-8, else GB 18030, in which Chinese editions of
 * spreadsheets write without saying so. Throws `FormatError` if it is in none of them.
 */
export function decodeFile(content: Buffer, format: ExchangeFormat): { readonly text: string; readonly encoding: string } {
  const marked = content[0] === 0xff && content[1] === 0xfe ? 'utf-16le' : content[0] === 0xfe && content[1] === 0xff ? 'utf-16be' : null;
  const named = declared[format]?.exec(content.subarray(0, beginning).toString('latin1'))?.[1]?.toLowerCase();
  const labels = marked !== null ? [marked] : named !== undefined && named !== 'charset' ? [named] : ['utf-8', 'gb18030'];
  for (const label of labels) {
    // GBK and GB 2312 are parts of GB 18030, and files that name them use more than they have.
    const encoding = /^(?:gbk|gb2312|gb_2312-80|x-gbk|cp936)$/.test(label) ? 'gb18030' : label;
    try {
      return { text: new TextDecoder(encoding, { fatal: true }).decode(content), encoding };
    } catch (error) {
      if (label === labels.at(-1)) throw new FormatError(`not ${encoding}`, { cause: error });
    }
  }
  throw new FormatError('no encoding');
}
