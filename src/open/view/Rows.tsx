import type { ReactElement } from 'react';
import type { OpenCell, OpenRows, OpenView } from '@contract/tables/publicLinks';
import { Tag } from '@/ui/Tag';
import { fill } from '../useMessages';
import { useViewMessages } from './useViewMessages';

type Row = OpenRows['rows'][number];
type Column = OpenView['columns'][number];

/** Links to other sites receive no referrer: the URL of this page is secret. */
const Cell = ({ cell }: { readonly cell: OpenCell }): ReactElement => {
  if (cell.chips)
    return (
      <span className="chips">
        {cell.chips.map(({ title, color }, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <Tag key={at} color={color}>
            {title}
          </Tag>
        ))}
      </span>
    );
  if (cell.links)
    return (
      <span className="chips">
        {cell.links.map(({ href, title }, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {title}
          </a>
        ))}
      </span>
    );
  return <span className="text">{cell.text}</span>;
};

/** Consecutive rows of the same groups, under one heading. */
function runs(rows: readonly Row[]): { readonly key: string; readonly group: readonly string[]; readonly rows: Row[] }[] {
  const found: { key: string; group: readonly string[]; rows: Row[] }[] = [];
  for (const row of rows) {
    const key = JSON.stringify(row.group);
    const last = found.at(-1);
    if (last?.key === key) last.rows.push(row);
    else found.push({ key, group: row.group, rows: [row] });
  }
  return found;
}

const useGroupTitle = (view: OpenView) => {
  const messages = useViewMessages();
  return (group: readonly string[]): string =>
    group.map((text, at) => `${view.groups.length > 1 ? `${view.groups[at]?.title ?? ''} ` : ''}${text === '' ? messages.noGroup : text}`).join(' · ');
};

const Card = ({ view, row }: { readonly view: OpenView; readonly row: Row }): ReactElement => {
  const [first, ...rest] = view.columns.map((column, at) => ({ column, cell: row.cells[at] ?? { text: '' } }));
  const filled = rest.filter(({ cell }) => cell.text !== '');
  return (
    <li className="card">
      <h3>{first ? <Cell cell={first.cell} /> : null}</h3>
      {filled.length > 0 && (
        <dl>
          {filled.map(({ column, cell }) => (
            <div key={column.id}>
              <dt>{column.title}</dt>
              <dd>
                <Cell cell={cell} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
};

const Head = ({ column, sort, onSort }: { readonly column: Column; readonly sort: string; readonly onSort: (sort: string) => void }): ReactElement => {
  const messages = useViewMessages();
  const state = sort === column.id ? 'ascending' : sort === `-${column.id}` ? 'descending' : 'none';
  const next = state === 'none' ? column.id : state === 'ascending' ? `-${column.id}` : '';
  return (
    <th scope="col" aria-sort={column.sortable ? state : undefined} className={column.number ? 'number' : undefined}>
      {column.sortable ? (
        <button type="button" onClick={() => onSort(next)} title={fill(messages.sortColumn, { column: column.title })}>
          {column.title}
          {state !== 'none' && <span aria-hidden="true">{state === 'ascending' ? '↑' : '↓'}</span>}
        </button>
      ) : (
        column.title
      )}
    </th>
  );
};

/** Numbers are right-aligned; dates, times and numbers do not wrap. */
const classOf = (column: Column | undefined): string | undefined =>
  column?.number === true ? 'number tight' : column && ['date', 'datetime', 'time', 'boolean'].includes(column.kind) ? 'tight' : undefined;

type Props = { readonly view: OpenView; readonly rows: readonly Row[]; readonly sort: string; readonly onSort: (sort: string) => void };

const Grid = ({ view, rows, sort, onSort }: Props): ReactElement => {
  const messages = useViewMessages();
  const titleOf = useGroupTitle(view);
  return (
    // Scrollable, so it must be focusable.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="scroll" role="region" aria-label={messages.table} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {view.columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {runs(rows).map((run, at) => (
          // oxlint-disable-next-line react/no-array-index-key
          <tbody key={at}>
            {view.groups.length > 0 && (
              <tr className="group">
                <th colSpan={view.columns.length} scope="rowgroup">
                  <span>{titleOf(run.group)}</span>
                </th>
              </tr>
            )}
            {run.rows.map((row, n) => (
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={n}>
                {row.cells.map((cell, c) => (
                  <td key={view.columns[c]?.id} className={classOf(view.columns[c])}>
                    <Cell cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
};

/** The records according to the kind of view: a table, cards, columns of cards, or cards by day. */
export const Rows = (props: Props): ReactElement => {
  const { view, rows } = props;
  const messages = useViewMessages();
  const titleOf = useGroupTitle(view);
  const list = (some: readonly Row[]) => (
    <ul className="cards">
      {some.map((row, at) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Card key={at} view={view} row={row} />
      ))}
    </ul>
  );
  if (view.layout === 'grid') return <Grid {...props} />;
  if (view.layout === 'cards') return list(rows);
  const sections = runs(rows).map((run) => (
    <section key={run.key} aria-label={titleOf(run.group)}>
      <h2>
        {titleOf(run.group)} {view.layout === 'board' && <small>{run.rows.length}</small>}
      </h2>
      {list(run.rows)}
    </section>
  ));
  return view.layout === 'board' ? (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="board" role="region" aria-label={messages.table} tabIndex={0}>
      {sections}
    </div>
  ) : (
    <div className="days">{sections}</div>
  );
};
