import { readRedirects } from '../redirectRules';
import { readCsv } from './csv';
import { readHtaccess } from './htaccess';
import type { ImportedRules } from './importedRules';
import { readNginx } from './nginx';

export const importFormats = ['lines', 'csv', 'htaccess', 'nginx'] as const;
export type ImportFormat = (typeof importFormats)[number];

const readers: Readonly<Record<ImportFormat, (text: string) => ImportedRules>> = {
  lines: readRedirects,
  csv: readCsv,
  htaccess: readHtaccess,
  nginx: readNginx,
};

/** What a text most likely is. */
export function formatOf(text: string): ImportFormat {
  if (/^\s*(?:Redirect(?:Match|Permanent|Temp)?|RewriteRule|RewriteEngine|RewriteCond)\s/im.test(text)) return 'htaccess';
  if (/^\s*(?:server|location|map)\b[^\n]*\{|^\s*(?:rewrite|return)\s[^\n]*;/m.test(text)) return 'nginx';
  const [first = ''] = text.trim().split('\n', 1);
  return first.includes('"') || /^(?:\uFEFF)?[^/~\s#][^\n]*[,;\t]/.test(first) ? 'csv' : 'lines';
}

/** Redirects of a file, and the lines that are left out. Nothing is stored. */
export const readRules = (format: ImportFormat, text: string): ImportedRules => readers[format](text);
