import { Tab, Tabs } from '@mui/material';
import { useEffect, useId, useRef, useState } from 'react';
import type { ReactElement, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { LaidForm, LaidSection } from '@contract/tables/formLayout';
import { Caret } from '@/ui/Caret';
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

type Props<F extends Named> = {
  readonly form: LaidForm<F>;
  /** Whether a field has an error. */ readonly faulty: (id: string) => boolean;
  readonly reveal: number;
  /** Whether a field takes the full width regardless of the layout. */ readonly isWide?: (field: F) => boolean;
  readonly children: (field: F) => ReactElement;
};

/** Which sections are collapsed and which tab is active; those with errors open when `reveal` changes. */
function useOpenSections<F extends Named>(sections: readonly LaidSection<F>[], errorsIn: (section: LaidSection<F>) => number, reveal: number) {
  const [folds, setFolds] = useState<Readonly<Record<string, boolean>>>({});
  const [current, setCurrent] = useState('');
  const [revealed, setRevealed] = useState(reveal);
  if (revealed !== reveal) {
    setRevealed(reveal);
    const invalid = reveal === 0 ? [] : sections.filter((section) => errorsIn(section) > 0);
    if (invalid[0]) {
      setCurrent(invalid[0].key);
      setFolds({ ...folds, ...Object.fromEntries(invalid.map(({ key }) => [key, false])) });
    }
  }
  return {
    isFolded: ({ key, collapsed }: LaidSection<F>): boolean => folds[key] ?? collapsed,
    fold: (key: string, folded: boolean): void => setFolds({ ...folds, [key]: folded }),
    activeKey: sections.some(({ key }) => key === current) ? current : sections[0]?.key,
    setCurrent,
  };
}

/** Focuses the first error in the box when `reveal` changes. */
function useFocusError(box: RefObject<HTMLElement | null>, reveal: number): void {
  const focused = useRef(reveal);
  useEffect(() => {
    if (focused.current === reveal) return;
    focused.current = reveal;
    if (reveal === 0) return;
    const note = box.current?.querySelector('[data-field] > .tables-error, [data-field] > .rec-notes > .tables-error');
    const field = note?.closest<HTMLElement>('[data-field]');
    field?.querySelector<HTMLElement>('input, textarea, select, button, [contenteditable]')?.focus();
    field?.scrollIntoView({ block: 'center' });
  }, [box, reveal]);
}

type FieldsProps<F extends Named> = Pick<Props<F>, 'isWide' | 'children'> & { readonly section: LaidSection<F> };

const SectionFields = <F extends Named>({ section, isWide, children }: FieldsProps<F>): ReactElement => (
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

const ErrorCount = ({ count }: { readonly count: number }): ReactElement | null => {
  const { t } = useTranslation('tables');
  return count === 0 ? null : <span className="form-wrong">{t('form.wrong', { count })}</span>;
};

type TabsProps<F extends Named> = {
  readonly id: string;
  readonly sections: readonly LaidSection<F>[];
  readonly errorsIn: (section: LaidSection<F>) => number;
  readonly activeKey: string | undefined;
  readonly onChoose: (key: string) => void;
};

const SectionTabs = <F extends Named>({ id, sections, errorsIn, activeKey, onChoose }: TabsProps<F>): ReactElement => {
  const { t } = useTranslation('tables');
  return (
    <Tabs
      value={activeKey}
      onChange={(_event, key: string) => onChoose(key)}
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
              {section.title ?? t('form.other')} <ErrorCount count={errorsIn(section)} />
            </span>
          }
        />
      ))}
    </Tabs>
  );
};

type SectionProps<F extends Named> = FieldsProps<F> & {
  readonly id: string;
  /** Without a heading, the section cannot be collapsed. */ readonly heading: boolean;
  readonly folded: boolean;
  readonly errorCount: number;
  readonly onFold: (folded: boolean) => void;
};

const Section = <F extends Named>({ id, heading, folded, errorCount, onFold, ...fields }: SectionProps<F>): ReactElement => {
  const { t } = useTranslation('tables');
  const { key, title } = fields.section;
  return (
    <section className="form-part" {...(heading ? { 'aria-labelledby': `${id}-head-${key}` } : {})}>
      {heading && (
        <h3>
          <button type="button" id={`${id}-head-${key}`} aria-expanded={!folded} aria-controls={`${id}-${key}`} onClick={() => onFold(!folded)}>
            <Caret to="right" />
            <span>{title ?? t('form.other')}</span>
            {folded && <ErrorCount count={errorCount} />}
          </button>
        </h3>
      )}
      <div id={`${id}-${key}`} hidden={folded}>
        <SectionFields {...fields} />
      </div>
    </section>
  );
};

/**
 * The fields of a record by the form layout of its table: collapsible sections, or tabs; one column where there is little space. Collapsed sections and inactive
 * tabs stay mounted, because editors hold drafts that are not valid values yet. When `reveal` changes (to a number other than 0), the sections with errors open
 * and the first error gets the focus.
 */
export const FormSections = <F extends Named>({ form, faulty, reveal, isWide, children }: Props<F>): ReactElement => {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { sections } = form;
  const errorsIn = (section: LaidSection<F>): number => section.fields.filter(({ field }) => faulty(field.id)).length;
  const { isFolded, fold, activeKey, setCurrent } = useOpenSections(sections, errorsIn, reveal);
  useFocusError(box, reveal);
  const tabbed = form.style === 'tabs' && sections.length > 1;
  return (
    <div ref={box} className="form-parts">
      {tabbed && <SectionTabs id={id} sections={sections} errorsIn={errorsIn} activeKey={activeKey} onChoose={setCurrent} />}
      {sections.map((section) => {
        const { key, title } = section;
        const fields = { section, ...(isWide && { isWide }), children };
        if (tabbed)
          return (
            <div key={key} role="tabpanel" id={`${id}-${key}`} aria-labelledby={`${id}-tab-${key}`} hidden={key !== activeKey} className="form-part">
              <SectionFields {...fields} />
            </div>
          );
        const heading = title !== '' && form.style === 'groups';
        return (
          <Section
            key={key}
            id={id}
            heading={heading}
            folded={heading && isFolded(section)}
            errorCount={errorsIn(section)}
            onFold={(folded) => fold(key, folded)}
            {...fields}
          />
        );
      })}
    </div>
  );
};
