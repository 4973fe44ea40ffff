import { Button } from '@mui/material';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable, TableField } from '@contract/tables/schemas';
import { isComputed } from '@contract/tables/terms';
import type { FieldType } from '@contract/tables/terms';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { isFailure, isStale } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { FieldIcon } from '../records/icons';
import { tablesApi } from '../tablesApi';
import { ConvertPart } from '../convert/ConvertPart';
import { IndexPart } from '../convert/IndexPart';
import { UsagePart } from '../convert/UsagePart';
import { fieldParts } from '../parts/fieldParts';
import { useAddFieldMutation, useChangeFieldMutation } from '../parts/designApi';
import { DefaultPart } from './DefaultPart';
import { useFaults } from './editing';
import type { Editing, Faults } from './editing';
import { changeOf, draftOf, inputOf, newDraft, partsApart } from './fieldDraft';
import type { FieldDraft } from './fieldDraft';
import { GeneralPart } from './GeneralPart';
import { OptionsPart } from './OptionsPart';
import { RemoveField } from './RemoveField';
import { ConditionsPart, RulesPart } from './RulesPart';

const parts = [...fieldParts, 'dropAliases'] as const;
type PartName = (typeof parts)[number];

/** What the server refused, named by part: also what stands at no control of its own. */
const Refused = ({ faults, say }: { readonly faults: Faults; readonly say: (path: string) => string | undefined }): ReactElement | null => {
  const { t } = useTranslation('tableDesign');
  const box = useRef<HTMLDivElement>(null);
  const paths = Object.keys(faults);
  useEffect(() => {
    if (paths.length > 0) box.current?.focus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [faults]);
  if (paths.length === 0) return null;
  const named = (path: string) => {
    const part = parts.find((one): one is PartName => path === one || path.startsWith(`${one}.`));
    return part ? t(`edit.part.${part}`) : path;
  };
  return (
    <div ref={box} tabIndex={-1} className="error-panel" role="alert">
      <p>{t('edit.faultsTitle')}</p>
      {paths.map((path) => (
        <p key={path}>
          {named(path)} · {say(path)}
        </p>
      ))}
    </div>
  );
};

/**
 * A field, new or known, in the pane beside the list. What is typed is kept as a draft of the tab until it is saved or thrown away, also when another
 * field is opened. A save sends only the parts that were changed.
 */
export const FieldPane = ({
  site,
  tables,
  table,
  field,
  type,
  mayDesign,
  onClose,
  onAdded,
  onRetype,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  /** null: a new one of `type`. */ readonly field: TableField | null;
  readonly type: FieldType;
  readonly mayDesign: boolean;
  readonly onClose: () => void;
  readonly onAdded: (id: string) => void;
  readonly onRetype: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const dispatch = useAppDispatch();
  const kept = useDraft<{ base: FieldDraft; draft: FieldDraft }>(`field:${table.id}:${field?.id ?? `new:${type}`}`);
  const latest = useMemo(() => (field ? draftOf(field, table) : newDraft(type)), [field, table, type]);
  const [base, setBase] = useState(kept.restored?.base ?? latest);
  const [draft, setDraft] = useState(kept.restored?.draft ?? latest);
  const [restored, setRestored] = useState(kept.restored !== undefined);
  const [faults, setFaults] = useState<Faults>({});
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [stale, setStale] = useState(false);
  /** The version of others that has been shown beside what is typed: only over that one is written. */
  const [acknowledged, setAcknowledged] = useState<FieldDraft | null>(null);
  const [add, adding] = useAddFieldMutation();
  const [change, changing] = useChangeFieldMutation();
  const fault = useFaults(faults);
  const busy = adding.isLoading || changing.isLoading;
  const mine = partsApart(base, draft);
  const dirty = mine.length > 0 || draft.inverseTitle !== '';
  // Nothing was typed: what others change is simply shown.
  if (field && !dirty && base !== latest && !restored) {
    setBase(latest);
    setDraft(latest);
  }
  const both = field && dirty ? partsApart(base, latest).filter((part) => mine.includes(part)) : [];
  const set = (part: Partial<FieldDraft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    kept.keep({ base, draft: next });
    setFaults((before) =>
      Object.fromEntries(Object.entries(before).filter(([path]) => !Object.keys(part).some((name) => path === name || path.startsWith(`${name}.`)))),
    );
  };
  const begin = (from: FieldDraft) => {
    kept.drop();
    setBase(from);
    setDraft(from);
    setRestored(false);
    setFaults({});
    setFailure(null);
    setStale(false);
  };
  const save = async () => {
    setFaults({});
    setFailure(null);
    // While the notice stands it names what both have changed by now.
    if (both.length > 0 && acknowledged !== latest && !stale) {
      setAcknowledged(latest);
      setStale(true);
      return;
    }
    const at = { siteId: site.id, table: table.id };
    const answer = field
      ? await change({ ...at, field: field.id, revision: table.revision, body: changeOf(base, draft) })
      : await add({ ...at, body: inputOf(draft) });
    if (answer.data) {
      const known = new Set(table.fields.map(({ id }) => id));
      const saved = answer.data.fields.find(({ id }) => (field ? id === field.id : !known.has(id)));
      dispatch(
        noticeShown({ tone: 'good', words: { key: field ? 'tableDesign:edit.saved' : 'tableDesign:edit.added', values: { name: draft.title.trim() } } }),
      );
      if (saved) begin(draftOf(saved, answer.data));
      if (!field && saved) onAdded(saved.id);
    } else if (isFailure(answer.error)) {
      if (isStale(answer.error)) {
        setStale(true);
        dispatch(tablesApi.util.invalidateTags([{ type: 'Table', id: site.id }]));
      } else if (answer.error.fields && Object.keys(answer.error.fields).length > 0) setFaults(answer.error.fields);
      else if (answer.error.code === 'name_taken') setFaults({ key: { code: 'taken' } });
      else setFailure(answer.error);
    }
  };
  const editing: Editing = {
    site,
    tables,
    table,
    field,
    draft,
    mayDesign,
    set,
    setOption: (part) => {
      set({ options: { ...draft.options, ...part } });
    },
    choiceGone: (id) => {
      const without = (of: FieldDraft): FieldDraft => ({
        ...of,
        options: { ...of.options, ...(of.options.choices ? { choices: of.options.choices.filter((one) => one.id !== id) } : {}) },
      });
      const next = without(draft);
      setBase(without(base));
      setDraft(next);
      if (dirty) kept.keep({ base: without(base), draft: next });
    },
    fault,
  };
  return (
    <form
      className="design-pane"
      noValidate
      aria-label={field?.title ?? t('edit.newTitle')}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && mayDesign && (dirty || !field)) void save();
      }}
    >
      <header>
        <FieldIcon asked={{ field: { type: draft.type } }} size={18} />
        <h2 tabIndex={-1}>{field?.title ?? `${t('edit.newTitle')} · ${t(`type.${type}`)}`}</h2>
        <IconButton label={t('fields.back')} onClick={onClose}>
          <Icon name="close" size={16} />
        </IconButton>
      </header>
      <div className="design-body">
        <Refused faults={faults} say={fault} />
        {failure && <ErrorPanel title={t('failed')} failure={failure} />}
        {(stale || both.length > 0) && (
          <div className="error-panel" role="alert">
            <p>{t('edit.staleTitle')}</p>
            <p>{t('edit.staleText')}</p>
            {both.length > 0 && (
              <p>
                {t('edit.staleBoth', {
                  parts: both.map((one) => (parts.some((part) => part === one) ? t(`edit.part.${one as PartName}`) : one)).join(t('edit.comma')),
                })}
              </p>
            )}
          </div>
        )}
        {restored && (
          <p className="design-quiet" role="status" style={{ marginTop: 12 }}>
            {t('edit.restored')}
          </p>
        )}
        {field && <ConvertPart site={site} tables={tables} table={table} field={field} mayDesign={mayDesign} />}
        <GeneralPart {...editing} />
        <OptionsPart {...editing} />
        {!isComputed(draft.type) && (
          <>
            <DefaultPart {...editing} />
            <RulesPart {...editing} />
            <ConditionsPart {...editing} />
          </>
        )}
        {field && <IndexPart site={site} table={table} field={field} mayDesign={mayDesign} />}
        {field && <UsagePart site={site} table={table} field={field} />}
      </div>
      {mayDesign && (
        <div className="design-foot">
          <Button type="submit" variant="contained" aria-busy={busy} disabled={busy || (field !== null && !dirty)}>
            {t(busy ? 'saving' : field ? 'save' : 'edit.add')}
          </Button>
          {field ? dirty && <Button onClick={() => begin(latest)}>{t('edit.discard')}</Button> : <Button onClick={onRetype}>{t('palette.back')}</Button>}
          {field && <RemoveField site={site} table={table} field={field} onRemoved={onClose} />}
        </div>
      )}
    </form>
  );
};
