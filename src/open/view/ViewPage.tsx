import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { openViewCalls } from '@contract/tables/calls';
import { openViewLimits } from '@contract/tables/publicLinkTerms';
import type { OpenRows, OpenView } from '@contract/tables/publicLinks';
import type { Link } from '../call';
import { Rows } from './Rows';
import { fill, useLocale } from '../useMessages';
import { useViewMessages } from './useViewMessages';

const pageSize = 50;
type Loaded = { readonly rows: OpenRows['rows']; readonly total: number | null; readonly more: boolean; readonly next: number | null };
type State = { readonly loaded: Loaded | null; readonly busy: boolean; readonly failed: number | null };

const inAddress = (): { q: string; sort: string } => {
  const params = new URLSearchParams(location.search);
  return { q: params.get('q')?.slice(0, 200) ?? '', sort: params.get('sort') ?? '' };
};

/** Search and order of the view, which are part of the URL. A typed search takes effect after a pause, or at once with `searchNow`. */
function useViewQuery(view: OpenView) {
  const [query, setQuery] = useState(() => {
    const initial = inAddress();
    return { ...initial, sort: view.columns.some(({ id, sortable }) => sortable && id === initial.sort.replace(/^-/, '')) ? initial.sort : '' };
  });
  const { q, sort } = query;
  const [typed, setTyped] = useState(q);
  useEffect(() => {
    const timer = setTimeout(() => setQuery((now) => (now.q === typed.trim() ? now : { ...now, q: typed.trim() })), 300);
    return () => clearTimeout(timer);
  }, [typed]);
  /** The query string of the view, with further parameters. It is new after every `searchNow` and `sortBy`, which load the rows again. */
  const search = useCallback(
    (more: Record<string, string>) => {
      const params = new URLSearchParams({ ...(query.q === '' ? {} : { q: query.q }), ...(query.sort === '' ? {} : { sort: query.sort }), ...more });
      return params.size === 0 ? '' : `?${params.toString()}`;
    },
    [query],
  );
  return {
    q,
    sort,
    typed,
    setTyped,
    search,
    searchNow: () => setQuery((now) => ({ ...now, q: typed.trim() })),
    sortBy: (next: string) => setQuery((now) => ({ ...now, sort: next })),
  };
}
type ViewQuery = ReturnType<typeof useViewQuery>;

/** The rows loaded so far. A new query starts again from the first; `onLost`: the link has ended or is locked. */
function useRows(link: Link, search: ViewQuery['search'], onLost: () => void) {
  const locale = useLocale();
  const [state, setState] = useState<State>({ loaded: null, busy: true, failed: null });
  const current = useRef<AbortController | null>(null);
  const load = useCallback(
    async (offset: number, before: OpenRows['rows']) => {
      current.current?.abort();
      const own = new AbortController();
      current.current = own;
      setState((now) => ({ ...now, busy: true, failed: null }));
      const result = await link.get<OpenRows>(
        `${openViewCalls.openViewRows.path}${search({ offset: String(offset), limit: String(pageSize) })}`,
        locale,
        own.signal,
      );
      if (own.signal.aborted) return;
      if (result.ok) setState({ loaded: { ...result.data, rows: [...before, ...result.data.rows] }, busy: false, failed: null });
      else if (result.status === 401 || result.status === 404 || result.status === 410) onLost();
      else setState((now) => ({ ...now, busy: false, failed: result.status }));
    },
    [link, search, locale, onLost],
  );
  useEffect(() => {
    history.replaceState(null, '', `${location.pathname}${search({})}`);
    void load(0, []);
    return () => current.current?.abort();
  }, [load, search]);
  return { ...state, load };
}

/** The view as a file, in the current search and order. */
function useDownload(link: Link, search: ViewQuery['search']) {
  const locale = useLocale();
  const [saving, setSaving] = useState<'no' | 'busy' | 'failed'>('no');
  const save = async () => {
    if (saving === 'busy') return;
    setSaving('busy');
    const file = await link.file(`${openViewCalls.openViewFile.path}${search({})}`, locale);
    if ('status' in file) return setSaving('failed');
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(file.blob);
    anchor.download = file.name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
    setSaving('no');
  };
  return { saving, save };
}

const ViewHead = ({ view }: { readonly view: OpenView }): ReactElement => {
  const messages = useViewMessages();
  const locale = useLocale();
  return (
    <div className="view-head">
      <h1>{view.title}</h1>
      <p>
        {[
          view.tableTitle,
          messages.readOnly,
          ...(view.drafts ? [messages.drafts] : []),
          ...(view.expiresAt === null
            ? []
            : [fill(messages.until, { date: new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(view.expiresAt)) })]),
        ].join(' · ')}
      </p>
    </div>
  );
};

