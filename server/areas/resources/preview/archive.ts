import { getFileNameLowLevel } from 'yauzl';
import type { Entry } from 'yauzl';
import { previewLimits } from '../../../../contract/resources/previews';
import type { Locale } from '../../../http/access';
import { openZip } from '../../../stores/files/zip';
import type { StoredFile } from '../../../stores/files/storedFile';
import { previewTexts } from './messages';
import { sizeText } from '../messages';
import { notesOf, shortened, shownText } from './page';

export type ArchiveEntry = {
  /** Shortened for display. */
  readonly name: string;
  /** In bytes, as the archive states them. */
  readonly size: number;
  readonly packed: number;
  readonly encrypted: boolean;
  /** The path leads out of the folder into which the archive is unpacked. */
  readonly outside: boolean;
};
/** `entries`: the first ones; the totals are of all that were counted. `isAll`: whether all were. */
export type Archive = {
  readonly entries: readonly ArchiveEntry[];
  readonly files: number;
  readonly folders: number;
  readonly size: number;
  readonly packed: number;
  readonly isAll: boolean;
};

const unicodeName = 0x800;
const unicodePath = 0x7075;

function decodes(bytes: Buffer, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The name of an entry. Archives from Chinese Windows have names in GBK without saying so. */
function nameOf({ fileNameRaw, generalPurposeBitFlag, extraFields }: Entry): string {
  const states = (generalPurposeBitFlag & unicodeName) !== 0 || extraFields.some(({ id }) => id === unicodePath);
  const guessed = states ? null : (decodes(fileNameRaw, 'utf-8') ?? decodes(fileNameRaw, 'gb18030'));
  return guessed ?? getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
}

/** Whether the name of an entry ends with a slash or backslash. A backslash behind a byte of GBK may be the second half of a character. */
const isFolder = ({ fileNameRaw: name }: Entry): boolean => name.at(-1) === 0x2f || (name.at(-1) === 0x5c && (name.at(-2) ?? 0) < 0x80);

/** Bytes of an entry in the directory: its names, fields and comment have up to 64 KB each. */
const directoryBytesOf = ({ fileNameLength, extraFieldLength, fileCommentLength }: Entry): number => 46 + fileNameLength + extraFieldLength + fileCommentLength;

const leadsOutside = (name: string): boolean => /^[/\\]|^[A-Za-z]:/.test(name) || name.split(/[/\\]/).includes('..');

/** Lists an archive by its directory; nothing is unpacked. Null if it is damaged. */
export async function readArchive(file: StoredFile): Promise<Archive | null> {
  const entries: ArchiveEntry[] = [];
  const total = { files: 0, folders: 0, size: 0, packed: 0 };
  let bytes = 0;
  try {
    const zip = await openZip(file, { decodeStrings: false });
    try {
      for await (const entry of zip.eachEntry()) {
        if (isFolder(entry)) total.folders += 1;
        else total.files += 1;
        total.size += entry.uncompressedSize;
        total.packed += entry.compressedSize;
        if (entries.length < previewLimits.listed) {
          const name = nameOf(entry);
          entries.push({
            name: shortened(name, previewLimits.cell),
            size: entry.uncompressedSize,
            packed: entry.compressedSize,
            encrypted: (entry.generalPurposeBitFlag & 1) !== 0,
            outside: leadsOutside(name),
          });
        }
        bytes += directoryBytesOf(entry);
        if (zip.entriesRead >= previewLimits.counted || bytes >= previewLimits.directoryBytes) break;
      }
      return { entries, ...total, isAll: zip.entriesRead >= zip.entryCount };
    } finally {
      zip.close();
    }
  } catch (error) {
    // Errors of yauzl are plain; others are of the store.
    if (error instanceof Error && error.constructor === Error && !('code' in error)) return null;
    throw error;
  }
}

const ratioText = (size: number, packed: number, locale: Locale): string =>
  packed === 0 ? '–' : `${new Intl.NumberFormat(locale, { maximumFractionDigits: size / packed < 10 ? 1 : 0 }).format(size / packed)} : 1`;

export async function archivePreview(file: StoredFile, locale: Locale): Promise<string> {
  const texts = previewTexts[locale];
  const archive = await readArchive(file);
  if (!archive) return notesOf([texts.damaged]);
  const { entries, files, folders, size, packed, isAll } = archive;
  const row = (entry: ArchiveEntry): string => {
    const marks = [entry.encrypted ? texts.encrypted : null, entry.outside ? texts.outside : null].filter((mark) => mark !== null);
    const name = shownText(entry.name);
    const numbers = [sizeText(entry.size), sizeText(entry.packed), ratioText(entry.size, entry.packed, locale)];
    return `<tr><td class="name"><bdi>${name}</bdi>${marks.map((mark) => `<em>${mark}</em>`).join('')}</td>${numbers.map((text) => `<td class="n">${text}</td>`).join('')}</tr>`;
  };
  const notes = [
    texts.files(files, folders),
    texts.unpacked(sizeText(size), ratioText(size, packed, locale)),
    isAll ? null : texts.atLeast(files + folders),
    files + folders > entries.length ? texts.listed(entries.length) : null,
  ];
  const heads = [texts.size, texts.packed, texts.ratio].map((text) => `<th class="n">${text}</th>`).join('');
  return `${notesOf(notes)}<table><thead><tr><th>${texts.name}</th>${heads}</tr></thead><tbody>${entries.map(row).join('')}</tbody></table>`;
}
