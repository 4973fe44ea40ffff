import type Notes from '@mui/icons-material/NotesOutlined';
import type { ReactElement, ReactNode } from 'react';
import type { FieldOptions } from '@contract/tables/schemas';
import type { EditKind, GridColumn } from '../grid/types';
import type { EditorProps } from './editorProps';
import type { FieldEnv, ShownField } from './env';

/** Sections of the palette of field types, in display order. */
export const paletteGroups = ['text', 'number', 'choice', 'date', 'file', 'link', 'computed', 'other'] as const;
export type PaletteGroup = (typeof paletteGroups)[number];

export type CellParts = {
  readonly field: ShownField;
  readonly value: unknown;
  readonly env: FieldEnv;
  /** The value as a line of text. */ readonly text: () => string;
};

/**
 * What the console shows of a field type. Its name and description are in `parts/messages`, larger editors in `recordEditors.tsx`, type-specific options in
 * `optionPanels.tsx`.
 */
export type ConsoleFieldType = {
  readonly group: PaletteGroup;
  readonly icon: typeof Notes;
  /** A non-empty value as a line of text, in the reader's language. Default: by the kind of value that the field yields. */
  readonly text?: (value: unknown, field: ShownField, env: FieldEnv) => string;
  /** What a cell renders; not a component, because a screen has hundreds of cells. Default: its text. */
  readonly cell?: (parts: CellParts) => ReactNode;
  /** Its cells may contain links. */
  readonly hasLinks?: boolean;
  /** Renders lists of values itself, including lists of booleans. */
  readonly showsLists?: boolean;
  /** A number that is not a quantity: neither right-aligned nor continued as a series. */
  readonly noQuantity?: boolean;
  /** For forms and the panel at a cell. Omitted where the record has its own editor or the type is read-only. */
  readonly Editor?: (props: EditorProps) => ReactElement;
  /** How a cell is edited; default `text`. */
  readonly edit?: EditKind;
  /** On-screen keyboard for a cell that is edited as text. */
  readonly inputMode?: NonNullable<GridColumn['inputMode']>;
  /** In a record, the editor opens only when the value is pressed. */
  readonly folded?: boolean;
  /** Default column width, px. */
  readonly width?: number;
  /** Initial options of a new field. */
  readonly startOptions?: FieldOptions;
  /** False where the designer offers no default value. */
  readonly defaultEditor?: false;
};

export const defineFieldType = (definition: ConsoleFieldType): ConsoleFieldType => definition;