const SortSelect = ({ view, query }: { readonly view: OpenView; readonly query: ViewQuery }): ReactElement | null => {
  const messages = useViewMessages();
  const sortable = view.columns.filter((column) => column.sortable);
  if (sortable.length === 0) return null;
  return (
    <select aria-label={messages.sortBy} value={query.sort} onChange={(event) => query.sortBy(event.target.value)}>
      <option value="">{messages.sortOwn}</option>
      {sortable.flatMap(({ id, title }) => [
        <option key={id} value={id}>
          {fill(messages.ascending, { column: title })}
        </option>,
        <option key={`-${id}`} value={`-${id}`}>
          {fill(messages.descending, { column: title })}
        </option>,
      ])}
    </select>
  );
};

const SearchInput = ({ query }: { readonly query: ViewQuery }): ReactElement => {
  const messages = useViewMessages();
  return (
    <input
      type="search"
      aria-label={messages.search}
      placeholder={messages.search}
      maxLength={200}
      value={query.typed}
      onChange={(event) => query.setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') query.searchNow();
      }}
    />
  );
};

/** Says that there is nothing, and offers to clear the search if that is why. */
const NoRows = ({ query }: { readonly query: ViewQuery }): ReactElement => {
  const messages = useViewMessages();
  return (
    <div className="nothing">
      <p>{query.q === '' ? messages.empty : messages.nothing}</p>
      {query.q !== '' && (
        <button type="button" className="plain" onClick={() => query.setTyped('')}>
          {messages.clear}
        </button>
      )}
    </div>
  );
};

type ListProps = {
  readonly view: OpenView;
  readonly query: ViewQuery;
  readonly loaded: Loaded;
  readonly busy: boolean;
  readonly onMore: (offset: number) => void;
};

/** The loaded rows, and how to go on where there are more. */
const RowList = ({ view, query, loaded, busy, onMore }: ListProps): ReactElement => {
  const messages = useViewMessages();
  const number = new Intl.NumberFormat(useLocale());
  const { rows, next } = loaded;
  return (
    <>
      {rows.length === 0 && <NoRows query={query} />}
      {rows.length > 0 && <Rows view={view} rows={rows} sort={query.sort} onSort={query.sortBy} />}
      {next !== null && (
        <button type="button" className="plain more" aria-busy={busy} onClick={() => (busy ? undefined : onMore(next))}>
          {busy ? messages.moreBusy : messages.more}
        </button>
      )}
      {next === null && rows.length >= openViewLimits.rows && <p className="soft">{fill(messages.end, { n: number.format(openViewLimits.rows) })}</p>}
    </>
  );
};

/** An open view with search, order, pages and download. The query is part of the URL. */
export const ViewPage = ({ link, view, onLost }: { readonly link: Link; readonly view: OpenView; readonly onLost: () => void }): ReactElement => {
  const messages = useViewMessages();
  const locale = useLocale();
  const query = useViewQuery(view);
  const { loaded, busy, failed, load } = useRows(link, query.search, onLost);
  const { saving, save } = useDownload(link, query.search);
  const number = new Intl.NumberFormat(locale);
  const total = loaded?.total ?? null;
  return (
    <main className="view" aria-busy={busy}>
      <ViewHead view={view} />
      <div className="tools">
        {view.searchable && <SearchInput query={query} />}
        <SortSelect view={view} query={query} />
        {view.download && (
          <button type="button" className="plain" onClick={() => void save()} aria-busy={saving === 'busy'}>
            {saving === 'busy' ? messages.downloading : messages.download}
          </button>
        )}
        <span className="count" role="status">
          {total !== null && fill(loaded?.more === true ? messages.countMore : total === 1 ? messages.countOne : messages.count, { n: number.format(total) })}
        </span>
      </div>
      {saving === 'failed' && (
        <p className="bad" role="alert">
          {messages.downloadFailed}
        </p>
      )}
      {failed !== null && (
        <p className="bad" role="alert">
          {failed === 0 ? messages.offline : failed === 429 ? messages.tooMany : messages.rowsFailed}{' '}
          <button type="button" className="plain" onClick={() => void load(0, [])}>
            {messages.retry}
          </button>
        </p>
      )}
      {loaded === null && busy && <p className="soft">{messages.loading}</p>}
      {loaded !== null && <RowList view={view} query={query} loaded={loaded} busy={busy} onMore={(offset) => void load(offset, loaded.rows)} />}
    </main>
  );
};
