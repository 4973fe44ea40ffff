import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Choice } from '@contract/tables/schemas';
import { asFiles, asTexts, fileName, labelIn, safeHref } from './env';
import type { FieldEnv } from './env';
import './fields.css';

/** A label on a coloured background; the colour is that of the choice. */
export const Chip = ({ children, color }: { children: ReactNode; color?: Choice['color'] | undefined }) => (
  <span className={color === undefined ? 'f-chip' : `f-chip f-${color}`}>{children}</span>
);
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
          <Chip key={place}>{link(href, fileName(file))}</Chip>
        );
      })}
      {files.length > 8 && <Chip>+{files.length - 8}</Chip>}
    </span>
  );
};
export const Links = ({ env, value, kind }: { env: FieldEnv; value: unknown; kind: 'records' | 'people' }) => {
  const { t } = useTranslation('tableFields');
  const ids = asTexts(value);
  return (
    <span className="f-chips">
      {ids.slice(0, 20).map((id) => (
        <Chip key={id}>{labelIn(env, kind, id) ?? <span className="f-dim">{t(kind === 'people' ? 'unknownPerson' : 'unknown')}</span>}</Chip>
      ))}
      {ids.length > 20 && <Chip>+{ids.length - 20}</Chip>}
    </span>
  );
};
