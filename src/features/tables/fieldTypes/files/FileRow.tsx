import AttachFile from '@mui/icons-material/AttachFileOutlined';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { isResourceUse } from '@contract/tables/fieldTypes/fileValues';
import type { FileItem } from '@contract/tables/fieldTypes/fileValues';
import type { ResourceLabel } from '@contract/resources/labels';
import { resourceLimits } from '@contract/resources/terms';
import { useLanguageName } from '@/lib/languageName';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { FilePicture } from './FilePicture';

type Props = {
  readonly siteId: string;
  readonly item: FileItem;
  /** Of the resource that the item uses; undefined if it is not known. */
  readonly label: ResourceLabel | undefined;
  /** Languages of the texts, the main one first. */
  readonly locales: readonly string[];
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

type TextKey = 'alt' | 'caption';
const longest: Readonly<Record<TextKey, number>> = { alt: resourceLimits.text, caption: resourceLimits.caption };

/** A use with another text in a language; without it if the text is empty. */
function withText(item: FileItem, key: TextKey, locale: string, text: string): FileItem {
  if (!isResourceUse(item)) {
    const { alt: _alt, ...rest } = item;
    return text === '' ? rest : { ...rest, alt: text };
  }
  const { [key]: before = {}, ...rest } = item;
  const texts = Object.fromEntries(Object.entries({ ...before, [locale]: text }).filter(([, one]) => one !== ''));
  return Object.keys(texts).length === 0 ? rest : { ...rest, [key]: texts };
}

type InputProps = Pick<Props, 'item' | 'label' | 'name' | 'onChange'> & {
  readonly textKey: TextKey;
  readonly locale: string;
  /** Name of the language; null where there is only one, or for the main one. */ readonly language: string | null;
};
const TextInput = ({ item, label, name, onChange, textKey, locale, language }: InputProps): ReactElement => {
  const { t } = useTranslation('tableFields');
  const placeholder = textKey === 'alt' ? (label?.alt[locale] ?? t('fileAlt')) : t('files.caption');
  return (
    <input
      type="text"
      maxLength={longest[textKey]}
      aria-label={language === null ? t(`files.${textKey}Of`, { name }) : t(`files.${textKey}In`, { name, language })}
      placeholder={language === null ? placeholder : `${placeholder} · ${language}`}
      value={isResourceUse(item) ? (item[textKey]?.[locale] ?? '') : (item.alt ?? '')}
      onChange={(event) => onChange(withText(item, textKey, locale, event.currentTarget.value))}
    />
  );
};

/** One file of a value: its picture, its alternative text in this place, and its place among the others. */
export const FileRow = ({ siteId, item, label, locales, name, at, of, onChange, onMove, onRemove, onDrag, onDropHere }: Props): ReactElement => {
  const { t } = useTranslation('tableFields');
  const languageName = useLanguageName();
  const [isOpen, setIsOpen] = useState(false);
  const [main = ''] = locales;
  const texts = { item, label, name, onChange };
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
        <TextInput {...texts} textKey="alt" locale={main} language={null} />
        {isOpen &&
          (['alt', 'caption'] as const).flatMap((textKey) =>
            locales
              .filter((locale) => textKey === 'caption' || locale !== main)
              .map((locale) => (
                <TextInput
                  key={`${textKey} ${locale}`}
                  {...texts}
                  textKey={textKey}
                  locale={locale}
                  language={locales.length > 1 ? languageName(locale) : null}
                />
              )),
          )}
      </span>
      {isResourceUse(item) && (
        <IconButton label={t('files.texts', { name })} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <Icon name="language" size={14} />
        </IconButton>
      )}
      {of > 1 && (
        <>
          <IconButton disabled={at === 0} label={t('files.up', { name })} onClick={() => onMove(at - 1)}>
            <Icon name="up" size={14} />
          </IconButton>
          <IconButton disabled={at === of - 1} label={t('files.down', { name })} onClick={() => onMove(at + 1)}>
            <Icon name="down" size={14} />
          </IconButton>
        </>
      )}
      <IconButton label={t('remove', { name })} onClick={onRemove}>
        <Icon name="close" size={14} />
      </IconButton>
    </li>
  );
};
