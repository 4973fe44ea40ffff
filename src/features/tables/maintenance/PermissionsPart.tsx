import { Alert, AlertTitle } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { TableRules } from '@contract/tables/access';
import { allowedByDefault, recordActions, ruleRoles } from '@contract/tables/terms';
import type { RecordAction, RuleRole } from '@contract/tables/terms';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { useDraft } from '@/features/session/useDraft';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { isFailure, isStale } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ResultState } from '@/ui/ResultState';
import { CopyButton } from '@/ui/CopyButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { Icon } from '@/ui/Icon';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { countConditions } from '@/features/tables/records/filterModel';
import { adminApi, useSetTableRulesMutation, useTableRulesQuery } from './adminApi';
import { TableChooser } from './TableChooser';
import { RolePreview } from './RolePreview';
import { publicAddress } from './publicAddress';
import { RuleDialog } from './RuleDialog';
import { withRuleEdit, conflictingKeys, inputOf, rebased, hasRule, ruleKeyParts, ruleKeyOf, editedKeys, savedRule, withoutEdits } from './rulesDraft';
import type { RuleEdits, RuleKey, Rule } from './rulesDraft';
import { ScrollRegion } from './ScrollRegion';

/** What the public may read, and where: a warning against opening a table by accident. */
const PublicNotice = ({ siteId, table, rule }: { readonly siteId: string; readonly table: ContentTable; readonly rule: NonNullable<Rule> }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const address = publicAddress(siteId, table.key);
  const sensitive = table.fields.filter(({ id, sensitive: is }) => is && rule.fields?.includes(id) === true);
  return (
    <Alert severity="warning" variant="outlined" sx={{ mt: 2, '& .MuiAlert-message': { minWidth: 0 } }}>
      <AlertTitle>{t('rules.publicTitle')}</AlertTitle>
      {t(table.drafts ? 'rules.publicTextDrafts' : 'rules.publicTextPlain')}
      {sensitive.length > 0 && <p>{t('rules.publicSensitive', { fields: sensitive.map(({ title }) => title).join(t('comma')) })}</p>}
      <p className="admin-address">
        <a className="text-link in-text" href={address} target="_blank" rel="noreferrer">
          {address}
        </a>
        <CopyButton text={address} label={t('rules.copyAddress')} />
      </p>
    </Alert>
  );
};

/** Texts of a cell of the permission matrix. */
function useCellLabels(table: ContentTable) {
  const { t } = useTranslation('tableAdmin');
  return (role: RuleRole, action: RecordAction, rule: Rule): { readonly allowed: boolean; readonly head: string; readonly more: string[] } => {
    const allowed = rule?.allowed ?? allowedByDefault(role, action);
    const more =
      rule?.allowed === true
        ? [
            ...(rule.fields === null ? [] : [t('rules.fields', { count: rule.fields.filter((id) => table.fields.some((one) => one.id === id)).length })]),
            ...(rule.filter === null ? [] : [t('rules.filtered')]),
          ]
        : [];
    return { allowed, head: t(allowed ? 'rules.allowed' : 'rules.denied'), more: rule === null ? [t('rules.default')] : more };
  };
}

