import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { i18n } from '@/i18n';
import { Icon } from '@/ui/Icon';
import { Tag } from '@/ui/Tag';
import type { RowHeight } from '../grid/types';
import { consoleFieldTypeOf } from '.';
import { asList, useFieldEnv } from './env';
import type { ShownField } from './env';
import './fields.css';
import { showValue } from './show';

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
 * `toggles`: a press switches it (the grid handles the press). A screen shows hundreds of these, so it translates without a hook, whose subscriptions would be
 * a tenth of the cost of scrolling; when the language changes, its formats render the cell anew.
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
/** A value as a cell or a card shows it. `height`: the available space; texts wrap where there is space for more than one line. */
export const CellView = memo(({ field, value, height = 'short' }: { field: ShownField; value: unknown; height?: RowHeight }) => {
  const env = useFieldEnv();
  if (field.problem !== null) return <Problem code={field.problem} />;
  const { cell, edit, showsLists } = consoleFieldTypeOf(field.type);
  if (field.yields === 'boolean' && showsLists !== true) return <Box on={value === true} toggles={edit === 'toggle'} />;
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return null;
  const text = (): string => showValue(field, value, env);
  if (cell) return cell({ field, value, env, text });
  if (asList(value).length > 1) {
    return (
      <span className="f-chips">
        {asList(value).map((one, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- looked up values may repeat
          <Tag key={place}>{showValue(field, one, env)}</Tag>
        ))}
      </span>
    );
  }
  // Long texts are cut before they enter the DOM: a cell shows only a few lines of a megabyte.
  const fullText = text();
  const start = fullText.length > 600 ? `${fullText.slice(0, 600)}…` : fullText;
  return (
    <span className={height === 'short' ? 'f-line' : `f-lines f-${height}`} title={start}>
      {start}
    </span>
  );
});
