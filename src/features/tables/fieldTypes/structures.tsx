import AttachFile from '@mui/icons-material/AttachFileOutlined';
import DataObject from '@mui/icons-material/DataObjectOutlined';
import Image from '@mui/icons-material/ImageOutlined';
import ListAlt from '@mui/icons-material/ListAltOutlined';
import Place from '@mui/icons-material/PlaceOutlined';
import { Suspense } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { fileItemsOf } from '@contract/tables/fieldTypes/fileValues';
import type { RecordLabels } from '@contract/tables/records';
import type { RepeaterItem } from '@contract/tables/schemas';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import { Files } from './cellParts';
import { defineFieldType } from './definition';
import type { ConsoleFieldType } from './definition';
import type { EditorProps } from './editorProps';
import { asList } from './env';
import type * as filesEditor from './files/FilesEditor';
import { itemName } from './files/fileNames';
import { GeoEditor, JsonEditor } from './plainEditors';

/** Editors of files load when the first one opens: the grid only shows values. */
function lazyEditor(pick: (part: typeof filesEditor) => ComponentType<EditorProps>): (props: EditorProps) => ReactElement {
  const Editor = lazyWithRetry<EditorProps>(async () => ({ default: pick(await import(/* webpackChunkName: "files-editor" */ './files/FilesEditor')) }));
  return (props) => (
    <Suspense fallback={null}>
      <Editor {...props} />
    </Suspense>
  );
}
const FileListEditor = lazyEditor((part) => part.FileListEditor);
const PictureListEditor = lazyEditor((part) => part.PictureListEditor);

const files = (more: Partial<ConsoleFieldType> & Pick<ConsoleFieldType, 'icon'>): ConsoleFieldType =>
  defineFieldType({
    group: 'file',
    Editor: FileListEditor,
    edit: 'panel',
    hasLinks: true,
    text: (value, _field, { labels }) =>
      fileItemsOf(value)
        .map((item) => itemName(item, labels.resources))
        .filter((name) => name !== '')
        .join('、'),
    cell: ({ value, env }) => <Files env={env} value={value} pictures={false} />,
    ...more,
  });
const pictures = {
  icon: Image,
  Editor: PictureListEditor,
  hasLinks: false,
  cell: ({ value, env }) => <Files env={env} value={value} pictures />,
} satisfies Partial<ConsoleFieldType>;
export const image = files({ ...pictures, width: 120 });
export const file = files({ icon: AttachFile });
export const video = files({ icon: Image });
export const svg = files(pictures);

export const geo = defineFieldType({
  group: 'other',
  icon: Place,
  Editor: GeoEditor,
  edit: 'panel',
  text: (value) => {
    const point = value as { lat?: unknown; lng?: unknown };
    return typeof point.lat === 'number' && typeof point.lng === 'number' ? `${String(point.lat)}, ${String(point.lng)}` : '';
  },
});

const structure = {
  group: 'other',
  text: (value) => JSON.stringify(value),
  cell: ({ text }) => <span className="f-line f-code">{text().slice(0, 500)}</span>,
} as const satisfies Partial<ConsoleFieldType>;
export const json = defineFieldType({ ...structure, icon: DataObject, Editor: JsonEditor, edit: 'panel' });

/** A part of an item as text: names of files and choices, the title of what is switched on. */
function partText({ title, choices = [] }: RepeaterItem, value: unknown, { resources }: RecordLabels): string {
  const uses = fileItemsOf(value);
  if (uses.length > 0) return uses.map((use) => itemName(use, resources)).join('、');
  if (typeof value === 'boolean') return value ? title : '';
  return choices.find(({ id }) => id === value)?.title ?? (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
}
export const repeater = defineFieldType({
  group: 'other',
  icon: ListAlt,
  edit: 'record',
  defaultEditor: false,
  text: (value, { options: { items = [] } }, { labels }) =>
    asList(value)
      .map((row) =>
        items
          .map((item) => partText(item, (row as Readonly<Record<string, unknown>>)[item.key], labels))
          .filter((part) => part !== '')
          .join(' · '),
      )
      .filter((row) => row !== '')
      .join('；'),
  cell: ({ text }) => <span className="f-line">{text().slice(0, 500)}</span>,
});