const Matrix = ({
  table,
  ruleAt,
  mine,
  onOpen,
}: {
  readonly table: ContentTable;
  readonly ruleAt: (place: RuleKey) => Rule;
  readonly mine: RuleEdits;
  readonly onOpen: (place: RuleKey) => void;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const cellLabels = useCellLabels(table);
  return (
    <ScrollRegion label={t('rules.matrix')}>
      <table className="admin-table admin-matrix">
        <thead>
          <tr>
            <th scope="col">{t('rules.roleHead')}</th>
            {recordActions.map((action) => (
              <th key={action} scope="col">
                {t(`action.${action}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ruleRoles.map((role) => {
            const reads = cellLabels(role, 'read', ruleAt(ruleKeyOf(role, 'read'))).allowed;
            return (
              <tr key={role}>
                <th scope="row">
                  {t(`role.${role}`)}
                  <small>{t(`roleText.${role}`)}</small>
                </th>
                {recordActions.map((action) => {
                  if (!hasRule(role, action))
                    return (
                      <td key={action} className="admin-never">
                        <span aria-hidden="true">—</span>
                        <span className="only-read">{t('rules.never')}</span>
                      </td>
                    );
                  const place = ruleKeyOf(role, action);
                  const { allowed, head, more } = cellLabels(role, action, ruleAt(place));
                  const withheld = allowed && action !== 'read' && !reads;
                  const notes = [...(withheld ? [t('rules.needsRead')] : []), ...more, ...(mine[place] ? [t('rules.changed')] : [])];
                  return (
                    <td key={action}>
                      <button
                        type="button"
                        data-allowed={allowed && !withheld ? '' : undefined}
                        data-mine={mine[place] ? '' : undefined}
                        onClick={() => onOpen(place)}
                      >
                        {/* A sentence in place of the lines, which mean nothing outside their row and column. */}
                        <span className="only-read">
                          {t('rules.cell', { role: t(`role.${role}`), action: t(`action.${action}`), state: [head, ...notes].join(t('comma')) })}
                        </span>
                        <b aria-hidden="true">
                          <Icon name={allowed ? 'check' : 'close'} size={14} />
                          {head}
                        </b>
                        {notes.map((one) => (
                          <small key={one} aria-hidden="true">
                            {one}
                          </small>
                        ))}
                      </button>
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
};

type EditorProps = { readonly site: Site; readonly tables: readonly ContentTable[]; readonly table: ContentTable; readonly saved: TableRules };

/** Editing of the rules: the user's changes over the saved rules, kept as a draft of the tab, and saving them. */
function useRulesEditing({ site, table, saved }: Omit<EditorProps, 'tables'>) {
  const dispatch = useAppDispatch();
  const of = { siteId: site.id, table: table.id };
  const { rules } = saved;
  const stored = useDraft<RuleEdits>(`rules:${table.id}`);
  const [mine, setMine] = useState<RuleEdits>(stored.restored ?? {});
  const [restored, setRestored] = useState(stored.restored !== undefined);
  const [put, { isLoading, error, reset }] = useSetTableRulesMutation();
  const dirty = editedKeys(mine).length > 0;
  const change = (next: RuleEdits) => {
    setMine(next);
    if (editedKeys(next).length > 0) stored.keep(next);
    else stored.drop();
  };
  const send = async (revision: number, onto: TableRules['rules'], again: boolean): Promise<void> => {
    const result = await put({ ...of, revision, body: { rules: inputOf(onto, mine) } });
    if (result.data) {
      change({});
      setRestored(false);
      dispatch(noticeShown({ tone: 'good', message: { key: 'tableAdmin:rules.saved', values: { name: table.title } } }));
      return;
    }
    if (!isFailure(result.error) || !isStale(result.error)) return;
    const now = result.error.current as TableRules | undefined;
    if (!now) return;
    dispatch(adminApi.util.updateQueryData('tableRules', of, () => now));
    // Changes of others to different places are merged; only changes to the same place need a decision.
    if (again && conflictingKeys(mine, now.rules).length === 0) await send(now.revision, now.rules, false);
    else reset();
  };
  const conflicts = conflictingKeys(mine, rules);
  return {
    mine,
    dirty,
    restored: restored && dirty,
    saving: isLoading,
    failure: isFailure(error) && !isStale(error) ? error : null,
    conflicts,
    ruleAt: (place: RuleKey): Rule => mine[place]?.to ?? (mine[place] ? null : savedRule(rules, place)),
    set: (place: RuleKey, rule: Rule): void => change(withRuleEdit(mine, rules, place, rule)),
    keepMine: (): void => change(rebased(mine, rules)),
    takeTheirs: (): void => change(withoutEdits(mine, conflicts)),
    discard: (): void => change({}),
    save: async (): Promise<void> => {
      if (!isLoading && conflicts.length === 0) await send(saved.revision, rules, true);
    },
  };
}
type RulesEditing = ReturnType<typeof useRulesEditing>;

/** Places that somebody else has changed meanwhile, with a sentence for each of the two rules. */
const Conflicts = ({ table, saved, editing }: Pick<EditorProps, 'table' | 'saved'> & { readonly editing: RulesEditing }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const cellLabels = useCellLabels(table);
  const sentence = (role: RuleRole, action: RecordAction, rule: Rule): string => {
    const { head, more } = cellLabels(role, action, rule);
    const names = rule?.fields?.flatMap((id) => table.fields.find((one) => one.id === id)?.title ?? []);
    return [
      head,
      ...(names === undefined ? more : [t('rules.summary.fields', { fields: names.length === 0 ? t('rules.fields', { count: 0 }) : names.join(t('comma')) })]),
      ...(rule?.filter ? [t('rules.summary.filter', { count: countConditions(rule.filter) })] : []),
    ].join(' · ');
  };
  return (
    <StaleNotice
      differences={editing.conflicts.map((place) => {
        const [role, action] = ruleKeyParts(place);
        return {
          label: t('rules.editTitle', { role: t(`role.${role}`), action: t(`action.${action}`) }),
          mine: sentence(role, action, editing.ruleAt(place)),
          theirs: sentence(role, action, savedRule(saved.rules, place)),
        };
      })}
      onKeepMine={editing.keepMine}
      onTakeTheirs={editing.takeTheirs}
    />
  );
};

const Editor = (props: EditorProps): ReactElement => {
  const { site, tables, table, saved } = props;
  const { t } = useTranslation('tableAdmin');
  const editing = useRulesEditing(props);
  const { dirty, failure, ruleAt } = editing;
  const blocker = useUnsavedWork(dirty);
  const [open, setOpen] = useState<RuleKey | null>(null);
  const publicRule = ruleAt('public.read');
  const [role, action] = ruleKeyParts(open ?? 'public.read');
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void editing.save();
        }}
      >
        <Section title={t('rules.title')} note={t('rules.note')}>
          {editing.restored && (
            <p className="admin-note" role="status">
              {t('rules.restored')}
            </p>
          )}
          {editing.conflicts.length > 0 && <Conflicts table={table} saved={saved} editing={editing} />}
          {failure && <ErrorPanel title={t('failed')} failure={failure} />}
          <Matrix table={table} ruleAt={ruleAt} mine={editing.mine} onOpen={setOpen} />
          {publicRule?.allowed === true && <PublicNotice siteId={site.id} table={table} rule={publicRule} />}
          <SaveBar dirty={dirty} saving={editing.saving} saveLabel={t('rules.save')} onDiscard={editing.discard} />
        </Section>
      </form>
      <RolePreview site={site} tables={tables} table={table} unsaved={dirty} />
      {open && (
        <RuleDialog
          siteId={site.id}
          tables={tables}
          table={table}
          role={role}
          action={action}
          rule={ruleAt(open)}
          onClose={() => setOpen(null)}
          onSet={(rule) => {
            editing.set(open, rule);
            setOpen(null);
          }}
        />
      )}
      <LeaveDialog blocker={blocker} />
    </>
  );
};

const TableRulesEditor = ({
  site,
  tables,
  table,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
}): ReactElement => {
  const result = useTableRulesQuery({ siteId: site.id, table: table.id });
  const { refetch } = result;
  // Rules share the table's revision, which every change of its definition increments.
  const known = result.data?.revision ?? table.revision;
  useEffect(() => {
    if (known < table.revision) void refetch();
  }, [known, table.revision, refetch]);
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {(saved) => <Editor site={site} tables={tables} table={table} saved={saved} />}
    </ResultState>
  );
};

/** Who may do what with a table's records, which fields and records that covers, and how the table looks to each role. */
export default function PermissionsPart({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement {
  return (
    <TableChooser siteId={site.id} tables={tables}>
      {(table) => <TableRulesEditor key={table.id} site={site} tables={tables} table={table} />}
    </TableChooser>
  );
}
