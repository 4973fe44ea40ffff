import type { TableImport } from '@contract/tables/transfers';
import { transferLimits } from '@contract/tables/transfers';

/** Why a file cannot be imported, detected before the upload. */
export type FileError = 'empty' | 'large' | 'old';

/** Workbooks are read as a whole and have a lower size limit; the browser recognises them only by their name. */
const isWorkbook = (name: string): boolean => /\.xlsx$/i.test(name);
/** Maximum size of a file with this name, in bytes. */
export const mostBytes = (name: string): number => (isWorkbook(name) ? transferLimits.xlsxBytes : transferLimits.fileBytes);

export function fileErrorOf({ name, size }: Pick<File, 'name' | 'size'>): FileError | null {
  if (/\.xls$/i.test(name)) return 'old';
  if (size === 0) return 'empty';
  return size > mostBytes(name) ? 'large' : null;
}

/** A name that the server accepts: no control characters, at most 200 characters, with the extension that identifies the format. */
export function sendableName(name: string): string {
  const clean = name.replaceAll(/\p{C}/gu, ' ').trim();
  const ending = /\.\w{1,8}$/.exec(clean)?.[0] ?? '';
  const stem = Array.from(clean.slice(0, clean.length - ending.length))
    .slice(0, 150)
    .join('')
    .trim();
  return `${stem === '' ? 'file' : stem}${ending}`;
}

/** Title of a table created from a file. */
export const tableTitleOf = (name: string): string => [...name.replace(/\.\w{1,8}$/, '').trim()].slice(0, 100).join('').trim();

/** Whether a chosen file is the one whose upload was begun. */
export const isSameFile = ({ file }: Pick<TableImport, 'file'>, chosen: Pick<File, 'name' | 'size'>): boolean =>
  sendableName(chosen.name) === file.name && chosen.size === file.size;

/** Pasted text as a file: JSON where it starts like JSON, else delimited lines, whose delimiter the server detects. */
export const pastedFile = (text: string, name: string): File => {
  const json = /^\s*[[{]/.test(text);
  return new File([text], `${name}.${json ? 'json' : 'csv'}`, { type: json ? 'application/json' : 'text/csv' });
};
