import AttachFile from '@mui/icons-material/AttachFileOutlined';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isResourceUse } from '@contract/tables/fieldTypes/fileValues';
import type { FileItem } from '@contract/tables/fieldTypes/fileValues';
import type { ResourceLabel } from '@contract/resources/labels';
import { Icon } from '@/ui/Icon';
import { FilePicture } from './FilePicture';

type Props = {
  readonly siteId: string;
  readonly item: FileItem;
  /** Of the resource that the item uses; undefined if it is not known. */
  readonly label: ResourceLabel | undefined;
  /** Language of the texts that are edited. */
  readonly locale: string;
  readonly name: string;
  readonly at: number;
  readonly of: number;
  readonly onChange: (item: FileItem) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
  /** The row is dragged to another place, or something is dropped on it. */
  readonly onDrag: (at: number | null) => void;
  readonly onDropHere: () => void;
};

/** A use without the language, or with a text in it. */
function withAlt(item: FileItem, locale: string, text: string): FileItem {
  if (!isResourceUse(item)) {
    const { alt: _alt, ...rest } = item;
    return text === '' ? rest : { ...rest, alt: text };
  }
  const { alt = {}, ...rest } = item;
  const texts = Object.fromEntries(Object.entries({ ...alt, [locale]: text }).filter(([, one]) => one !== ''));
  return Object.keys(texts).length === 0 ? rest : { ...rest, alt: texts };
}

/** One file of a value: its picture, its alternative text in this place, and its place among the others. */
export const FileRow = ({ siteId, item, label, locale, name, at, of, onChange, onMove, onRemove, onDrag, onDropHere }: Props): ReactElement => {
  const { t } = useTranslation('tableFields');
  const alt = isResourceUse(item) ? (item.alt?.[locale] ?? '') : (item.alt ?? '');
  return (
    // Dragging is a shortcut for the buttons that move the row.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className="f-filerow"
      draggable={of > 1}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        onDrag(at);
      }}
      onDragEnd={() => onDrag(null)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) event.preventDefault();
      }}
      onDrop={(event) => {
        if (event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        onDropHere();
      }}
    >
      <span className="f-filepicture">{label ? <FilePicture siteId={siteId} file={label} alt="" /> : <AttachFile fontSize="small" />}</span>
      <span className="f-filetexts">
        <span className="f-line">{name}</span>
        <input
          type="text"
          maxLength={500}
          aria-label={t('files.altOf', { name })}
          placeholder={label?.alt[locale] ?? t('fileAlt')}
          value={alt}
          onChange={(event) => onChange(withAlt(item, locale, event.currentTarget.value))}
        />
      </span>
      <button type="button" className="icon-button" disabled={at === 0} aria-label={t('files.up', { name })} onClick={() => onMove(at - 1)}>
        <Icon name="up" size={14} />
      </button>
      <button type="button" className="icon-button" disabled={at === of - 1} aria-label={t('files.down', { name })} onClick={() => onMove(at + 1)}>
        <Icon name="down" size={14} />
      </button>
      <button type="button" className="icon-button" aria-label={t('remove', { name })} onClick={onRemove}>
        <Icon name="close" size={14} />
      </button>
    </li>
  );
};
