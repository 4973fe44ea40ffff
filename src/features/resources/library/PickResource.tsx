import { useDeferredValue, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import type { ResourceKind } from '@contract/resources/terms';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { SearchBox } from '@/ui/SearchBox';
import { RowsSkeleton } from '@/ui/skeletons';
import { useResourcesInfiniteQuery } from '../resourcesApi';
import { Thumbnail } from '../Thumbnail';
import '../resources.css';
import './library.css';

/** Resources of a kind to choose from, the newest first; `except`: one that is not offered. `children`: beside the search. */
export function PickResource({
  siteId,
  kind,
  except = null,
  chosen,
  onChoose,
  children,
}: {
  readonly siteId: string;
  readonly kind: ResourceKind;
  readonly except?: string | null;
  /** Ids. */
  readonly chosen: readonly string[];
  readonly onChoose: (resource: Resource) => void;
  readonly children?: ReactNode;
}): ReactElement {
  const { t } = useTranslation('resources');
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const result = useResourcesInfiniteQuery({ siteId, kind, size: 60, ...(q === '' ? {} : { q }) });
  return (
    <>
      <div className="resource-tools">
        <SearchBox label={t('tools.search')} value={text} onChange={setText} wide maxLength={200} />
        {children}
      </div>
      <ResultState result={result} skeleton={<RowsSkeleton rows={4} />}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows).filter(({ id }) => id !== except);
          return rows.length === 0 ? (
            <p className="resource-note">{t(q === '' ? `empty.${kind}` : 'empty.noMatch')}</p>
          ) : (
            <>
              <ul className="resource-picker">
                {rows.map((resource) => (
                  <li key={resource.id}>
                    <button type="button" aria-pressed={chosen.includes(resource.id)} title={resource.name} onClick={() => onChoose(resource)}>
                      <span className="resource-picture">
                        <Thumbnail siteId={siteId} resource={resource} alt="" />
                      </span>
                      <span>{resource.name}</span>
                    </button>
                  </li>
                ))}
              </ul>
              {result.hasNextPage && (
                <PlainButton aria-busy={result.isFetchingNextPage} onClick={() => void result.fetchNextPage()}>
                  {t('list.loadMore')}
                </PlainButton>
              )}
            </>
          );
        }}
      </ResultState>
    </>
  );
}
