import type { Locale } from '../../../http/access';
import { escapeHtml } from '../../../kit/text/escapeHtml';

/** Characters that are invisible or change the direction of what follows, other than tab and line ends. */
const hidden = /[^\P{C}\t\r\n\u200d]/gu;

/** Text of a file in a page: markup is text, and what could not be seen is visible. */
export const shownText = (text: string): string => escapeHtml(text.replaceAll(hidden, '\uFFFD'));

/** At most `most` characters, with an ellipsis if something is missing. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

export type Scheme = 'light' | 'dark';

const colors = {
  light: { scheme: 'light', ground: '#ffffff', head: '#f4f4f5', line: '#e7e7ea', ink: '#18181b', quiet: '#6b6b74', warning: '#8a5a00' },
  dark: { scheme: 'dark', ground: '#18181c', head: '#202025', line: '#2c2c33', ink: '#f4f4f6', quiet: '#9c9ca6', warning: '#dba73b' },
} as const;

const styleOf = ({ scheme, ground, head, line, ink, quiet, warning }: (typeof colors)[Scheme]): string => `
:root { color-scheme: ${scheme}; }
body { margin: 0; background: ${ground}; color: ${ink}; font: 13px/1.5 'Inter Variable', 'Noto Sans SC', system-ui, sans-serif; }
p { margin: 0; padding: 6px 12px; color: ${quiet}; border-bottom: 1px solid ${line}; }
pre { margin: 0; padding: 8px 12px; font: 12px/1.6 ui-monospace, 'Cascadia Mono', Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
table { border-collapse: collapse; min-width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 4px 12px; border-bottom: 1px solid ${line}; text-align: start; white-space: pre; vertical-align: top; }
th { position: sticky; top: 0; background: ${head}; color: ${quiet}; font-weight: 500; }
.n { text-align: end; }
.name { white-space: pre-wrap; overflow-wrap: anywhere; min-width: 12em; unicode-bidi: isolate; }
em { margin-inline-start: 8px; color: ${warning}; font-style: normal; }`;

/** A page without scripts and addresses. `title` is escaped here; `body` is markup whose texts are escaped already. */
export const previewPage = ({ locale, scheme, title, body }: { locale: Locale; scheme: Scheme; title: string; body: string }): string =>
  `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${shownText(title)}</title><style>${styleOf(colors[scheme])}</style></head><body>${body}</body></html>`;

/** Notes above the contents; null for those that do not apply. */
export const notesOf = (notes: readonly (string | null)[]): string => {
  const visible = notes.filter((note) => note !== null);
  return visible.length === 0 ? '' : `<p>${visible.map(shownText).join(' · ')}</p>`;
};
