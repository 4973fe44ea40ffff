import type { FieldCode } from '../../../../../contract/errors';
import type { TextLookup, TextNames } from '../../../../../contract/tables/fieldText';
import type { RecordLabels } from '../../../../../contract/tables/records';
import type { FieldOptions } from '../../../../../contract/tables/schemas';
import type { OpenCell } from '../../../../../contract/tables/publicLinks';
import type { FieldType } from '../../../../../contract/tables/terms';
import type { Locale } from '../../../../http/access';
import type { FieldError } from '../../../../http/failure';

/** JSON Schema of a value in the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

// ---------- Conversion ----------

export type Side = { readonly type: FieldType; readonly options: FieldOptions };
/** Context for formatting and parsing values. */
export type Names = {
  /** Time zone of the site, for days and times of day. */
  readonly timeZone: string;
  /** Names of the records and people whose ids the values hold. */
  readonly names: TextNames;
  /** Finds ids of records or people by name, for the target of the new type. */
  readonly find: TextLookup;
};
/** What the new type can use during a conversion. */
export type Conversion = {
  readonly to: Side;
  readonly from: Side;
  readonly timeZone: string;
  /** A value of the old field as readable text. */
  readonly text: (value: unknown, as?: Side) => string;
  /** Parses a text as a value of the new field; unknown titles become choices where that is allowed. Throws `ValueError`. */
  readonly read: (text: string, as?: Side) => unknown;
};
export type LossNote = 'rounded' | 'time' | 'first' | 'format' | 'changed';

// ---------- Options ----------

/** A field that options refer to; it may not exist yet. */
export type Candidate = {
  readonly id: string;
  readonly key: string;
  readonly aliases: readonly string[];
  readonly title: string;
  readonly type: FieldType;
  readonly options: FieldOptions;
};
/** Resolves names in options. */
export type Surroundings = {
  /** The field's own id. */
  readonly self: string;
  readonly tableId: string;
  /** Fields of its table. */
  readonly all: readonly Candidate[];
  readonly own: (ref: string) => Candidate | null;
  readonly tableIdOf: (ref: string) => string | null;
  /** A field of this or another table by name. */
  readonly fieldOf: (tableId: string, ref: string) => Candidate | null;
  readonly fieldById: (id: string) => { readonly tableId: string; readonly field: Candidate } | null;
  /** The inverse that a relation already has. */
  readonly inverseOf: (relationId: string) => Candidate | null;
};
/** Collects errors in options, by path. */
export type OptionErrors = { readonly add: (path: string, code: FieldCode, numbers?: Omit<FieldError, 'code'>) => void };

// ---------- Cells of public views ----------

export type CellContext = {
  readonly labels: RecordLabels;
  readonly timeZone: string;
  readonly locale: Locale;
  readonly options: FieldOptions;
  /** A text as a cell, truncated where it is too long. */
  readonly plain: (text: string) => OpenCell;
  /** The cell of an exported value. */
  readonly exported: () => OpenCell;
};

/** Server side of a field type. Its column, and with it its SQL and operators, is defined in the contract. */
export type ServerFieldType = {
  /** An empty list is stored instead of null. */
  readonly listOfLinks?: boolean;
  /** Validates a JSON value and returns what is stored; `undefined` leaves the stored value unchanged. Throws `ValueError`. Omitted: the field is read-only. */
  readonly check?: (raw: unknown, options: FieldOptions) => unknown;
  /** Like `check`, for a value set by a conversion, the only writer of such a field. */
  readonly checkConverted?: (raw: unknown) => unknown;
  /** Like `check`, for a value from a backup; `undefined`: not a valid value. */
  readonly restore?: (raw: unknown) => unknown;
  /** A backup value that `check` now refuses (a removed choice, a shorter limit), if its column can still hold it; else `undefined`. */
  readonly salvage?: (raw: unknown) => unknown;
  /** Omitted: derived from the value kind that the field yields. `written`: the schema for writing, where it accepts more than is returned. */
  readonly schema?: (options: FieldOptions, written: boolean) => Schema;
  /** Schema of what the content API returns; omitted: the same as `schema`. */
  readonly publicSchema?: (options: FieldOptions) => Schema;
  /** Checks options that the common rules (`schema/options.ts`) do not cover, and resolves names in them to ids. */
  readonly resolveOptions?: (options: FieldOptions, around: Surroundings, errors: OptionErrors) => Partial<FieldOptions>;
  /** A text as HTML of a page, not cleaned yet. Omitted: paragraphs of plain text. */
  readonly html?: (text: string) => string;
  /** A value as readable text, for conversions. Omitted: as exported. */
  readonly plainText?: (value: unknown, options: FieldOptions) => string | null;
  /** Formats the column's text as the name of a record. */
  readonly label?: (text: string, options: FieldOptions) => string;
  /** The new value of a conversion, unchecked. `undefined`: use `fromText`. */
  readonly convert?: (value: unknown, conversion: Conversion) => unknown;
  /** The new value from the text of the old one. Omitted: parsed like typed text. */
  readonly fromText?: (text: string, conversion: Conversion) => unknown;
  /** What is lost when a value of this type is converted. */
  readonly loss?: LossNote;
  /** Types whose texts are stored verbatim: nothing is lost, even if reading the value back gives another one. */
  readonly holdsAsWritten?: readonly FieldType[];
  /** Holds one value where related types hold several. */
  readonly takesFirst?: boolean;
  /** The search index contains the value's words as written, so filters can use it first. */
  readonly indexedAsWritten?: boolean;
  /** A cell of a public view or its export. Omitted: derived from the value kind that the field yields. */
  readonly cell?: (value: unknown, context: CellContext) => OpenCell;
  /** For values that are not plain numbers in a spreadsheet. */
  readonly spreadsheet?: 'duration' | 'text';
};

export const defineFieldType = (definition: ServerFieldType): ServerFieldType => definition;
