import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useUnsavedWork } from '@/features/session/useUnsavedWork';
import { LeaveDialog } from '@/ui/LeaveDialog';
import { FieldEnvProvider } from '../fieldTypes/env';
import { FailedPublications } from './FailedPublications';
import { emptyGroup, fromFilter, newRule } from './filterModel';
import { preloadDialogs } from './lazyParts';
import { OpenRecord, TableDialogs } from './TableDialogs';
import { TableBulkBar, TableHead, TableTools } from './TableTools';
import { TableViews } from './TableViews';
import { Unsaved } from './Unsaved';
import { useTableWork } from './useTableWork';
import type { TableWorkProps } from './useTableWork';

/** The screen of one table: its views, tools and records. */
export const TableWork = (props: TableWorkProps): ReactElement => {
  const work = useTableWork(props);
  const { site, table, at, env, query, writes, pending, nameOf, online, openRecord, undo } = work;
  const [filterDraft, setFilterDraft] = useState<ReturnType<typeof emptyGroup> | null>(null);
  const [isSharing, setSharing] = useState(false);
  const [isDirty, setDirty] = useState(false);
  const isEditing = pending.length > 0;
  // Edits that cannot be saved for lack of a connection are listed in a dialog.
  useEffect(() => {
    if (isEditing) preloadDialogs();
  }, [isEditing]);
  const leaving = useUnsavedWork(isEditing || isDirty);

  /** Opens the filter with an additional condition on this field. */
  const askFilter = (field: string): void => {
    const rule = newRule(table, field);
    if (!rule) return;
    const group = fromFilter(query.filter);
    setFilterDraft(group.join === 'and' ? emptyGroup('and', [...group.items, rule]) : emptyGroup('or', [group, rule]));
  };
  return (
    <FieldEnvProvider value={env}>
      <TableHead work={work} />
      <TableTools work={work} filterDraft={filterDraft} onFilterOpened={() => setFilterDraft(null)} onShare={() => setSharing(true)} />
      {table.drafts && !at.trash && <FailedPublications siteId={site.id} table={table} onOpen={openRecord} onBatches={undo.push} />}
      <Unsaved table={table} writes={writes} pending={pending} nameOf={nameOf} online={online} />
      <TableBulkBar work={work} />
      <TableViews work={work} onAskFilter={askFilter} />
      <OpenRecord work={work} onDirty={setDirty} />
      <TableDialogs work={work} isSharing={isSharing} onShared={() => setSharing(false)} />
      <LeaveDialog blocker={leaving} />
    </FieldEnvProvider>
  );
};
