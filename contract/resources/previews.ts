import type { ResourceKind } from './terms';

/** How the console previews an attachment: `pdf`, `archive`, `table` and `text` in a frame, `audio` in a player. */
export type PreviewKind = 'pdf' | 'audio' | 'archive' | 'table' | 'text';

const archives: ReadonlySet<string> = new Set([
  'application/zip',
  'application/epub+zip',
  'application/java-archive',
  'application/vnd.android.package-archive',
]);
const workbook = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

type Previewed = { readonly kind: ResourceKind; readonly contentType: string; readonly name: string };

/** The preview of an attachment; null if it has none. The content decides; the name only distinguishes tables from other text. */
export function previewOf({ kind, contentType, name }: Previewed): PreviewKind | null {
  if (kind !== 'attachment') return null;
  if (contentType === 'application/pdf') return 'pdf';
  if (contentType.startsWith('audio/')) return 'audio';
  if (archives.has(contentType)) return 'archive';
  if (contentType.startsWith('text/') || contentType === 'application/json') return /\.(?:csv|tsv|tab)$/i.test(name) ? 'table' : 'text';
  return null;
}

/** Whether content tables can import the file. */
export const isTableFile = (file: Previewed): boolean => file.kind === 'attachment' && (file.contentType === workbook || previewOf(file) === 'table');

export const previewLimits = {
  rows: 100,
  columns: 50,
  /** Longest cell and file name, in characters. */
  cell: 200,
  /** Entries of an archive that are listed, and that are counted. */
  listed: 1000,
  counted: 20_000,
  /** Bytes of an archive's directory that are read. */
  directoryBytes: 8 * 1024 * 1024,
} as const;
