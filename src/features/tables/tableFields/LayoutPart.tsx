import { Checkbox, FormControlLabel } from '@mui/material';
import Grip from '@mui/icons-material/DragIndicatorOutlined';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableField } from '@contract/tables/schemas';
import { layoutWidths } from '@contract/tables/schemas';
import type { LayoutWidth } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { TextLine } from '../parts/controls';
import { FieldIcon } from '../records/icons';
import { Choose } from '../records/parts';
import type { DraftPart, Zone } from './layoutDraft';
import type { useDragged } from './useDragged';

/** Where a dragged field would stand: before another one of the zone, or (null) at its end. */
export type Target = { readonly zone: Zone; readonly before: string | null };
export type Drag = ReturnType<typeof useDragged<Target>>;

/** The place at a point of the window: the upper half of a row is before it, the lower one behind. */
export function placeAt(x: number, y: number): Target | null {
  for (const zone of document.querySelectorAll<HTMLElement>('[data-layout-zone]')) {
    const box = zone.getBoundingClientRect();
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
    const rows = [...zone.querySelectorAll<HTMLElement>('[data-layout-field]')];
    const next = rows.find((row) => {
      const { top, height } = row.getBoundingClientRect();
      return y < top + height / 2;
    });
    return { zone: zone.dataset['layoutZone'] as Zone, before: next?.dataset['layoutField'] ?? null };
  }
  return null;
}

/** A field in a zone: its handle, its name, and what can be done with it. */
const Row = ({
  field,
  drag,
  mark,
  disabled,
  onStep,
  children,
}: {
  readonly field: TableField;
  readonly drag: Drag;
  /** It would come before this one. */ readonly mark: boolean;
  readonly disabled: boolean;
  readonly onStep: (by: -1 | 1) => void;
  readonly children: ReactNode;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return drag.end();
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    onStep(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li className="layout-row" data-layout-field={field.id} data-held={drag.held === field.id ? '' : undefined} data-over={mark ? '' : undefined}>
      {!disabled && (
        <button
          type="button"
          className="design-grip"
          data-layout-grip={field.id}
          aria-label={t('layout.move', { name: field.title })}
          onKeyDown={press}
          {...drag.handle(field.id)}
        >
          <Grip aria-hidden="true" sx={{ fontSize: 18 }} />
        </button>
      )}
      <FieldIcon asked={{ field }} />
      <span className="layout-name">
        {field.title}
        {field.required && <span className="design-mark">{t('fields.required')}</span>}
        {field.hidden && <span className="design-mark">{t('fields.hidden')}</span>}
      </span>
      {children}
    </li>
  );
};

type Common = {
  readonly fields: readonly TableField[];
  readonly drag: Drag;
  readonly disabled: boolean;
  readonly onStep: (field: TableField, by: -1 | 1) => void;
};

/** The fields of a zone in a list that takes dropped ones. */
const Rows = ({
  zone,
  label,
  fields,
  drag,
  disabled,
  onStep,
  tools,
}: Common & { readonly zone: Zone; readonly label: string; readonly tools: (field: TableField) => ReactNode }): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const over = drag.over?.zone === zone ? drag.over : null;
  return (
    <ul className="layout-rows" aria-label={label} data-end={over?.before === null ? '' : undefined}>
      {fields.map((field) => (
        <Row key={field.id} field={field} drag={drag} mark={over?.before === field.id} disabled={disabled} onStep={(by) => onStep(field, by)}>
          {tools(field)}
        </Row>
      ))}
      {fields.length === 0 && <li className="layout-empty">{t('layout.empty')}</li>}
    </ul>
  );
};

