import { Tab, Tabs } from '@mui/material';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { LaidForm, LaidSection } from '@contract/tables/formLayout';
import { Icon } from '@/ui/Icon';
import './form.css';

type Named = { readonly id: string; readonly title: string };

/** Errors of fields that this form does not show: they cannot be corrected here, but must be reported. */
export const ErrorsElsewhere = <F extends Named>({
  fields,
  form,
  errors,
}: {
  /** All fields of the table. */ readonly fields: readonly F[];
  readonly form: LaidForm<F>;
  readonly errors: Readonly<Record<string, string>>;
}): ReactElement | null => {
  const { t } = useTranslation('tables');
  const lost = fields.filter(({ id }) => errors[id] !== undefined && !form.fields.some((field) => field.id === id));
  if (lost.length === 0) return null;
  return (
    <div className="error-panel" role="alert">
      <p>{t('form.elsewhere')}</p>
      {lost.map(({ id, title }) => (
        <p key={id}>
          {title} · {errors[id]}
        </p>
      ))}
    </div>
  );
};

/**
 * The fields of a record by the form layout of its table: collapsible sections, or tabs; one column where there is little room. Collapsed sections and inactive
 * tabs stay mounted, because editors hold drafts that are not valid values yet. When `reveal` changes (to a number other than 0), the sections with errors open
 * and the first error gets the focus.
 */
export const FormSections = <F extends Named>({
  form,
  faulty,
  reveal,
  isWide,
  children,
}: {
  readonly form: LaidForm<F>;
  /** Whether a field has an error. */ readonly faulty: (id: string) => boolean;
  readonly reveal: number;
  /** Whether a field takes the full width regardless of the layout. */ readonly isWide?: (field: F) => boolean;
  readonly children: (field: F) => ReactElement;
}): ReactElement => {
  const { t } = useTranslation('tables');
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [folds, setFolds] = useState<Readonly<Record<string, boolean>>>({});
  const [current, setCurrent] = useState('');
  const [revealed, setRevealed] = useState(reveal);
  const { sections } = form;
  const wrongIn = (section: LaidSection<F>): number => section.fields.filter(({ field }) => faulty(field.id)).length;
  if (revealed !== reveal) {
    setRevealed(reveal);
    const wrong = reveal === 0 ? [] : sections.filter((section) => wrongIn(section) > 0);
    if (wrong[0]) {
      setCurrent(wrong[0].key);
      setFolds({ ...folds, ...Object.fromEntries(wrong.map(({ key }) => [key, false])) });
    }
  }
  const focused = useRef(reveal);
  useEffect(() => {
    if (focused.current === reveal) return;
    focused.current = reveal;
    if (reveal === 0) return;
    const note = box.current?.querySelector('[data-field] > .tables-fault, [data-field] > .rec-notes > .tables-fault');
    const field = note?.closest<HTMLElement>('[data-field]');
    field?.querySelector<HTMLElement>('input, textarea, select, button, [contenteditable]')?.focus();
    field?.scrollIntoView({ block: 'center' });
  }, [reveal]);

  const tabbed = form.style === 'tabs' && sections.length > 1;
  const activeKey = sections.some(({ key }) => key === current) ? current : sections[0]?.key;
  const titleOf = ({ title }: LaidSection<F>): string => title ?? t('form.other');
  const body = (section: LaidSection<F>): ReactElement => (
    <>
      {section.note !== '' && <p className="form-note">{section.note}</p>}
      <div className="form-grid">
        {section.fields.map(({ field, width }) => (
          <div key={field.id} data-width={isWide?.(field) === true ? 'full' : width}>
            {children(field)}
          </div>
        ))}
      </div>
    </>
  );
  const mark = (section: LaidSection<F>): ReactElement | null => {
    const count = wrongIn(section);
    return count === 0 ? null : <span className="form-wrong">{t('form.wrong', { count })}</span>;
  };
  return (
    <div ref={box} className="form-parts">
      {tabbed && (
        <Tabs
          value={activeKey}
          onChange={(_event, key: string) => setCurrent(key)}
          variant="scrollable"
          scrollButtons="auto"
          aria-label={t('form.sections')}
          className="form-tabs"
        >
          {sections.map((section) => (
            <Tab
              key={section.key}
              value={section.key}
              id={`${id}-tab-${section.key}`}
              aria-controls={`${id}-${section.key}`}
              label={
                <span>
                  {titleOf(section)} {mark(section)}
                </span>
              }
            />
          ))}
        </Tabs>
      )}
      {sections.map((section) => {
        const { key, title, collapsed } = section;
        if (tabbed)
          return (
            <div key={key} role="tabpanel" id={`${id}-${key}`} aria-labelledby={`${id}-tab-${key}`} hidden={key !== activeKey} className="form-part">
              {body(section)}
            </div>
          );
        const heading = title !== '' && form.style === 'groups';
        const folded = heading && (folds[key] ?? collapsed);
        return (
          <section key={key} className="form-part" {...(heading ? { 'aria-labelledby': `${id}-head-${key}` } : {})}>
            {heading && (
              <h3>
                <button
                  type="button"
                  id={`${id}-head-${key}`}
                  aria-expanded={!folded}
                  aria-controls={`${id}-${key}`}
                  onClick={() => setFolds({ ...folds, [key]: !folded })}
                >
                  <Icon name="right" size={16} />
                  <span>{titleOf(section)}</span>
                  {folded && mark(section)}
                </button>
              </h3>
            )}
            <div id={`${id}-${key}`} hidden={folded}>
              {body(section)}
            </div>
          </section>
        );
      })}
    </div>
  );
};
