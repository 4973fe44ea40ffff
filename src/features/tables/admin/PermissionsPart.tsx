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
import { isFailure, isStale } from '@/store/failure';
import { useAppDispatch } from '@/store/hooks';
import { AnswerState } from '@/ui/AnswerState';
import { CopyButton } from '@/ui/CopyButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { StaleNotice } from '@/ui/form/StaleNotice';
import { Icon } from '@/ui/Icon';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { SaveBar } from '@/ui/SaveBar';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { countConditions } from '../records/filterModel';
import { adminApi, useSetTableRulesMutation, useTableRulesQuery } from './adminApi';
import { OneTable } from './OneTable';
import { Preview } from './Preview';
import { publicAddress } from './publicAddress';
import { RuleDialog } from './RuleDialog';
import { changed, conflicting, inputOf, insisting, mayRule, placeOf, placesOf, savedRule, without } from './rulesDraft';
import type { Mine, Place, Rule } from './rulesDraft';
import { Scroll } from './Scroll';

/** What everybody may read now, and where: nobody should open a table without noticing. */
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

/** One place of the matrix in words. */
function useCellWords(table: ContentTable) {
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
  readonly ruleAt: (place: Place) => Rule;
  readonly mine: Mine;
  readonly onOpen: (role: RuleRole, action: RecordAction) => void;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const words = useCellWords(table);
  return (
    <Scroll label={t('rules.matrix')}>
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
            const reads = words(role, 'read', ruleAt(placeOf(role, 'read'))).allowed;
            return (
              <tr key={role}>
                <th scope="row">
                  {t(`role.${role}`)}
                  <small>{t(`roleText.${role}`)}</small>
                </th>
                {recordActions.map((action) => {
                  if (!mayRule(role, action))
                    return (
                      <td key={action} className="admin-never">
                        <span aria-hidden="true">—</span>
                        <span className="only-read">{t('rules.never')}</span>
                      </td>
                    );
                  const place = placeOf(role, action);
                  const { allowed, head, more } = words(role, action, ruleAt(place));
                  const held = allowed && action !== 'read' && !reads;
                  const said = [...(held ? [t('rules.needsRead')] : []), ...more, ...(mine[place] ? [t('rules.changed')] : [])];
                  return (
                    <td key={action}>
                      <button
                        type="button"
                        data-allowed={allowed && !held ? '' : undefined}
                        data-mine={mine[place] ? '' : undefined}
                        aria-label={t('rules.cell', { role: t(`role.${role}`), action: t(`action.${action}`), state: [head, ...said].join(t('comma')) })}
                        onClick={() => onOpen(role, action)}
                      >
                        <b>
                          <Icon name={allowed ? 'check' : 'close'} size={14} />
                          {head}
                        </b>
                        {said.map((one) => (
                          <small key={one}>{one}</small>
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
    </Scroll>
  );
};

const Editor = ({
  site,
  tables,
  table,
  saved,
}: {
  readonly site: Site;
  readonly tables: readonly ContentTable[];
  readonly table: ContentTable;
  readonly saved: TableRules;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const dispatch = useAppDispatch();
  const of = { siteId: site.id, table: table.id };
  const kept = useDraft<Mine>(`rules:${table.id}`);
  const [mine, setMine] = useState<Mine>(kept.restored ?? {});
  const [open, setOpen] = useState<readonly [RuleRole, RecordAction] | null>(null);
  const [put, { isLoading, error, reset }] = useSetTableRulesMutation();
  const words = useCellWords(table);
  const { rules } = saved;
  const dirty = placesOf(mine).length > 0;
  const blocker = useUnsavedWork(dirty);
  const [restored, setRestored] = useState(kept.restored !== undefined);
  const change = (next: Mine) => {
    setMine(next);
    if (placesOf(next).length > 0) kept.keep(next);
    else kept.drop();
  };
  const clashes = conflicting(mine, rules);
  const ruleAt = (place: Place): Rule => mine[place]?.to ?? (mine[place] ? null : savedRule(rules, place));
  const send = async (revision: number, onto: TableRules['rules'], again: boolean): Promise<void> => {
    const answer = await put({ ...of, revision, body: { rules: inputOf(onto, mine) } });
    if (answer.data) {
      change({});
      setRestored(false);
      dispatch(noticeShown({ tone: 'good', words: { key: 'tableAdmin:rules.saved', values: { name: table.title } } }));
      return;
    }
    if (!isFailure(answer.error) || !isStale(answer.error)) return;
    const now = answer.error.current as TableRules | undefined;
    if (!now) return;
    dispatch(adminApi.util.updateQueryData('tableRules', of, () => now));
    // What others changed elsewhere stands beside this; only the same place is a question for the person.
    if (again && conflicting(mine, now.rules).length === 0) await send(now.revision, now.rules, false);
    else reset();
  };
  const sentence = (role: RuleRole, action: RecordAction, rule: Rule): string => {
    const { head, more } = words(role, action, rule);
    const names = rule?.fields?.flatMap((id) => table.fields.find((one) => one.id === id)?.title ?? []);
    return [
      head,
      ...(names === undefined ? more : [t('rules.summary.fields', { fields: names.length === 0 ? t('rules.fields', { count: 0 }) : names.join(t('comma')) })]),
      ...(rule?.filter ? [t('rules.summary.filter', { count: countConditions(rule.filter) })] : []),
    ].join(' · ');
  };
  const publicRule = ruleAt('public.read');
  const placeFor = open && placeOf(...open);
  return (
    <>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLoading && clashes.length === 0) void send(saved.revision, rules, true);
        }}
      >
        <Section title={t('rules.title')} note={t('rules.note')}>
          {restored && dirty && (
            <p className="admin-note" role="status">
              {t('rules.restored')}
            </p>
          )}
          {clashes.length > 0 && (
            <StaleNotice
              differences={clashes.map((place) => {
                const [role, action] = place.split('.') as [RuleRole, RecordAction];
                return {
                  label: t('rules.editTitle', { role: t(`role.${role}`), action: t(`action.${action}`) }),
                  mine: sentence(role, action, ruleAt(place)),
                  theirs: sentence(role, action, savedRule(rules, place)),
                };
              })}
              onKeepMine={() => change(insisting(mine, rules))}
              onTakeTheirs={() => change(without(mine, clashes))}
            />
          )}
          {isFailure(error) && !isStale(error) && <ErrorPanel title={t('failed')} failure={error} />}
          <Matrix table={table} ruleAt={ruleAt} mine={mine} onOpen={(role, action) => setOpen([role, action])} />
          {publicRule?.allowed === true && <PublicNotice siteId={site.id} table={table} rule={publicRule} />}
          <SaveBar dirty={dirty} saving={isLoading} saveLabel={t('rules.save')} onDiscard={() => change({})} />
        </Section>
      </form>
      <Preview site={site} tables={tables} table={table} unsaved={dirty} />
      {open && placeFor && (
        <RuleDialog
          siteId={site.id}
          tables={tables}
          table={table}
          role={open[0]}
          action={open[1]}
          rule={ruleAt(placeFor)}
          onClose={() => setOpen(null)}
          onSet={(rule) => {
            change(changed(mine, rules, placeFor, rule));
            setOpen(null);
          }}
        />
      )}
      <LeaveDialog blocker={blocker} />
    </>
  );
};

const OfTable = ({ site, tables, table }: { readonly site: Site; readonly tables: readonly ContentTable[]; readonly table: ContentTable }): ReactElement => {
  const answer = useTableRulesQuery({ siteId: site.id, table: table.id });
  const { refetch } = answer;
  // The revision is the table's: it moves on with every change of its definition too.
  const known = answer.data?.revision ?? table.revision;
  useEffect(() => {
    if (known < table.revision) void refetch();
  }, [known, table.revision, refetch]);
  return (
    <AnswerState
      answer={answer}
      skeleton={<RowsSkeleton rows={6} />}
      failed={(error, retry, retrying) => <ErrorPanel failure={isFailure(error) ? error : null} onRetry={retry} retrying={retrying} />}
    >
      {(saved) => <Editor site={site} tables={tables} table={table} saved={saved} />}
    </AnswerState>
  );
};

/** Who may do what with the records of a table, which fields and records that covers, and how the table looks to each. */
export default function PermissionsPart({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement {
  return (
    <OneTable siteId={site.id} tables={tables}>
      {(table) => <OfTable key={table.id} site={site} tables={tables} table={table} />}
    </OneTable>
  );
}
