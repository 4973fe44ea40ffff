import type { ComponentType, ReactNode } from 'react';

/** What a row shows beside a value: that it is being saved, or why it was not. `error` is a message for users. */
export type CellMark = { readonly saving?: true; readonly error?: string };

/**
 * A row as the grid renders it. Rows are compared by identity: a changed row is a new object; an unchanged row is the same object and does not render again.
 */
export type GridRow = {
  readonly id: string;
  /** Server revision of these values. Writes send the revision at the start of their gesture. */
  readonly revision?: number;
  /** By column id. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By column id. */
  readonly marks?: Readonly<Record<string, CellMark>>;
  /** Number shown in the row's head; default: the row's position in the list. */
  readonly number?: number;
  /** CSS colour of the stripe at the row's left, with a text alternative. */
  readonly stripe?: { readonly color: string; readonly name: string };
  /** Read-only for this reader, whatever the columns allow. */
  readonly locked?: boolean;
};

/** Rows by their position in the list, only some of them loaded. An adapter between the grid and a cache: everything but `load` must be fast. */
export type RowSource = {
  /** Number of rows; may grow and shrink. */
  readonly count: () => number;
  /** undefined: not loaded yet. A loaded row stays available while it is refetched. */
  readonly row: (index: number) => GridRow | undefined;
  /**
   * Requests the visible rows: `from` inclusive to `to` exclusive. Called when scrolling pauses; a new call replaces the previous one, so that requests for
   * rows out of view may be aborted.
   */
  readonly want: (from: number, to: number) => void;
  /** For copying and filling rows that were not visible. Rejects with a message for users. */
  readonly load: (from: number, to: number, signal: AbortSignal) => Promise<readonly GridRow[]>;
  /** Called after any change of rows or of their number. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Changes with every change, for `useSyncExternalStore`. */
  readonly version: () => unknown;
};

/** A heading above the rows of a group. Groups are in row order; deeper groups follow their parent. */
export type GridGroup = {
  readonly id: string;
  /** 0 is the outermost. */
  readonly depth: number;
  /** The shared value, preceded by the field name where needed. */
  readonly label: ReactNode;
  /** The same as text, for screen readers. */
  readonly name: string;
  /** Source index of its first row, and its number of rows including subgroups. */
  readonly first: number;
  readonly count: number;
  /** By column id: aggregates of the group. */
  readonly footers?: Readonly<Record<string, string>>;
};

export type CellViewProps = { readonly value: unknown; readonly row: GridRow; readonly column: GridColumn; readonly height: RowHeight };
/** Props of an editor in the panel at a cell. It keeps its draft and reports every change, so that a press elsewhere loses nothing. */
export type CellEditorProps = {
  readonly value: unknown;
  readonly row: GridRow;
  readonly column: GridColumn;
  /** The text that opened it; replaces the value in text editors. */
  readonly typed: string | null;
  /** The current draft; `error` is the message why it is invalid. */
  readonly onDraft: (value: unknown, error?: string) => void;
  /** Commits the draft and closes. `value`: the draft, if it changed in the same event. `move`: where the active cell goes. */
  readonly onDone: (move?: 'down' | 'up' | 'right' | 'left' | 'stay', value?: { readonly value: unknown }) => void;
  readonly onCancel: () => void;
};
export type Parsed = { readonly value: unknown } | { readonly error: string };

/**
 * How a column is edited. `text`: in the cell itself (`parse` reads it). `panel`: by `Editor` beside the cell. `toggle`: by a press or the space bar (true,
 * false). `record`: in the record (`onOpen` with the column). `none`: read-only.
 */
export type EditKind = 'text' | 'panel' | 'toggle' | 'record' | 'none';

export type FooterChoice = { readonly id: string; readonly name: string };
export type GridColumn = {
  readonly id: string;
  readonly title: string;
  readonly icon?: ReactNode;
  /** Read with the title by screen readers, such as the field type, and shown on hover. */
  readonly note?: string;
  /** px. */
  readonly width: number;
  /** Stays at the left; pinned columns precede all others. */
  readonly pinned?: boolean;
  readonly align?: 'left' | 'right';
  readonly edit: EditKind;
  /** The kind of value that `parse` and `toText` handle: cells of the same kind are pasted by value, others as text. */
  readonly kind: string;
  /** Short text after the title: required, unique or computed. */
  readonly badge?: string;
  /** Kept by the list itself, not a field: cannot be renamed. */
  readonly system?: true;
  /** Never hidden, such as the name of a record. */
  readonly alwaysVisible?: true;
  readonly View: ComponentType<CellViewProps>;
  readonly Editor?: ComponentType<CellEditorProps>;
  /** For copying, editing in place and screen readers. */
  readonly toText: (value: unknown, row: GridRow) => string;
  readonly parse?: (text: string) => Parsed;
  /** How the fill handle continues: a series of numbers (exact decimals as text or numbers) or of days; by default it repeats the values. */
  readonly series?: 'number' | 'date' | 'datetime';
  /** On-screen keyboard of phones. */
  readonly inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url';
  readonly sorted?: 'asc' | 'desc';
  readonly filtered?: boolean;
  /** Aggregate at the foot: name and value; `null` while it is being computed. */
  readonly footer?: { readonly name: string; readonly value: string | null };
  readonly footerChoices?: readonly FooterChoice[];
};

