import { memo } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { removedChoice } from '@contract/tables/fieldText';
import type { Choice } from '@contract/tables/schemas';
import { i18n } from '@/i18n';
import { Icon } from '@/ui/Icon';
import type { RowHeight } from '../grid/types';
import { asFiles, asList, asText, asTexts, fileName, labelIn, safeHref, useFieldEnv } from './env';
import type { FieldEnv, ShownField } from './env';
import './fields.css';
import { showValue } from './show';

/** A name on a coloured ground; the colour is that of the choice. */
export const Chip = ({ children, color }: { children: ReactNode; color?: Choice['color'] | undefined }) => (
  <span className={color === undefined ? 'f-chip' : `f-chip f-${color}`}>{children}</span>
);
const link = (href: string | null, text: string): ReactNode =>
  href === null ? (
    text
  ) : (
    <a href={href} target="_blank" rel="noreferrer noopener" tabIndex={-1}>
      {text}
    </a>
  );
const Stars = ({ value, of }: { value: number; of: number }) => (
  <span className="f-stars" aria-hidden="true">
    {'★'.repeat(Math.max(0, Math.min(value, of)))}
    <span>{'★'.repeat(Math.max(0, of - value))}</span>
  </span>
);
const Files = ({ field, value }: { field: ShownField; value: unknown }) => {
  const files = asFiles(value);
  const pictures = field.type === 'image' || field.type === 'svg';
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
const Links = ({ env, value, kind }: { env: FieldEnv; value: unknown; kind: 'records' | 'people' }) => {
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
const Problem = ({ code }: { code: string }) => {
  const { t } = useTranslation('tableFields');
  const text = code === 'missing_field' || code === 'wrong_type' || code === 'cycle' ? t(`problem.${code}`) : t('problem.other');
  return (
    <span className="f-problem" title={text}>
      <Icon name="warning" size={14} />
      {text}
    </span>
  );
};
/**
 * `toggles`: a press on it turns it (the grid listens for it). There are hundreds on a screen: its words are asked for without a hook, whose listeners would be
 * a tenth of what scrolling costs; in another language the cell is drawn anew with its formats.
 */
const Box = ({ on, toggles }: { on: boolean; toggles: boolean }) => (
  <span
    className={on ? 'f-box f-on' : 'f-box'}
    {...(toggles ? { 'data-toggle': true } : {})}
    role="img"
    aria-label={i18n.t(on ? 'yes' : 'no', { ns: 'tableFields' })}
  >
    {on && <Icon name="check" size={12} />}
  </span>
);
const buttonHref = (value: unknown): { url: string; label: string } | null => {
  if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string') return null;
  return { url: value.url, label: 'label' in value && typeof value.label === 'string' ? value.label : value.url };
};

/** A value as a cell or a card shows it. `height`: how much room there is; texts break into lines where there is more than one. */
export const CellView = memo(({ field, value, height = 'short' }: { field: ShownField; value: unknown; height?: RowHeight }) => {
  const env = useFieldEnv();
  if (field.problem !== null) return <Problem code={field.problem} />;
  const { type, options } = field;
  if (type === 'switch' || (field.yields === 'boolean' && type !== 'lookup')) {
    return <Box on={value === true} toggles={type === 'switch'} />;
  }
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  const text = (): string => showValue(field, value, env);
  switch (type) {
    case 'select':
    case 'multiSelect':
      return (
        <span className="f-chips">
          {asTexts(value).map((id) => {
            const choice = options.choices?.find((one) => one.id === id);
            return (
              <Chip key={id} color={choice?.color}>
                {choice?.title ?? <span className="f-dim">{removedChoice(env.format.locale)}</span>}
              </Chip>
            );
          })}
        </span>
      );
    case 'tags':
      return (
        <span className="f-chips">
          {asTexts(value).map((tag) => (
            <Chip key={tag}>{tag}</Chip>
          ))}
        </span>
      );
    case 'relation':
    case 'relations':
    case 'inverse':
      return <Links env={env} value={value} kind="records" />;
    case 'user':
      return <Links env={env} value={value} kind="people" />;
    case 'rating':
      return typeof value === 'number' ? (
        <>
          <Stars value={value} of={typeof options.max === 'number' ? options.max : 5} />
          <span className="only-read">{value}</span>
        </>
      ) : null;
    case 'color':
      return (
        <span className="f-line">
          <span className="f-swatch" style={{ background: /^#[\da-f]{3,8}$/i.test(asText(value)) ? asText(value) : 'none' }} />
          {text()}
        </span>
      );
    case 'url':
      return <span className="f-line">{link(safeHref(asText(value)), asText(value))}</span>;
    case 'email':
      return <span className="f-line">{link(`mailto:${encodeURIComponent(asText(value)).replaceAll('%40', '@')}`, asText(value))}</span>;
    case 'phone':
      return <span className="f-line">{link(`tel:${asText(value).replaceAll(/[^\d+]/g, '')}`, asText(value))}</span>;
    case 'file':
    case 'image':
    case 'svg':
    case 'video':
      return <Files field={field} value={value} />;
    case 'json':
    case 'repeater':
      return <span className="f-line f-code">{text().slice(0, 500)}</span>;
    case 'button': {
      const button = buttonHref(value);
      return button && <span className="f-button">{link(safeHref(button.url), button.label)}</span>;
    }
    default:
  }
  if (asList(value).length > 1) {
    return (
      <span className="f-chips">
        {asList(value).map((one, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- looked up values may repeat
          <Chip key={place}>{showValue(field, one, env)}</Chip>
        ))}
      </span>
    );
  }
  // Long texts are cut before they come into the page: of a megabyte a cell shows a few lines.
  const shown = text();
  return <span className={height === 'short' ? 'f-line' : `f-lines f-${height}`}>{shown.length > 600 ? `${shown.slice(0, 600)}…` : shown}</span>;
});
