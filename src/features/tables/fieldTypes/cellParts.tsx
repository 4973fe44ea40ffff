import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '@/ui/Tag';
import { fileItemsOf, isResourceUse, textIn } from '@contract/tables/fieldTypes/fileValues';
import type { FileItem } from '@contract/tables/fieldTypes/fileValues';
import { FilePicture } from './files/FilePicture';
import { contentAddress, pictureAddress } from './files/filesApi';
import { itemName } from './files/fileNames';
import { asTexts, labelIn, safeHref } from './env';
import type { FieldEnv } from './env';
import './fields.css';

/** A text that is a link where its address is safe to follow. */
export const link = (href: string | null, text: string): ReactNode =>
  href === null ? (
    text
  ) : (
    <a href={href} target="_blank" rel="noreferrer noopener" tabIndex={-1}>
      {text}
    </a>
  );
export const Stars = ({ value, of }: { value: number; of: number }) => (
  <span className="f-stars" aria-hidden="true">
    {'★'.repeat(Math.max(0, Math.min(value, of)))}
    <span>{'★'.repeat(Math.max(0, of - value))}</span>
  </span>
);
/** One file: its picture, or its name as a link. A resource that is not known any more is marked. */
const FileCell = ({ env, item, pictures }: { env: FieldEnv; item: FileItem; pictures: boolean }) => {
  const { t } = useTranslation('tableFields');
  const { siteId, labels, format } = env;
  const name = itemName(item, labels.resources);
  if (!isResourceUse(item)) {
    const href = safeHref(item.url);
    return pictures && href !== null ? <img src={href} alt={item.alt ?? name} loading="lazy" decoding="async" /> : <Tag>{link(href, name)}</Tag>;
  }
  const file = labels.resources?.[item.resource];
  if (!file || siteId === null) return <Tag>{name || <span className="f-dim">{t('files.unknown')}</span>}</Tag>;
  if (pictures && pictureAddress(siteId, file) !== null)
    return <FilePicture siteId={siteId} file={file} alt={textIn({ ...file.alt, ...item.alt }, format.locale) ?? name} />;
  return <Tag>{pictures ? name : link(contentAddress(siteId, file), name)}</Tag>;
};
export const Files = ({ env, value, pictures }: { env: FieldEnv; value: unknown; pictures: boolean }) => {
  const files = fileItemsOf(value);
  return (
    <span className="f-files">
      {files.slice(0, 8).map((item, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same file may be there twice
        <FileCell key={place} env={env} item={item} pictures={pictures} />
      ))}
      {files.length > 8 && <Tag>+{files.length - 8}</Tag>}
    </span>
  );
};
export const Links = ({ env, value, kind }: { env: FieldEnv; value: unknown; kind: 'records' | 'people' }) => {
  const { t } = useTranslation('tableFields');
  const ids = asTexts(value);
  return (
    <span className="f-chips">
      {ids.slice(0, 20).map((id) => (
        <Tag key={id}>{labelIn(env, kind, id) ?? <span className="f-dim">{t(kind === 'people' ? 'unknownPerson' : 'unknown')}</span>}</Tag>
      ))}
      {ids.length > 20 && <Tag>+{ids.length - 20}</Tag>}
    </span>
  );
};
