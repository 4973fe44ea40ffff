import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type FormEvent, type ReactElement, useDeferredValue, useId, useState } from 'react';
import { normalizePath } from '@contract/paths';
import { DataTable } from '@/ui/DataTable';
import { RowsSkeleton } from '@/ui/skeletons';
import { useReportQuery, useValuesQuery } from './analyticsApi';
import { BlockState } from './BlockState';
import type { BlockProps } from './blocks';
import { reportQuery } from './urlState';
import { useLabels } from './useLabels';

const Form = styled('form')({ display: 'flex', flexWrap: 'wrap', gap: 8, alignItems: 'center', marginBottom: 16, maxWidth: 560 });
const Input = styled('input')({
  flex: '1 1 240px',
  minWidth: 0,
  height: 34,
  padding: '4px 8px',
  border: '1px solid var(--n-4)',
  borderRadius: 'var(--radius)',
  background: 'var(--canvas)',
  color: 'var(--ink)',
  fontSize: 'var(--text-body)',
});
const Lead = styled('p')({ color: 'var(--ink-2)', fontSize: 'var(--text-table)', marginBottom: 12, maxWidth: 640 });

/** The path of typed or pasted text: a full URL is reduced to its path, a missing leading slash is added. */
const pathOf = (typed: string): string | null => {
  const text = typed.trim();
  if (text === '') return null;
  try {
    const { pathname, hash } = new URL(/^https?:\/\//i.test(text) ? text : `http://x/${text.replace(/^\/+/, '')}`);
    return normalizePath(pathname + (/^#!?\//.test(hash) ? hash : ''));
  } catch {
    return null;
  }
};

/** Chooses a page: typed with suggestions of visited pages, or one of the most viewed. */
export const PageChooser = ({
  site,
  state,
  path,
  onChoose,
}: Pick<BlockProps, 'site' | 'state'> & { readonly path: string | null; readonly onChoose: (path: string) => void }): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const list = useId();
  const [typed, setTyped] = useState(path ?? '');
  const looked = useDeferredValue(typed);
  const { currentData: known } = useValuesQuery({ siteId: site.id, by: 'path', q: looked.slice(0, 100), from: state.range.from, to: state.range.to });
  const top = useReportQuery({ siteId: site.id, ...reportQuery(state), compare: 'none', by: 'path', sort: 'views', size: 10 }, { skip: path !== null });
  const typedPath = pathOf(typed);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const stored = known?.find((one) => one === typed.trim()) ?? typedPath;
    if (stored !== null && stored !== path) onChoose(stored);
  };
  return (
    <>
      {path === null && <Lead>{t('blocks.flow.chooseText')}</Lead>}
      <Form onSubmit={submit} role="search" aria-label={t('blocks.flow.choose')}>
        <Input
          aria-label={t('blocks.flow.page')}
          placeholder={t('blocks.flow.pageHelp')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          list={list}
          maxLength={2000}
          autoComplete="off"
          spellCheck={false}
        />
        <datalist id={list}>
          {(known ?? []).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </datalist>
        <Button type="submit" variant="outlined" disabled={typedPath === null}>
          {t('blocks.flow.show')}
        </Button>
      </Form>
      {path === null && (
        <BlockState name={t('blocks.flow.choose')} result={top} skeleton={<RowsSkeleton rows={5} />}>
          {(report) => (
            <DataTable
              label={t('blocks.flow.choose')}
              dense
              rows={report.rows ?? []}
              rowKey={({ key }) => key}
              columns={[
                { id: 'name', name: t('dimension.path'), fills: true, share: ({ share }) => share, cell: ({ key }) => labels.nameOf('path', key) },
                {
                  id: 'views',
                  name: labels.measure('views'),
                  hint: t('measure.views.text'),
                  numeric: true,
                  cell: ({ values }) => labels.value('views', values.views),
                },
              ]}
              onRow={({ key }) => onChoose(key)}
              rowHint={({ key }) => t('blocks.flow.go', { name: labels.nameOf('path', key) })}
              empty={t('blocks.tree.empty')}
            />
          )}
        </BlockState>
      )}
    </>
  );
};
