import type { ReactElement } from 'react';
import { Button } from '@mui/material';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import type { Conversation } from '@contract/support/conversations';
import type { ConversationList as ListName } from '@contract/support/terms';
import { supportLimits } from '@contract/support/terms';
import { useFormat } from '@/lib/format';
import { writeSearch } from '@/lib/searchState';
import { EmptyState } from '@/ui/EmptyState';
import { Icon } from '@/ui/Icon';
import { PlainButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { SearchBox } from '@/ui/SearchBox';
import { useCurrentLink } from '@/ui/useCurrentLink';
import { address, views } from '../address';
import { useSupportQuery } from '../supportApi';
import { useNow } from '../useNow';
import { BulkBar } from './BulkBar';
import { ConversationRow } from './ConversationRow';
import type { useConversations } from './useConversations';
import type { useSelected } from './useSelected';

type Props = {
  readonly siteId: string;
  readonly list: ListName;
  readonly counts: Readonly<Record<ListName, number>> | undefined;
  readonly search: { readonly value: string; readonly onChange: (value: string) => void };
  readonly conversations: ReturnType<typeof useConversations>;
  readonly open: string;
  readonly selected: ReturnType<typeof useSelected>;
  readonly mayReply: boolean;
  /** In place of everything. */
  readonly instead: ReactElement | false;
};

/** Lists with a number behind their name: those in which somebody has something to do. */
const counted: readonly ListName[] = ['unassigned', 'mine', 'all', 'forms', 'snoozed'];

function ListLinks({ list, counts }: Pick<Props, 'list' | 'counts'>): ReactElement {
  const { t } = useTranslation('support');
  const [params] = useSearchParams();
  const row = useCurrentLink(list);
  return (
    <nav className="support-lists" ref={row} aria-label={t('list.label')}>
      {views.map((one) => (
        <Link
          key={one}
          to={`?${writeSearch(address, params, { view: one, q: '' }).toString()}`}
          preventScrollReset
          {...(one === list && { 'aria-current': 'page' as const })}
        >
          {t(`list.${one}`)}
          {counted.includes(one) && counts !== undefined && counts[one] > 0 && <span>{counts[one] > 999 ? '999+' : counts[one]}</span>}
        </Link>
      ))}
    </nav>
  );
}

function Empty({ list, q, onClear }: { readonly list: ListName; readonly q: string; readonly onClear: () => void }): ReactElement {
  const { t } = useTranslation('support');
  if (q !== '')
    return (
      <EmptyState kind="noMatch" title={t('list.noMatch')} action={<PlainButton onClick={onClear}>{t('list.clearSearch')}</PlainButton>}>
        {t('list.searchScope')}
      </EmptyState>
    );
  return (
    <EmptyState ghost="rows" icon={<Icon name="chat" size={40} />} title={t(`list.empty.${list}`)}>
      {list === 'unassigned' ? t('list.emptyText') : undefined}
    </EmptyState>
  );
}

/** Lists of conversations with search; rows can be selected for one action on several. */
export function ConversationList(props: Props): ReactElement {
  const { siteId, list, counts, search, conversations, open, selected, mayReply, instead } = props;
  const { t } = useTranslation('support');
  const [params] = useSearchParams();
  const format = useFormat();
  const now = useNow();
  const replyMinutes = useSupportQuery({ siteId }).currentData?.replyMinutes ?? supportLimits.replyMinutes.usual;
  const { result, rows, q } = conversations;
  const searched = result.currentData?.pages[0]?.searched ?? null;
  const linkTo = ({ id }: Conversation): string => `?${writeSearch(address, params, { conversation: id, pane: 'conversation' }).toString()}`;
  if (instead !== false) return instead;
  return (
    <>
      <ListLinks list={list} counts={counts} />
      <div className="support-search">
        <SearchBox wide label={t('list.search')} placeholder={t('list.searchFor')} value={search.value} onChange={search.onChange} />
      </div>
      {selected.ids.length > 0 && <BulkBar siteId={siteId} list={list} selected={selected} />}
      <div className="support-rows">
        <ResultState result={result} skeleton={<RowsSkeleton rows={8} />}>
          {() =>
            rows.length === 0 ? (
              <Empty list={list} q={q} onClear={() => search.onChange('')} />
            ) : (
              <>
                {searched !== null && <p className="support-quiet">{t('list.searchedLatest', { countText: format.number(searched) })}</p>}
                <ul aria-label={t(`list.${list}`)}>
                  {rows.map((conversation) => (
                    <ConversationRow
                      key={conversation.id}
                      conversation={conversation}
                      isOpen={conversation.id === open}
                      isSelected={selected.ids.includes(conversation.id)}
                      selecting={selected.ids.length > 0}
                      now={now}
                      replyMinutes={replyMinutes}
                      to={linkTo(conversation)}
                      onSelect={mayReply ? selected.toggle : null}
                    />
                  ))}
                </ul>
                {result.hasNextPage && (
                  <div className="support-more">
                    <Button size="small" aria-busy={result.isFetchingNextPage} onClick={() => void result.fetchNextPage()}>
                      {t('list.more')}
                    </Button>
                  </div>
                )}
              </>
            )
          }
        </ResultState>
      </div>
    </>
  );
}
