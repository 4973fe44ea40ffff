import FilterIcon from '@mui/icons-material/FilterListOutlined';
import FlowIcon from '@mui/icons-material/AltRouteOutlined';
import type { Tree } from '@contract/analytics/schemas';
import { Button, IconButton } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type KeyboardEvent, type ReactElement, type ReactNode, type RefObject, useRef } from 'react';
import { Caret } from '@/ui/Caret';
import { Section } from '@/ui/Section';
import { Bone, RowsSkeleton } from '@/ui/skeletons';
import { BlockFailure, BlockState } from './BlockState';
import type { BlockProps, LazyBlock } from './blocks';
import { scopeOf, useTreeQuery } from './blocksApi';
import { withFilter } from './filters';
import { PartLinks } from './PartLinks';
import { type Directories, nameIn, readOpen, writeOpen } from './treePaths';
import { useLabels } from './useLabels';

type Node = Tree['nodes'][number];
const Frame = styled('div')({ overflowX: 'auto' });
const Grid = styled('table')({
  width: '100%',
  borderCollapse: 'collapse',
  fontSize: 'var(--text-table)',
  '& th, & td': { height: 34, padding: '0 12px', borderBottom: '1px solid var(--line)', whiteSpace: 'nowrap', fontWeight: 400 },
  '& thead th': { color: 'var(--ink-2)', fontWeight: 500 },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& .name': { textAlign: 'left', width: '100%', minWidth: 200, maxWidth: 0 },
  '& tbody tr:hover': { background: 'var(--hover)' },
  '& tbody tr:focus-visible': { outlineOffset: -2 },
  '& .acts': { opacity: 0, display: 'inline-flex', '@media (hover: none)': { opacity: 1 } },
  '& tr:hover .acts, & tr:focus-within .acts, & tr:focus .acts': { opacity: 1 },
});
const Name = styled('div')({
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 4,
  minWidth: 0,
  '& > .text': { overflow: 'hidden', textOverflow: 'ellipsis' },
});
const Twist = styled('span')({ flex: 'none', width: 18, display: 'inline-flex', color: 'var(--ink-2)', transition: 'transform 120ms var(--ease)' });
const Bar = styled('span')({ display: 'block', height: 4, borderRadius: 2, background: 'var(--chart-accent)', opacity: 0.7 });
const Note = styled('p')({ color: 'var(--ink-2)', fontSize: 'var(--text-table)' });

type Shared = Pick<BlockProps, 'site' | 'state' | 'change'> & {
  readonly open: Directories;
  readonly toggle: (path: string, expanded: boolean) => void;
  /** Page views of the whole site, the base of the bars. */ readonly whole: number;
};

type TreeKeys = Pick<Shared, 'change' | 'toggle'>;

/**
 * Keyboard control of the tree grid `grid`, as the ARIA pattern describes it. One row has the tab stop; Enter opens a directory, or the flow around a
 * page.
 */