/** Value changes of one gesture, in one call. `revision`: that of the row at the start of the gesture, so that concurrent changes are not overwritten. */
export type CellWrite = { readonly rowId: string; readonly index: number; readonly column: string; readonly value: unknown; readonly revision?: number };
export type WriteKind = 'edit' | 'toggle' | 'clear' | 'cut' | 'fill';
export type PasteRequest = {
  /** Indexes of the rows it covers, in order, without rows of folded groups; the remaining rows of `texts` are added at the end. */
  readonly rows: readonly number[];
  /** Ids of the columns from left to right. */
  readonly columns: readonly string[];
  /** Rows of cell texts, with as many columns as `columns`. */
  readonly texts: readonly (readonly string[])[];
  /** The same as values, if copied in this console: by the kind of the source column. */
  readonly values: readonly (readonly unknown[])[] | null;
  readonly kinds: readonly string[] | null;
  /** Number of columns that did not fit into the table. */
  readonly cutOff: number;
  /** Texts of those columns, for each row. */
  readonly extra: readonly (readonly string[])[];
};

export type RowHeight = 'short' | 'medium' | 'tall';
/** Position of another user. */
export type OtherUser = { readonly id: string; readonly name: string; readonly rowId: string; readonly column: string; readonly color: string };
export type GridMenuItem = {
  readonly id: string;
  readonly name: string;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** Has a separator line above it. */
  readonly apart?: boolean;
  readonly onChoose: () => void;
};
/** What a context menu applies to. `rows` are the ranges of rows of the selection, `from` inclusive to `to` exclusive. */
export type MenuPlace = {
  readonly row: GridRow;
  readonly index: number;
  readonly column: string;
  readonly rows: readonly { readonly from: number; readonly to: number }[];
};

/** Actions that a toolbar can start. */
export type GridHandle = {
  readonly focus: () => void;
  /** Activates a cell and scrolls it into view; without `column` the first. */
  readonly show: (index: number, column?: string) => void;
  /** Selects a whole row and scrolls it into view; the focus does not move. */
  readonly showRow: (index: number) => void;
  readonly edit: () => void;
  /** The cell that an element belongs to, at a point of the window; null if it belongs to none. */
  readonly cellAt: (target: Element, clientX: number, clientY: number) => { readonly row: GridRow; readonly column: string } | null;
  readonly active: () => { readonly index: number; readonly row: GridRow | undefined; readonly column: string } | null;
  readonly selection: () => readonly { readonly from: number; readonly to: number; readonly columns: readonly string[] }[];
  readonly toTop: () => void;
};

/** Omitted callbacks hide their control: no “+” without `onAddRow`, no fill handle without `onWrite`. */
export type GridProps = {
  /** Name of the table, for screen readers. */
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly source: RowSource;
  readonly height?: RowHeight;
  readonly groups?: readonly GridGroup[];
  /** Ids of groups that are folded. */
  readonly folded?: ReadonlySet<string>;
  readonly onFold?: (group: string, folded: boolean) => void;

  readonly onWrite?: (writes: readonly CellWrite[], how: WriteKind) => void;
  readonly onPaste?: (paste: PasteRequest) => void;
  /** Files are pasted while a cell is active. */
  readonly onPasteFiles?: (files: readonly File[]) => void;
  /** `after`: index of the row below which the new row goes; null: at the end. `group`: id of the group whose “+” was pressed. */
  readonly onAddRow?: (after: number | null, group?: string) => void;
  readonly onOpen?: (row: GridRow, index: number, column?: string) => void;
  readonly onUndo?: () => void;
  readonly onRedo?: () => void;
  /** Moves rows `from` (inclusive) to `to` (exclusive) before the row at `before`. Only where the order is manual. */
  readonly onMoveRows?: (from: number, to: number, before: number) => void;
  readonly checked?: ReadonlySet<string>;
  /** `all`: every row of the list, loaded or not. */
  readonly checkedAll?: boolean;
  readonly onCheck?: (ids: readonly string[], on: boolean) => void;
  readonly onCheckAll?: (on: boolean) => void;

  readonly onWidth?: (column: string, width: number) => void;
  /** `before` null: at the end. Dropping a column among pinned columns pins it; dropping it among others unpins it. */
  readonly onMoveColumn?: (column: string, before: string | null, pinned: boolean) => void;
  readonly onPin?: (column: string, pinned: boolean) => void;
  readonly onHide?: (column: string) => void;
  readonly onSort?: (column: string, direction: 'asc' | 'desc' | null, also: boolean) => void;
  readonly onFilter?: (column: string) => void;
  /** `title` is not empty and differs from the current one. */
  readonly onRenameField?: (column: string, title: string) => void;
  /** `anchor`: the button of the column's menu. */
  readonly onInsertField?: (beside: string, side: 'left' | 'right', anchor: HTMLElement) => void;
  readonly onAddField?: (button: HTMLElement) => void;
  /** Entries of a column's menu: near its top, and at its end. */
  readonly columnMenu?: (column: GridColumn) => readonly GridMenuItem[];
  readonly columnMenuEnd?: (column: GridColumn) => readonly GridMenuItem[];
  readonly onFooter?: (column: string, choice: string | null) => void;
  readonly rowMenu?: (place: MenuPlace) => readonly GridMenuItem[];

  readonly others?: readonly OtherUser[];
  /** The reader's active cell, for presence. null: none. */
  readonly onActive?: (at: { readonly index: number; readonly rowId: string | null; readonly column: string } | null) => void;
  readonly onSelect?: (shape: { readonly rows: number; readonly columns: number; readonly cells: number }) => void;
  /** A gesture was not carried out; `text` is a message for users. */
  readonly onNotice?: (text: string) => void;
  readonly handle?: { current: GridHandle | null };
  /** Shown instead of rows where there are none. */
  readonly empty?: ReactNode;
};
