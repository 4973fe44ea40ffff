import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '@/ui/Tag';
import { asFiles, asTexts, fileName, labelIn, safeHref } from './env';
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
export const Files = ({ value, pictures }: { value: unknown; pictures: boolean }) => {
  const files = asFiles(value);
  return (
    <span className="f-files">
      {files.slice(0, 8).map((file, place) => {
        const href = safeHref(file.url);
        return pictures && href !== null ? (
          // oxlint-disable-next-line react/no-array-index-key -- the same file may be there twice
          <img key={place} src={href} alt={file.alt ?? fileName(file)} loading="lazy" decoding="async" />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <Tag key={place}>{link(href, fileName(file))}</Tag>
        );
      })}
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
