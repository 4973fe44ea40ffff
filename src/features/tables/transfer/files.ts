import type { TableImport } from '@contract/tables/transfers';
import { transferLimits } from '@contract/tables/transfers';

/** Why a file cannot be imported, before a byte of it is sent. */
export type FileFault = 'empty' | 'large' | 'old';

/** Workbooks are read whole and may be less large; a browser knows them by their name alone. */
const isWorkbook = (name: string): boolean => /\.xlsx$/i.test(name);
/** Bytes that a file of this name may have. */
export const mostBytes = (name: string): number => (isWorkbook(name) ? transferLimits.xlsxBytes : transferLimits.fileBytes);

export function fileFault({ name, size }: Pick<File, 'name' | 'size'>): FileFault | null {
  if (/\.xls$/i.test(name)) return 'old';
  if (size === 0) return 'empty';
  return size > mostBytes(name) ? 'large' : null;
}

/** A name as the server takes it: no control characters, at most 200 characters, with the ending that says what it is. */
export function sendableName(name: string): string {
  const clean = name.replaceAll(/\p{C}/gu, ' ').trim();
  const ending = /\.\w{1,8}$/.exec(clean)?.[0] ?? '';
  const stem = Array.from(clean.slice(0, clean.length - ending.length))
    .slice(0, 150)
    .join('')
    .trim();
  return `${stem === '' ? 'file' : stem}${ending}`;
}

/** Name for a table that is made from a file. */
export const tableTitleOf = (name: string): string => [...name.replace(/\.\w{1,8}$/, '').trim()].slice(0, 100).join('').trim();

/** Whether a chosen file is the one that an upload was begun with. */
export const isSameFile = ({ file }: Pick<TableImport, 'file'>, chosen: Pick<File, 'name' | 'size'>): boolean =>
  sendableName(chosen.name) === file.name && chosen.size === file.size;

/** What was pasted, as a file: JSON where it begins like it, else lines with some delimiter, which the server finds out. */
export const pastedFile = (text: string, name: string): File => {
  const json = /^\s*[[{]/.test(text);
  return new File([text], `${name}.${json ? 'json' : 'csv'}`, { type: json ? 'application/json' : 'text/csv' });
};
