import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { pathOf } from '@contract/call';
import type { Site } from '@contract/sites/schemas';
import { tableAccessCalls } from '@contract/tables/calls';
import type { ContentTable } from '@contract/tables/schemas';
import { phone, useMedia } from '@/lib/useMedia';
import { text, useSearchState } from '@/lib/searchState';
import { ResultState } from '@/ui/ResultState';
import { Caret } from '@/ui/Caret';
import { CopyButton } from '@/ui/CopyButton';
import { EmptyState } from '@/ui/EmptyState';
import { PlainButton } from '@/ui/PlainButton';
import { Section } from '@/ui/Section';
import { RowsSkeleton } from '@/ui/skeletons';
import { SearchBox } from '@/ui/SearchBox';
import { useSiteOpenApiQuery } from './adminApi';
import { CallExplorer } from './CallExplorer';
import { operationsOf } from './openApi';
import type { OpenApi, Operation } from './openApi';
import { publicAddress, publicPath } from './publicAddress';
import { useCallLabel } from './useCallLabels';

const address = { op: text('', 140) };

const List = ({
  operations,
  current,
  onOpen,
}: {
  readonly operations: readonly Operation[];
  readonly current: string;
  readonly onOpen: (id: string) => void;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const callLabel = useCallLabel();
  const [typed, setTyped] = useState('');
  const search = typed.trim().toLowerCase();
  const found = operations.filter((one) => [callLabel(one), one.table, one.path, one.method].some((part) => part.toLowerCase().includes(search)));
  const groups = [...new Set(found.map(({ table }) => table))];
  return (
    <nav className="admin-calls" aria-label={t('api.list')}>
      <SearchBox wide label={t('api.find')} value={typed} onChange={setTyped} />
      {found.length === 0 && (
        <p className="admin-note" role="status">
          {t('api.noneFound')}
        </p>
      )}
      {groups.map((table) => (
        <div key={table}>
          <h3>{table}</h3>
          <ul>
            {found
              .filter((one) => one.table === table)
              .map((one) => (
                <li key={one.id}>
                  <button type="button" {...(one.id === current ? { 'aria-current': true as const } : {})} onClick={() => onOpen(one.id)}>
                    <code data-method={one.method}>{one.method}</code>
                    {callLabel(one)}
                  </button>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
};

const Loaded = ({ document }: { readonly document: OpenApi }): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const onPhone = useMedia(phone);
  const [{ op }, change] = useSearchState(address);
  const operations = operationsOf(document);
  if (operations.length === 0) return <EmptyState title={t('api.none')} />;
  const chosen = operations.find(({ id }) => id === op);
  const open = (id: string) => change({ op: id });
  const list = <List operations={operations} current={op} onOpen={open} />;
  const pane = chosen ? (
    <CallExplorer key={chosen.id} operation={chosen} schemas={document.components.schemas} />
  ) : (
    <p className="admin-note">{t(op === '' ? 'api.choose' : 'api.gone')}</p>
  );
  const alone = onPhone && op !== '';
  // The call stays at one position in the tree, so that its input is kept when the window becomes narrow.
  return (
    <div className="admin-api">
      {!alone && list}
      <div className="admin-call">
        {alone && (
          <p className="admin-back">
            <PlainButton type="button" onClick={() => open('')}>
              <Caret to="right" />
              {t('api.back')}
            </PlainButton>
          </p>
        )}
        {(!onPhone || alone) && pane}
      </div>
    </div>
  );
};

const Public = ({
  siteId,
  tables,
  document,
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  readonly document: OpenApi;
}): ReactElement => {
  const { t } = useTranslation('tableAdmin');
  const open = tables.filter(({ key }) => Object.hasOwn(document.paths, publicPath(siteId, key)));
  return (
    <Section title={t('api.publicTitle')} {...(open.length > 0 && { note: t('api.publicNote') })}>
      {open.length === 0 ? (
        <p className="admin-note">{t('api.publicNone')}</p>
      ) : (
        <ul className="admin-list">
          {open.map((table) => {
            const to = publicAddress(siteId, table.key);
            return (
              <li key={table.id}>
                <b>{table.title}</b>
                <span className="admin-address">
                  <a className="text-link in-text" href={to} target="_blank" rel="noreferrer">
                    {to}
                  </a>
                  <CopyButton text={to} label={t('api.copyAddress', { name: table.title })} />
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
};

/** Reference of this site's calls, from its OpenAPI document, with a form to try each of them. */
export default function ApiPart({ site, tables }: { readonly site: Site; readonly tables: readonly ContentTable[] }): ReactElement {
  const { t } = useTranslation('tableAdmin');
  const result = useSiteOpenApiQuery({ siteId: site.id });
  return (
    <>
      <p className="admin-note">
        {t('api.note')}{' '}
        <a className="text-link in-text" href={pathOf(tableAccessCalls.siteOpenApi, { siteId: site.id })} download={`${site.slug}-openapi.json`}>
          {t('api.download')}
        </a>
        {' · '}
        <a className="text-link in-text" href="/api/docs" target="_blank" rel="noreferrer">
          {t('api.docs')}
        </a>
      </p>
      <ResultState result={result} skeleton={<RowsSkeleton rows={10} />}>
        {(document) => (
          <>
            <Loaded document={document} />
            <Public siteId={site.id} tables={tables} document={document} />
          </>
        )}
      </ResultState>
    </>
  );
}
