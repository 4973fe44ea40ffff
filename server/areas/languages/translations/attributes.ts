import { decodeHTMLAttribute } from 'entities';
import type { InlineCode } from './inlineTags';

/** Attributes of tags that people read, such as the alternative text of a picture. In files for translators they are texts of their own, because tags are placeholders there. */

const readNames = ['alt', 'title'] as const;
export type ReadAttribute = (typeof readNames)[number];
/** `n`: the number of the tag, from 1. */
export type AttributePlace = { readonly n: number; readonly name: ReadAttribute };

/** Stored rich text has its attributes in double quotes, and none inside of them. */
const anyAttribute = /([\w-]+)="([^"]*)"/g;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const stored = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);

/** The text of an attribute; null: the tag does not have it. */
export function attributeIn({ begin }: InlineCode, name: ReadAttribute): string | null {
  const found = [...begin.matchAll(anyAttribute)].find(([, key]) => key?.toLowerCase() === name);
  return found ? decodeHTMLAttribute(found[2] ?? '') : null;
}

/** A tag with another text of an attribute. */
export function withAttribute(code: InlineCode, name: ReadAttribute, text: string): InlineCode {
  const present = attributeIn(code, name);
  if (present === text) return code;
  const written = `${name}="${stored(text)}"`;
  const begin =
    present === null
      ? code.begin.replace(/^<[\w-]+/, (tag) => `${tag} ${written}`)
      : code.begin.replaceAll(anyAttribute, (all, key: string) => (key.toLowerCase() === name ? written : all));
  return { ...code, begin };
}

/** Attributes of the tags of a source that have a text, in order. */
export const attributesOf = (codes: readonly InlineCode[]): (AttributePlace & { readonly text: string })[] =>
  codes.flatMap((code, at) =>
    readNames.flatMap((name) => {
      const text = attributeIn(code, name) ?? '';
      return text.trim() === '' ? [] : [{ n: at + 1, name, text }];
    }),
  );

/** Name of an attribute in files: that of its text and its place, `record:t_…:0192…:f_…:3.alt`. */
export const attributeId = (textId: string, { n, name }: AttributePlace): string => `${textId}:${String(n)}.${name}`;

/** The inverse of `attributeId`; null: not the name of an attribute. Names of texts have four parts, the last of which may itself look like a place: `theme:::404.title`. */
export function readAttributeId(id: string): { readonly textId: string; readonly place: AttributePlace } | null {
  const [, textId, n, name] = /^((?:[^:]*:){3}[^:]+):(\d{1,6})\.(\w+)$/.exec(id.trim()) ?? [];
  const known = readNames.find((one) => one === name);
  return textId === undefined || known === undefined ? null : { textId, place: { n: Number(n), name: known } };
}