const useTreeKeys = (grid: RefObject<HTMLTableElement | null>, { change, toggle }: TreeKeys): ((event: KeyboardEvent) => void) => {
  const rowsOf = (): HTMLElement[] => [...(grid.current?.querySelectorAll<HTMLElement>('tr[data-path]') ?? [])];
  const go = (row: HTMLElement | undefined): void => {
    if (row === undefined) return;
    for (const one of rowsOf()) one.tabIndex = one === row ? 0 : -1;
    row.focus();
  };
  return (event) => {
    const row = event.target as HTMLElement;
    const path = row.dataset['path'];
    if (path === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const rows = rowsOf();
    const at = rows.indexOf(row);
    const level = Number(row.getAttribute('aria-level'));
    const expanded = row.getAttribute('aria-expanded');
    const parent = rows.slice(0, at).findLast((one) => Number(one.getAttribute('aria-level')) < level);
    const moves: Record<string, () => void> = {
      ArrowDown: () => go(rows[at + 1]),
      ArrowUp: () => go(rows[at - 1]),
      Home: () => go(rows[0]),
      End: () => go(rows.at(-1)),
      ArrowRight: () => {
        if (expanded === 'false') toggle(path, true);
        else if (expanded === 'true') go(rows[at + 1]);
      },
      ArrowLeft: () => {
        if (expanded === 'true') toggle(path, false);
        else go(parent);
      },
      Enter: () => {
        if (expanded === null) change({ view: 'flow', at: path });
        else toggle(path, expanded === 'false');
      },
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };
};

/** Pages by directory: each level is loaded when it is opened. Open directories are in the address, so that a link shows the same. */
const TreeBlock: LazyBlock<'tree'> = ({ site, state, change }): ReactElement => {
  const { t } = useLabels();
  const result = useTreeQuery({ siteId: site.id, ...scopeOf(state), under: '/' });
  const open = readOpen(state.at);
  const toggle = (path: string, expanded: boolean): void => change({ at: writeOpen(open, path, expanded) }, 'replace');
  const title = t('blocks.tree.title');
  return (
    <Section
      title={title}
      actions={
        <>
          {open.size > 0 && (
            <Button size="small" onClick={() => change({ at: null })}>
              {t('blocks.tree.close')}
            </Button>
          )}
          <PartLinks site={site} part="tree" query={{ ...scopeOf(state), under: '/' }} />
        </>
      }
    >
      <BlockState name={title} result={result} skeleton={<RowsSkeleton rows={6} />}>
        {(tree) => (tree.nodes.length === 0 ? <Note>{t('blocks.tree.empty')}</Note> : <TreeGrid tree={tree} {...{ site, state, change, open, toggle }} />)}
      </BlockState>
    </Section>
  );
};

const TreeGrid = ({ tree, ...shared }: Omit<Shared, 'whole'> & { readonly tree: Tree }): ReactElement => {
  const labels = useLabels();
  const { t } = labels;
  const grid = useRef<HTMLTableElement>(null);
  const onKeyDown = useTreeKeys(grid, shared);
  return (
    <Frame>
      <Grid ref={grid} role="treegrid" aria-label={t('blocks.tree.keys')} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col" className="name">
              {t('blocks.tree.name')}
            </th>
            {(['views', 'visitors', 'visits', 'avgTimeOnPage'] as const).map((id) => (
              <th key={id} scope="col" className="number" title={t(`measure.${id}.text`)}>
                {labels.measure(id)}
              </th>
            ))}
            <th scope="col" className="number">
              {t('blocks.tree.pages')}
            </th>
          </tr>
        </thead>
        <tbody>
          <Nodes tree={tree} level={1} first whole={tree.views} {...shared} />
        </tbody>
      </Grid>
    </Frame>
  );
};

const Nodes = ({ tree, level, first = false, ...shared }: Shared & { readonly tree: Tree; readonly level: number; readonly first?: boolean }): ReactElement => {
  const { t, format } = useLabels();
  return (
    <>
      {tree.nodes.map((node, at) => (
        <NodeRow key={`${node.kind} ${node.path}`} node={node} under={tree.under} level={level} reached={first && at === 0} {...shared} />
      ))}
      {tree.more && (
        <Full>
          <Note>{t('blocks.tree.more', { countText: format.number(tree.nodes.length) })}</Note>
        </Full>
      )}
    </>
  );
};

const Full = ({ level = 1, children }: { level?: number; children: ReactNode }): ReactElement => (
  <tr>
    <td colSpan={6} style={{ paddingLeft: 12 + (level - 1) * 20, whiteSpace: 'normal' }}>
      {children}
    </td>
  </tr>
);

const NodeRow = ({
  node,
  under,
  level,
  reached,
  ...shared
}: Shared & { readonly node: Node; readonly under: string; readonly level: number; readonly reached: boolean }): ReactElement => {
  const { state, change, open, toggle, whole } = shared;
  const labels = useLabels();
  const { t, format } = labels;
  const directory = node.kind === 'directory';
  const isOpen = directory && open.has(node.path);
  const name = nameIn(under, node.path);
  const act = (): void => {
    if (directory) toggle(node.path, !isOpen);
    else change({ view: 'flow', at: node.path });
  };
  return (
    <>
      <tr
        aria-level={level}
        {...(directory ? { 'aria-expanded': isOpen } : {})}
        data-path={node.path}
        tabIndex={reached ? 0 : -1}
        onClick={(event) => {
          if (window.getSelection()?.toString() === '' && !(event.target as HTMLElement).closest('button')) act();
        }}
        style={{ cursor: 'pointer' }}
      >
        <th scope="row" className="name" style={{ paddingLeft: 12 + (level - 1) * 20 }} title={node.path}>
          <Name>
            <Twist aria-hidden style={isOpen ? { transform: 'rotate(90deg)' } : {}}>
              {directory && <Caret to="right" />}
            </Twist>
            <span className="text" style={directory ? { fontWeight: 500 } : {}}>
              {name === '' && under === '/' ? '/' : name === '' ? <span style={{ color: 'var(--ink-2)' }}>{t('blocks.tree.index')}</span> : name}
            </span>
            <span className="acts" style={{ marginLeft: 'auto' }}>
              {directory ? (
                <IconButton
                  size="small"
                  tabIndex={-1}
                  aria-label={t('blocks.tree.filterDirectory', { name: node.path })}
                  title={t('blocks.tree.filterDirectory', { name: node.path })}
                  onClick={() => change({ filters: withFilter(state.filters, { by: 'path', op: 'contains', values: [node.path] }) })}
                  sx={{ p: 0.25 }}
                >
                  <FilterIcon fontSize="small" />
                </IconButton>
              ) : (
                <IconButton
                  size="small"
                  tabIndex={-1}
                  aria-label={t('blocks.tree.flow', { name: node.path })}
                  title={t('blocks.tree.flow', { name: node.path })}
                  onClick={act}
                  sx={{ p: 0.25 }}
                >
                  <FlowIcon fontSize="small" />
                </IconButton>
              )}
            </span>
          </Name>
          <Bar aria-hidden style={{ width: `${String(whole === 0 ? 0 : (100 * node.views) / whole)}%`, minWidth: 1, marginLeft: 22 }} />
        </th>
        <td className="number">{format.number(node.views)}</td>
        <td className="number">{format.number(node.visitors)}</td>
        <td className="number">{format.number(node.visits)}</td>
        <td className="number">{labels.value('avgTimeOnPage', node.avgTimeOnPage)}</td>
        <td className="number">{directory ? format.number(node.pages) : ''}</td>
      </tr>
      {isOpen && <Level under={node.path} level={level + 1} {...shared} />}
    </>
  );
};

/** The direct content of an open directory. */
const Level = ({ under, level, ...shared }: Shared & { readonly under: string; readonly level: number }): ReactElement => {
  const { t } = useLabels();
  const { site, state } = shared;
  const { data, currentData, error, isFetching, refetch } = useTreeQuery({ siteId: site.id, ...scopeOf(state), under });
  const tree = currentData ?? (isFetching && data?.under === under ? data : undefined);
  const name = under;
  if (tree !== undefined) return <Nodes tree={tree} level={level} {...shared} />;
  return (
    <Full level={level}>
      {error === undefined ? (
        <span role="status">
          <span className="only-read">{t('blocks.tree.loading', { name })}</span>
          <Bone w="40%" />
        </span>
      ) : (
        <BlockFailure name={name} error={error} onRetry={() => void refetch()} retrying={isFetching} />
      )}
    </Full>
  );
};

export default TreeBlock;
