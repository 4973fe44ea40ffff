import { createContext, useContext } from 'react';
import type { RecordLabels } from '@contract/tables/records';
import type { TableField } from '@contract/tables/schemas';
import { makeFormat } from '@/lib/format';
import type { Format } from '@/lib/format';
import type { Parsed } from '../grid/types';

/** What of a field its cells and editors need. */
export type ShownField = Pick<TableField, 'id' | 'type' | 'title' | 'options' | 'yields' | 'problem' | 'readonly' | 'required'>;
export type Named = { readonly id: string; readonly label: string };

/** What cells and editors ask of the screen that they stand on. */
export type FieldEnv = {
  /** Names of the records and people that are shown. */
  readonly labels: RecordLabels;
  /** Writers of numbers and dates in the reader's language. */
  readonly format: Format;
  /** IANA zone in which points in time are shown and typed. */
  readonly timeZone: string;
  /** Records of the table that a relation leads to, people; at most a screenful, best first. Reject with words for people. */
  readonly findRecords: (field: ShownField, words: string, signal: AbortSignal) => Promise<readonly Named[]>;
  readonly findPeople: (words: string, signal: AbortSignal) => Promise<readonly Named[]>;
  /** A name was chosen that `labels` may not know yet. */
  readonly onLabel?: (kind: keyof RecordLabels, one: Named) => void;
  /** A value as people type it, and back. */
  readonly print: (field: ShownField, value: unknown) => string;
  readonly read: (field: ShownField, text: string) => Parsed;
};
const none: FieldEnv = {
  labels: { records: {}, people: {} },
  format: makeFormat('zh-CN'),
  timeZone: 'UTC',
  findRecords: () => Promise.resolve([]),
  findPeople: () => Promise.resolve([]),
  print: (_field, value) => (typeof value === 'string' ? value : JSON.stringify(value)),
  read: (_field, text) => ({ value: text }),
};
const Context = createContext<FieldEnv>(none);
export const FieldEnvProvider = Context.Provider;
export const useFieldEnv = (): FieldEnv => useContext(Context);

/** Kind of what is shown: that of the field, or what a computed one yields. */
export const shownAs = (field: ShownField): 'number' | 'date' | 'datetime' | 'time' | 'boolean' | 'other' => {
  const kind = field.yields;
  return kind === 'number' || kind === 'date' || kind === 'datetime' || kind === 'time' || kind === 'boolean' ? kind : 'other';
};
/** The name of what a field of links points at. Its past may hold texts, from before it pointed at anything: they are their own names. */
export const labelIn = (env: FieldEnv, kind: keyof RecordLabels, id: string): string | undefined => env.labels[kind][id] ?? (isId.test(id) ? undefined : id);
const isId = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]);
export const asTexts = (value: unknown): readonly string[] => asList(value).filter((one): one is string => typeof one === 'string');

/** A simple value as text; anything else as JSON. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);

export type FileValue = { readonly url: string; readonly name?: string; readonly alt?: string };
export const asFiles = (value: unknown): readonly FileValue[] =>
  asList(value).filter((one): one is FileValue => typeof one === 'object' && one !== null && 'url' in one && typeof one.url === 'string');
/** What a file is called: its name, or the end of its address. */
export const fileName = ({ url, name }: FileValue): string => {
  if (name !== undefined && name !== '') return name;
  const last =
    url
      .split(/[?#]/)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? url;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
};
/** An address that may be followed: of the web, or this site's own. */
export const safeHref = (text: string): string | null => (/^(https?:\/\/|\/(?!\/))/i.test(text.trim()) ? text.trim() : null);
