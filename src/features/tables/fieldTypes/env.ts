import { createContext, useContext } from 'react';
import type { RecordLabels } from '@contract/tables/records';
import type { TableField } from '@contract/tables/schemas';
import { makeFormat } from '@/lib/format';
import type { Format } from '@/lib/format';
import type { Parsed } from '../grid/types';
import { isUuid } from '@contract/uuid';

/** What cells and editors need of a field. */
export type ShownField = Pick<TableField, 'id' | 'type' | 'title' | 'options' | 'yields' | 'problem' | 'readonly' | 'required'>;
export type Named = { readonly id: string; readonly label: string };

/** What the surrounding screen provides to cells and editors. */
export type FieldEnv = {
  /** The site that files are stored in; null: files are addresses only. */
  readonly siteId: string | null;
  /** The languages of texts about files of a field: those of its table, the main one first. */
  readonly localesOf: (field: Pick<ShownField, 'id'>) => readonly string[];
  /** Labels of the records, people and resources that are shown. */
  readonly labels: RecordLabels;
  /** Formatters of numbers and dates in the reader's language. */
  readonly format: Format;
  /** IANA zone in which points in time are shown and typed. */
  readonly timeZone: string;
  /** Searches people, or records of the table that a relation points to; at most a screenful, best match first. Rejects with a message for users. */
  readonly findRecords: (field: ShownField, text: string, signal: AbortSignal) => Promise<readonly Named[]>;
  readonly findPeople: (text: string, signal: AbortSignal) => Promise<readonly Named[]>;
  /** Called when a record or person is chosen that `labels` may not contain yet. */
  readonly onLabel?: (kind: 'records' | 'people', one: Named) => void;
  /**
   * Adds what was typed: a choice to the field, or a record with this name to the table that the field links to. null: the person may not, or more than a name
   * is needed. Rejects with a message for users.
   */
  readonly creatorOf?: (field: ShownField) => ((name: string) => Promise<Named>) | null;
  /** Formats a value as people type it, and parses it back. */
  readonly print: (field: ShownField, value: unknown) => string;
  readonly read: (field: ShownField, text: string) => Parsed;
};
/** Labels of a list added to those already known. */
export const joinedLabels = (known: RecordLabels, more: RecordLabels): RecordLabels => ({
  records: { ...known.records, ...more.records },
  people: { ...known.people, ...more.people },
  ...(known.resources || more.resources ? { resources: { ...known.resources, ...more.resources } } : {}),
});
const none: FieldEnv = {
  siteId: null,
  localesOf: () => ['zh-Hans'],
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

/** The kind of value shown: that of the field, or what a computed field yields. */
export const displayKind = (field: ShownField): 'number' | 'date' | 'datetime' | 'time' | 'boolean' | 'other' => {
  const kind = field.yields;
  return kind === 'number' || kind === 'date' || kind === 'datetime' || kind === 'time' || kind === 'boolean' ? kind : 'other';
};
/** The label of what a link field references. Values from before the field was a link may be texts, which are their own labels. */
export const labelIn = (env: FieldEnv, kind: 'records' | 'people', id: string): string | undefined => env.labels[kind][id] ?? (isUuid(id) ? undefined : id);
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]);
export const asTexts = (value: unknown): readonly string[] => asList(value).filter((one): one is string => typeof one === 'string');

/** A simple value as text; anything else as JSON. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);

/** A URL that is safe to follow: http(s), or a path of this site. */
export const safeHref = (text: string): string | null => (/^(https?:\/\/|\/(?!\/))/i.test(text.trim()) ? text.trim() : null);
