import type { ComponentType, ReactNode } from 'react';

/** What a row shows beside a value: it is being saved, or was not, and why. `fault` is words for people. */
export type CellMark = { readonly saving?: true; readonly fault?: string };

/**
 * A row as the grid draws it. Rows are compared by identity: a row that changed is a new object, one that did not is the same one, and is not drawn again.
 */
export type GridRow = {
  readonly id: string;
  /** State of the row on the server that these values are of. Writes name the one that their gesture began with. */
  readonly revision?: number;
  /** By column id. */
  readonly values: Readonly<Record<string, unknown>>;
  /** By column id. */
  readonly marks?: Readonly<Record<string, CellMark>>;
  /** Number that people see in the row's head; without it the row's place in the list. */
  readonly number?: number;
  /** A colour of CSS for the stripe at the row's left, with its word for who does not see colours. */
  readonly stripe?: { readonly color: string; readonly name: string };
  /** Not to be changed by this reader, whatever the columns say. */
  readonly locked?: boolean;
};

/**
 * Rows by their place in the list, of which only some are known. An adapter between the grid and a cache: nothing here may be slow but `load`.
 */
export type RowSource = {
  /** How many there are; may grow and shrink. */
  readonly count: () => number;
  /** undefined: not known yet. What was known once stays known while it is asked for anew. */
  readonly row: (index: number) => GridRow | undefined;
  /**
   * What is looked at now: `from` up to and without `to`. Called when scrolling rests for a moment; a new call replaces the one before, so that what is out of
   * sight may be given up.
   */
  readonly want: (from: number, to: number) => void;
  /** For copying and filling of what was not looked at. Rejects with words for people. */
  readonly load: (from: number, to: number, signal: AbortSignal) => Promise<readonly GridRow[]>;
  /** Called after any change of rows or of their number. */
  readonly subscribe: (hear: () => void) => () => void;
  /** A value that changes with every change, for `useSyncExternalStore`. */
  readonly version: () => unknown;
};

/** A heading above rows that belong together. Groups are in the order of the rows; those of deeper levels follow their parent. */
export type GridGroup = {
  readonly id: string;
  /** 0 is the outermost. */
  readonly depth: number;
  /** What the rows share, with the name of the field before it if that is needed. */
  readonly label: ReactNode;
  /** The same as text, for screen readers. */
  readonly name: string;
  /** Place in the source of its first row, and how many rows it has with all that is below it. */
  readonly first: number;
  readonly count: number;
  /** By column id: aggregates of the group. */
  readonly footers?: Readonly<Record<string, string>>;
};

export type CellViewProps = { readonly value: unknown; readonly row: GridRow; readonly column: GridColumn; readonly height: RowHeight };
/** What an editor in a panel at the cell is given. It keeps its draft and says every change of it, so that a press elsewhere loses nothing. */
export type CellEditorProps = {
  readonly value: unknown;
  readonly row: GridRow;
  readonly column: GridColumn;
  /** What was typed to open it; replaces the value where the editor is one of text. */
  readonly typed: string | null;
  /** The draft as it is now; `fault` are words for why it cannot be kept. */
  readonly onDraft: (value: unknown, fault?: string) => void;
  /** Keep the draft and close. `value` if it was changed in the same moment. `move`: where the active cell goes. */
  readonly onDone: (move?: 'down' | 'up' | 'right' | 'left' | 'stay', value?: { readonly value: unknown }) => void;
  readonly onCancel: () => void;
};
export type Parsed = { readonly value: unknown } | { readonly fault: string };

/**
 * How a column is edited. `text`: in the cell itself (`parse` reads it). `panel`: by `Editor` beside the cell. `toggle`: a press or the space bar (true, false).
 * `record`: in the record (`onOpen` with the column). `none`: not at all.
 */
export type EditKind = 'text' | 'panel' | 'toggle' | 'record' | 'none';

export type FooterChoice = { readonly id: string; readonly name: string };
export type GridColumn = {
  readonly id: string;
  readonly title: string;
  readonly icon?: ReactNode;
  /** Said with the title to screen readers, such as the kind of the field, and on hover. */
  readonly note?: string;
  /** px. */
  readonly width: number;
  /** Stays at the left; pinned columns stand before all others. */
  readonly pinned?: boolean;
  readonly align?: 'left' | 'right';
  readonly edit: EditKind;
  /** Of `parse` and `toText` alike: what kind of values a copied cell has; cells of the same kind are pasted with their values, others as text. */
  readonly kind: string;
  /** Shown to be required, unique or computed: small words behind the title. */
  readonly badge?: string;
  readonly View: ComponentType<CellViewProps>;
  readonly Editor?: ComponentType<CellEditorProps>;
  /** For copying, for typing in place and for screen readers. */
  readonly toText: (value: unknown, row: GridRow) => string;
  readonly parse?: (text: string) => Parsed;
  /** How the fill handle goes on: a series of numbers (exact decimals as text or numbers), of days, or what is there again. */
  readonly series?: 'number' | 'date' | 'datetime';
  /** Which keyboard a phone shows. */
  readonly inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url';
  readonly sorted?: 'asc' | 'desc';
  readonly filtered?: boolean;
  /** Aggregate at the foot: its name and value; `null` while it is being computed. */
  readonly footer?: { readonly name: string; readonly value: string | null };
  readonly footerChoices?: readonly FooterChoice[];
};