/** A section of the form: what it is called, and its fields. */
export const LayoutPart = ({
  part,
  zone,
  at,
  count,
  tabs,
  titleFault,
  noteFault,
  onChange,
  onMove,
  onRemove,
  onWidth,
  onHide,
  ...common
}: Common & {
  readonly part: DraftPart;
  readonly zone: Zone;
  readonly at: number;
  readonly count: number;
  readonly tabs: boolean;
  readonly titleFault: string | undefined;
  readonly noteFault: string | undefined;
  readonly onChange: (change: Partial<DraftPart>, tag: string) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
  readonly onWidth: (field: string, width: LayoutWidth) => void;
  readonly onHide: (field: TableField) => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { disabled } = common;
  const name = part.title.trim() === '' ? t('layout.untitled') : part.title.trim();
  const label = t('layout.section', { at: at + 1 });
  return (
    <section className="design-box layout-part" aria-label={label} data-layout-zone={zone} data-over={common.drag.over?.zone === zone ? '' : undefined}>
      <div className="layout-head">
        <h2>{label}</h2>
        {!disabled && count > 1 && (
          <span>
            <IconButton label={t('layout.up', { name })} disabled={at === 0} onClick={() => onMove(-1)}>
              <span className="layout-up">
                <Icon name="right" size={16} />
              </span>
            </IconButton>
            <IconButton label={t('layout.down', { name })} disabled={at === count - 1} onClick={() => onMove(1)}>
              <span className="layout-down">
                <Icon name="right" size={16} />
              </span>
            </IconButton>
            <IconButton label={t('layout.remove', { name })} onClick={onRemove}>
              <Icon name="close" size={16} />
            </IconButton>
          </span>
        )}
      </div>
      <div className="design-two" data-layout-title={part.uid}>
        <TextLine
          label={t('layout.title')}
          optional={!tabs && !part.collapsed}
          value={part.title}
          max={tableLimits.nameLength}
          error={titleFault}
          disabled={disabled}
          onChange={(title) => onChange({ title }, 'title')}
        />
        <TextLine
          label={t('layout.note')}
          optional
          value={part.note}
          max={500}
          error={noteFault}
          disabled={disabled}
          onChange={(note) => onChange({ note }, 'note')}
        />
      </div>
      {!tabs && (
        <FormControlLabel
          sx={{ my: -1 }}
          control={<Checkbox size="small" checked={part.collapsed} disabled={disabled} onChange={(_event, collapsed) => onChange({ collapsed }, '')} />}
          label={<span className="layout-tick">{t('layout.collapsed')}</span>}
        />
      )}
      <Rows
        {...common}
        zone={zone}
        label={name}
        tools={(field) => (
          <>
            <Choose
              label={t('layout.width', { name: field.title })}
              value={part.items.find((item) => item.field === field.id)?.width ?? 'full'}
              options={layoutWidths.map((id) => ({ id, name: t(`layout.widths.${id}`) }))}
              disabled={disabled}
              onChange={(width) => onWidth(field.id, width)}
            />
            {!disabled && (
              <IconButton label={t('layout.hide', { name: field.title })} onClick={() => onHide(field)}>
                <Icon name="close" size={14} />
              </IconButton>
            )}
          </>
        )}
      />
    </section>
  );
};

/** Fields without a place, or out of the form. */
export const LooseFields = ({
  zone,
  title,
  text,
  onShow,
  ...common
}: Common & {
  readonly zone: 'rest' | 'hidden';
  readonly title: string;
  readonly text: string;
  readonly onShow: (field: TableField) => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  return (
    // No landmark: the preview beside it has a part of the same name.
    <section
      role="group"
      className="design-box layout-part layout-loose"
      aria-label={title}
      data-layout-zone={zone}
      data-over={common.drag.over?.zone === zone ? '' : undefined}
    >
      <div className="layout-head">
        <h2>{title}</h2>
      </div>
      <p className="design-quiet">{text}</p>
      <Rows
        {...common}
        zone={zone}
        label={title}
        tools={(field) =>
          !common.disabled && (
            <IconButton label={t('layout.show', { name: field.title })} onClick={() => onShow(field)}>
              <Icon name="plus" size={14} />
            </IconButton>
          )
        }
      />
    </section>
  );
};
