import { Checkbox, FormControlLabel } from '@mui/material';
import Grip from '@mui/icons-material/DragIndicatorOutlined';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableField } from '@contract/tables/schemas';
import { layoutWidths } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { Caret } from '@/ui/Caret';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { TextLine } from '@/features/tables/parts/controls';
import { FieldIcon } from '@/features/tables/records/icons';
import { Choose } from '@/features/tables/records/parts';
import { Tag } from '@/ui/Tag';
import { partChanged, zoneOf } from './layoutDraft';
import type { DraftPart, Zone } from './layoutDraft';
import type { Drag } from './layoutTarget';
import type { LayoutEditing } from './useLayoutEditing';

/** A field in a zone: its handle, title and actions. */
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
  /** A dragged field would be dropped before this one. */ readonly mark: boolean;
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
          <Grip aria-hidden="true" />
        </button>
      )}
      <FieldIcon column={{ field }} />
      <span className="layout-name">
        {field.title}
        {field.required && <Tag>{t('fields.required')}</Tag>}
        {field.hidden && <Tag>{t('fields.hidden')}</Tag>}
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

/** The fields of a zone, as a drop target. */
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

/** Buttons to move a section up or down, or remove it; shown only where there are several sections. */
const SectionActions = ({
  editing,
  part,
  at,
  name,
}: {
  readonly editing: LayoutEditing;
  readonly part: DraftPart;
  readonly at: number;
  readonly name: string;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const last = editing.work.draft.parts.length - 1;
  return (
    <span>
      <IconButton label={t('layout.up', { name })} disabled={at === 0} onClick={() => editing.moveSection(part, at, -1)}>
        <span className="layout-up">
          <Caret to="right" />
        </span>
      </IconButton>
      <IconButton label={t('layout.down', { name })} disabled={at === last} onClick={() => editing.moveSection(part, at, 1)}>
        <span className="layout-down">
          <Caret to="right" />
        </span>
      </IconButton>
      <IconButton label={t('layout.remove', { name })} onClick={() => editing.removeSection(part)}>
        <Icon name="close" size={16} />
      </IconButton>
    </span>
  );
};

/** A section of the form: title, note, and fields. */
export const LayoutPart = ({
  editing,
  part,
  at,
  titleError,
  noteError,
  ...common
}: Common & {
  readonly editing: LayoutEditing;
  readonly part: DraftPart;
  readonly at: number;
  readonly titleError: string | undefined;
  readonly noteError: string | undefined;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const { draft, change } = editing.work;
  const { disabled } = common;
  const zone = zoneOf(part);
  const tabs = draft.style === 'tabs';
  const name = part.title.trim() === '' ? t('layout.untitled') : part.title.trim();
  const label = t('layout.section', { at: at + 1 });
  /** `kind`: consecutive changes of the same kind are undone together. */
  const set = (next: Partial<DraftPart>, kind = ''): void => change(partChanged(draft, part.uid, next), kind && `${kind}:${String(part.uid)}`);
  return (
    <section className="design-box layout-part" aria-label={label} data-layout-zone={zone} data-over={common.drag.over?.zone === zone ? '' : undefined}>
      <div className="layout-head">
        <h2>{label}</h2>
        {!disabled && draft.parts.length > 1 && <SectionActions editing={editing} part={part} at={at} name={name} />}
      </div>
      <div className="design-two" data-layout-title={part.uid}>
        <TextLine
          label={t('layout.title')}
          optional={!tabs && !part.collapsed}
          value={part.title}
          max={tableLimits.nameLength}
          error={titleError}
          disabled={disabled}
          onChange={(title) => set({ title }, 'title')}
        />
        <TextLine
          label={t('layout.note')}
          optional
          value={part.note}
          max={500}
          error={noteError}
          disabled={disabled}
          onChange={(note) => set({ note }, 'note')}
        />
      </div>
      {!tabs && (
        <FormControlLabel
          sx={{ my: -1 }}
          control={<Checkbox checked={part.collapsed} disabled={disabled} onChange={(_event, collapsed) => set({ collapsed })} />}
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
              onChange={(width) => set({ items: part.items.map((item) => (item.field === field.id ? { ...item, width } : item)) })}
            />
            {!disabled && (
              <IconButton label={t('layout.hide', { name: field.title })} onClick={() => editing.hide(field)}>
                <Icon name="close" size={14} />
              </IconButton>
            )}
          </>
        )}
      />
    </section>
  );
};

/** Fields without a place, or hidden from the form. */
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
    // Not a landmark: the preview beside it has a part of the same name.
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