/** Changes of values, one gesture in one call. `revision`: that of the row when the gesture began, so that what others save meanwhile is not overwritten. */
export type CellWrite = { readonly rowId: string; readonly index: number; readonly column: string; readonly value: unknown; readonly revision?: number };
export type WriteHow = 'edit' | 'toggle' | 'clear' | 'cut' | 'fill';
export type PasteRequest = {
  /** Places of the rows that it covers, in its order (rows of folded groups are passed over); what is left of `texts` is added at the end. */
  readonly rows: readonly number[];
  /** Ids of the columns from left to right. */
  readonly columns: readonly string[];
  /** Rows of cells as text, as many columns as `columns`. */
  readonly texts: readonly (readonly string[])[];
  /** The same as values, where they were copied in this console: by the kind of the column that they came from. */
  readonly values: readonly (readonly unknown[])[] | null;
  readonly kinds: readonly string[] | null;
  /** There were more columns than the table has from there on. */
  readonly cutOff: number;
};

export type RowHeight = 'short' | 'medium' | 'tall';
/** Where somebody else is. */
export type Other = { readonly id: string; readonly name: string; readonly rowId: string; readonly column: string; readonly color: string };
export type GridMenuItem = {
  readonly id: string;
  readonly name: string;
  readonly keys?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** A line above it. */
  readonly apart?: boolean;
  readonly onChoose: () => void;
};
/** What a context menu is about. `rows` are the places of all rows of the selection, `from` up to and without `to`. */
export type MenuPlace = {
  readonly row: GridRow;
  readonly index: number;
  readonly column: string;
  readonly rows: readonly { readonly from: number; readonly to: number }[];
};

/** Things to do that a toolbar wants to start. */
export type GridHandle = {
  readonly focus: () => void;
  /** Makes a cell active and brings it into sight; without a column the first. */
  readonly show: (index: number, column?: string) => void;
  /** Chooses a whole row and brings it into sight; the focus stays where it is. */
  readonly showRow: (index: number) => void;
  readonly edit: () => void;
  readonly active: () => { readonly index: number; readonly row: GridRow | undefined; readonly column: string } | null;
  readonly selection: () => readonly { readonly from: number; readonly to: number; readonly columns: readonly string[] }[];
  readonly toTop: () => void;
};

/** What is left out is not offered: no “+” without `onAddRow`, no fill handle without `onWrite`. */
export type GridProps = {
  /** Name of the table, said to screen readers. */
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly source: RowSource;
  readonly height?: RowHeight;
  readonly groups?: readonly GridGroup[];
  /** Ids of groups that are folded. */
  readonly folded?: ReadonlySet<string>;
  readonly onFold?: (group: string, folded: boolean) => void;

  readonly onWrite?: (writes: readonly CellWrite[], how: WriteHow) => void;
  readonly onPaste?: (paste: PasteRequest) => void;
  /** `after`: place of the row below which it is to stand; null: at the end. `group`: id of the group whose “+” it was. */
  readonly onAddRow?: (after: number | null, group?: string) => void;
  readonly onOpen?: (row: GridRow, index: number, column?: string) => void;
  readonly onUndo?: () => void;
  readonly onRedo?: () => void;
  /** Rows `from` up to and without `to` come to stand before the row at `before`. Only where the order is people's own. */
  readonly onMoveRows?: (from: number, to: number, before: number) => void;
  readonly checked?: ReadonlySet<string>;
  /** `all`: everything that the list has, known or not. */
  readonly checkedAll?: boolean;
  readonly onCheck?: (ids: readonly string[], on: boolean) => void;
  readonly onCheckAll?: (on: boolean) => void;

  readonly onWidth?: (column: string, width: number) => void;
  /** `before` null: to the end. A pinned column that is dropped among others is no longer pinned, and the other way round. */
  readonly onMoveColumn?: (column: string, before: string | null, pinned: boolean) => void;
  readonly onPin?: (column: string, pinned: boolean) => void;
  readonly onHide?: (column: string) => void;
  readonly onSort?: (column: string, direction: 'asc' | 'desc' | null, also: boolean) => void;
  readonly onFilter?: (column: string) => void;
  readonly onEditField?: (column: string) => void;
  readonly onInsertField?: (beside: string, side: 'left' | 'right') => void;
  readonly onAddField?: (button: HTMLElement) => void;
  readonly columnMenu?: (column: GridColumn) => readonly GridMenuItem[];
  readonly onFooter?: (column: string, choice: string | null) => void;
  readonly rowMenu?: (place: MenuPlace) => readonly GridMenuItem[];

  readonly others?: readonly Other[];
  /** Where the reader is: for presence. null: nowhere. */
  readonly onActive?: (at: { readonly index: number; readonly rowId: string | null; readonly column: string } | null) => void;
  readonly onSelect?: (shape: { readonly rows: number; readonly columns: number; readonly cells: number }) => void;
  /** A gesture that was not done: words for people. */
  readonly onNotice?: (text: string) => void;
  readonly handle?: { current: GridHandle | null };
  /** Shown instead of rows where there are none. */
  readonly empty?: ReactNode;
};
