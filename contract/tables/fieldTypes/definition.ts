import type { ResourceKind } from '../../resources/terms';
import type { FieldOptions } from '../schemas';
import type { ColumnKind } from '../terms';

/** The part of a field that text conversion needs. `type` is a name in the registry. */
export type TextField = { readonly type: string; readonly options: FieldOptions };
/** Titles of records and people by id, resources by id, and the time zone for moments (IANA). */
export type TextNames = {
  readonly records?: Readonly<Record<string, string>>;
  readonly people?: Readonly<Record<string, string>>;
  readonly resources?: Readonly<Record<string, { readonly id: string; readonly name: string }>> | undefined;
  readonly timeZone?: string;
  /** Label of a choice that no longer exists; omitted: its id, which can be parsed back. */
  readonly removed?: string;
};
/** Result of parsing: a value for the field (`null`: empty), or the reason for failure. `missing`: titles that match no choice (or no record or person). */
export type ReadText =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: 'wrong_type' | 'unknown'; readonly missing: readonly string[] };
/** Ids by title, for fields that hold ids of records or people. */
export type TextLookup = (title: string) => string | null;
export type ReadContext = { readonly timeZone?: string; readonly find?: TextLookup };

export const read = (value: unknown): ReadText => ({ ok: true, value });
export const unreadable: ReadText = { ok: false, code: 'wrong_type', missing: [] };
export const readOrNot = (value: unknown): ReadText => (value === null ? unreadable : read(value));

/** Types of one family are converted into each other directly rather than through text. */
export type FieldFamily = 'text' | 'number' | 'date' | 'list' | 'file' | 'link' | 'other';
/** Automatic values of a new record: a fixed value, the creation time, the creator, a new id. */
export type DefaultKind = 'value' | 'now' | 'user' | 'uuid';

/** Shared definition of a field type. References to other types are checked by `fieldTypes.test.ts`. */
export type FieldTypeDefinition = {
  /** How PostgreSQL stores a value; `none`: computed, or stored in a link table. Determines the operators of filters (`opsOf`). */
  readonly column: ColumnKind;
  readonly family: FieldFamily;
  /** For files: kinds of resources that a value may use. */
  readonly resourceKinds?: readonly ResourceKind[];
  /** How a value uses resources: as a list of items, by their addresses in HTML, or as lists in the rows of a repeater. */
  readonly uses?: 'items' | 'html' | 'rows';
  /** Options of the type, and the required ones. */
  readonly options: readonly (keyof FieldOptions)[];
  readonly neededOptions?: readonly (keyof FieldOptions)[];
  /** Read-only: computed when read, or numbered when a record is created. */
  readonly computed?: boolean;
  /** Write-only: reads only return whether there is a value. */
  readonly secret?: boolean;
  /** May have a value per language. */
  readonly localizable?: boolean;
  /** Sentences, which can be translated; addresses and slugs are localizable, but no prose. */
  readonly prose?: boolean;
  /** Included in the search index of a table by default. */
  readonly searchable?: boolean;
  readonly unique?: boolean;
  /** How well a value names its record: 0 is best; `Infinity`: only if chosen explicitly. Omitted: never. */
  readonly naming?: number;
  /** A slug may be generated from it. */
  readonly slugSource?: boolean;
  /** Allowed in public forms. Links would disclose records and people. Files are allowed by the link of a form (`publicForm.ts`). */
  readonly publicForm?: boolean;
  /** An imported column may become such a field, because its text determines the value. */
  readonly importable?: boolean;
  /** Supported kinds of defaults; omitted: `['value']`. */
  readonly defaults?: readonly DefaultKind[];
  /** false: values cannot be converted to or from this type. */
  readonly convertible?: false;
  /** Most frequent target types of a conversion, best first. */
  readonly near?: readonly string[];
  /** Types often converted into this one that do not list it in their own `near`. */
  readonly nearFrom?: readonly string[];
  /** Texts longer than any number (UTF-16 units) are not parsed. */
  readonly short?: boolean;
  /** A non-empty value as plain text, for the clipboard and files. Omitted: the text itself, or the value of a computed field. */
  readonly toText?: (value: unknown, field: TextField, names: TextNames) => string;
  /** Parses a text that is not blank. `trimmed`: without surrounding blanks. Omitted: the trimmed text, for text columns. */
  readonly fromText?: (trimmed: string, field: TextField, context: ReadContext, text: string) => ReadText;
  /** A formatted decimal: ¥1,234.50 · 12.5%. */
  readonly decimalText?: (decimal: string, options: FieldOptions, locale: string) => string;
};

export const defineFieldType = (definition: FieldTypeDefinition): FieldTypeDefinition => definition;
