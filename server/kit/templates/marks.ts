import { randomUUID } from 'node:crypto';

/** Variables of a template that stand for what the program inserts. */
export type InsertionMarks = { readonly content_for_head: string; readonly content_for_footer: string };

/** Marks of one rendering: unknown to themes and to content, and plain text, so that escaping does not change them. */
export const createMarks = (): InsertionMarks => ({ content_for_head: `head-${randomUUID()}`, content_for_footer: `footer-${randomUUID()}` });

/** Puts HTML in place of the first occurrence of a mark and removes the others; without a mark, before the closing tag, else at the end. */
function insert(html: string, mark: string, content: string, closingTag: string): string {
  const at = html.indexOf(mark);
  if (at !== -1) return `${html.slice(0, at)}${content}${html.slice(at + mark.length).replaceAll(mark, '')}`;
  // Not by `toLowerCase`, which makes some texts longer, such as İ.
  const end = [...html.matchAll(new RegExp(closingTag, 'gi'))].at(-1)?.index ?? html.length;
  return `${html.slice(0, end)}${content}${html.slice(end)}`;
}

/** A rendered page with the program's own HTML, which must be safe. A theme can choose the places, but neither omit nor change it. */
export const insertAtMarks = (html: string, marks: InsertionMarks, contents: { readonly head: string; readonly footer: string }): string =>
  insert(insert(html, marks.content_for_head, contents.head, '</head>'), marks.content_for_footer, contents.footer, '</body>');
