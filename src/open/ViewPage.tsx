import { useCallback, useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { tableShareCalls } from '@contract/tables/calls';
import { openViewLimits } from '@contract/tables/shareTerms';
import type { OpenRows, OpenView } from '@contract/tables/shares';
import type { Link } from './call';
import { Rows } from './Rows';
import { fill, useLocale, useMessages } from './useMessages';

const pageSize = 50;
type Loaded = { readonly rows: OpenRows['rows']; readonly total: number | null; readonly more: boolean; readonly next: number | null };
type State = { readonly loaded: Loaded | null; readonly busy: boolean; readonly failed: number | null };

const inAddress = (): { q: string; sort: string } => {
  const params = new URLSearchParams(location.search);
  return { q: params.get('q')?.slice(0, 200) ?? '', sort: params.get('sort') ?? '' };
};

/** An open view with search, order, pages and download. The query is part of the URL. */
export const ViewPage = ({ link, view, onLost }: { readonly link: Link; readonly view: OpenView; readonly onLost: () => void }): ReactElement => {
  const messages = useMessages();
  const locale = useLocale();
  const [asked, setAsked] = useState(() => {
    const { q, sort } = inAddress();
    return { q, sort: view.columns.some(({ id, sortable }) => sortable && id === sort.replace(/^-/, '')) ? sort : '' };
  });
  const [typed, setTyped] = useState(asked.q);
  const [{ loaded, busy, failed }, setState] = useState<State>({ loaded: null, busy: true, failed: null });
  const [saving, setSaving] = useState<'no' | 'busy' | 'failed'>('no');
  const asking = useRef<AbortController | null>(null);

  const query = useCallback(
    (more: Record<string, string>) => {
      const params = new URLSearchParams({ ...(asked.q === '' ? {} : { q: asked.q }), ...(asked.sort === '' ? {} : { sort: asked.sort }), ...more });
      return params.size === 0 ? '' : `?${params.toString()}`;
    },
    [asked],
  );
  const load = useCallback(
    async (offset: number, before: OpenRows['rows']) => {
      asking.current?.abort();
      const own = new AbortController();
      asking.current = own;
      setState((now) => ({ ...now, busy: true, failed: null }));
      const answer = await link.get<OpenRows>(
        `${tableShareCalls.sharedRows.path}${query({ offset: String(offset), limit: String(pageSize) })}`,
        locale,
        own.signal,
      );
      if (own.signal.aborted) return;
      if (answer.ok) setState({ loaded: { ...answer.data, rows: [...before, ...answer.data.rows] }, busy: false, failed: null });
      else if (answer.status === 401 || answer.status === 404 || answer.status === 410) onLost();
      else setState((now) => ({ ...now, busy: false, failed: answer.status }));
    },
    [link, query, locale, onLost],
  );
  useEffect(() => {
    history.replaceState(null, '', `${location.pathname}${query({})}`);
    void load(0, []);
    return () => asking.current?.abort();
  }, [load, query]);
  useEffect(() => {
    const timer = setTimeout(() => setAsked((now) => (now.q === typed.trim() ? now : { ...now, q: typed.trim() })), 300);
    return () => clearTimeout(timer);
  }, [typed]);

  const sortBy = (sort: string) => setAsked((now) => ({ ...now, sort }));
  const save = async () => {
    if (saving === 'busy') return;
    setSaving('busy');
    const file = await link.file(`${tableShareCalls.sharedFile.path}${query({})}`, locale);
    if ('status' in file) return setSaving('failed');
    const anchor = document.createElement('a');
    anchor.href = URL.createObjectURL(file.blob);
    anchor.download = file.name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
    setSaving('no');
  };
  const number = new Intl.NumberFormat(locale);
  const total = loaded?.total ?? null;
  return (
    <main className="view" aria-busy={busy}>
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
      <div className="tools">
        {view.searchable && (
          <input
            type="search"
            aria-label={messages.search}
            placeholder={messages.search}
            maxLength={200}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') setAsked((now) => ({ ...now, q: typed.trim() }));
            }}
          />
        )}
        {view.columns.some(({ sortable }) => sortable) && (
          <select aria-label={messages.sortBy} value={asked.sort} onChange={(event) => sortBy(event.target.value)}>
            <option value="">{messages.sortOwn}</option>
            {view.columns
              .filter(({ sortable }) => sortable)
              .flatMap(({ id, title }) => [
                <option key={id} value={id}>
                  {fill(messages.ascending, { column: title })}
                </option>,
                <option key={`-${id}`} value={`-${id}`}>
                  {fill(messages.descending, { column: title })}
                </option>,
              ])}
          </select>
        )}
        {view.download && (
          <button type="button" className="plain" onClick={() => void save()} aria-busy={saving === 'busy'}>
            {saving === 'busy' ? messages.downloading : messages.download}
          </button>
        )}
        <span className="count" role="status">
          {total !== null && fill(loaded?.more === true ? messages.countMore : messages.count, { n: number.format(total) })}
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
      {loaded !== null && loaded.rows.length === 0 && (
        <div className="nothing">
          <p>{asked.q === '' ? messages.empty : messages.nothing}</p>
          {asked.q !== '' && (
            <button type="button" className="plain" onClick={() => setTyped('')}>
              {messages.clear}
            </button>
          )}
        </div>
      )}
      {loaded !== null && loaded.rows.length > 0 && <Rows view={view} rows={loaded.rows} sort={asked.sort} onSort={sortBy} />}
      {loaded?.next != null && (
        <button type="button" className="plain more" aria-busy={busy} onClick={() => (busy ? undefined : void load(loaded.next ?? 0, loaded.rows))}>
          {busy ? messages.moreBusy : messages.more}
        </button>
      )}
      {loaded !== null && loaded.next === null && loaded.rows.length >= openViewLimits.rows && (
        <p className="soft">{fill(messages.end, { n: number.format(openViewLimits.rows) })}</p>
      )}
    </main>
  );
};
