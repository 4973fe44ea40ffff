import { Drawer } from '@mui/material';
import { Suspense, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { mayOnSite } from '@contract/permissions';
import type { SupportOverview } from '@contract/support/conversations';
import type { Site } from '@contract/sites/schemas';
import { selectSite } from '@/features/sites/sitesSlice';
import { useSearchState } from '@/lib/searchState';
import { narrowScreen, phone, useMedia } from '@/lib/useMedia';
import { useTyped } from '@/lib/useTyped';
import { useAppSelector } from '@/store/hooks';
import { EmptyState } from '@/ui/EmptyState';
import { Icon } from '@/ui/Icon';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import { PaneBorder, usePaneWidth } from '@/ui/PaneBorder';
import { address } from './address';
import type { Address } from './address';
import { ConversationPane } from './conversation/ConversationPane';
import { FirstSteps } from './FirstSteps';
import { ConversationList } from './list/ConversationList';
import { useConversations } from './list/useConversations';
import { useSelected } from './list/useSelected';
import { ListHeader } from './ListHeader';
import './support.css';
import { useSupportQuery } from './supportApi';
import { useAgentPresence } from './useAgentPresence';
import { useRestoredOutgoing } from './useOutgoing';
import { useSupportKeys } from './useSupportKeys';
import { VisitorPane } from './visitor/VisitorPane';

const SettingsDrawer = lazyWithRetry(() => import(/* webpackChunkName: "support" */ './settings/SettingsDrawer'));

const noAgents: SupportOverview['agents'] = [];

const isNew = ({ mode, counts }: SupportOverview): boolean => mode === 'off' || counts.all + counts.resolved + counts.snoozed + counts.spam === 0;

function NothingOpen({
  site,
  overview,
  onSettings,
}: {
  readonly site: Site;
  readonly overview: SupportOverview | undefined;
  readonly onSettings: (() => void) | null;
}): ReactElement {
  const { t } = useTranslation('support');
  // What teaches comes first: without the widget no conversation can begin.
  if (overview && isNew(overview)) return <FirstSteps site={site} overview={overview} onSettings={onSettings} />;
  return (
    <EmptyState title={t('conversation.none')} icon={<Icon name="chat" size={40} />}>
      {t('conversation.noneText')}
    </EmptyState>
  );
}

function Visitor({
  site,
  at,
  isBeside,
  isOpen,
  onClose,
  ...rights
}: {
  readonly site: Site;
  readonly at: Address;
  readonly isBeside: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly mayReply: boolean;
  readonly mayConfigure: boolean;
}): ReactElement | null {
  const { t } = useTranslation('support');
  const pane = usePaneWidth('supportVisitor', { least: 240, most: 420, initial: 296 });
  const content = (onBack: (() => void) | null): ReactElement => (
    <VisitorPane key={at.conversation} site={site} conversation={at.conversation} onBack={onBack} {...rights} />
  );
  if (isBeside)
    return (
      <aside className="support-side" aria-label={t('visitor.title')} style={{ width: pane.width }}>
        {content(null)}
        <PaneBorder label={t('visitor.width')} pane={pane} side="end" />
      </aside>
    );
  return isOpen ? (
    <Drawer
      open
      anchor="right"
      onClose={onClose}
      slotProps={{ paper: { role: 'dialog', 'aria-label': t('visitor.title'), sx: { width: { xs: '100%', sm: 360 } } } }}
    >
      {content(onClose)}
    </Drawer>
  ) : null;
}

/** The list of a phone is there again, at the conversation that was open. */
const focusRow = (conversation: string): void => void setTimeout(() => document.querySelector<HTMLElement>(`[data-conversation="${conversation}"]`)?.focus());

/** What a phone shows instead of an empty list: before the first conversation, it teaches. */
const teaches = (onPhone: boolean, overview: SupportOverview | undefined, q: string): boolean =>
  onPhone && q === '' && overview !== undefined && isNew(overview);

function Workbench({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('support');
  const [at, change] = useSearchState(address);
  const onPhone = useMedia(phone);
  const isNarrow = useMedia(narrowScreen);
  const mayReply = mayOnSite(site.role, 'support.reply');
  const mayConfigure = mayOnSite(site.role, 'support.configure');
  const { currentData: overview } = useSupportQuery({ siteId: site.id });
  const [typed, setTyped] = useTyped(at.q, (q) => change({ q }, 'replace'));
  const conversations = useConversations(site.id, at.view, at.q);
  const selected = useSelected(`${at.view} ${at.q}`, conversations.rows);
  const tellPresence = useAgentPresence(site.id, at.conversation === '' ? null : at.conversation, mayReply);
  const agents = overview?.agents ?? noAgents;
  useRestoredOutgoing();
  const inputRef = useRef<HTMLTextAreaElement>(null);
  const toList = (): void => {
    change({ conversation: '', pane: 'conversation' });
    focusRow(at.conversation);
  };
  const onSettings = mayConfigure ? () => change({ settings: 'look' }) : null;
  const open = (conversation: string): void => change({ conversation, pane: 'conversation' });
  useSupportKeys({ siteId: site.id, rows: conversations.rows, open: at.conversation, mayReply, inputRef, onOpen: open, onSelect: selected.toggle });
  const pane = usePaneWidth('supportList', { least: 264, most: 480, initial: 320 });
  const isOpen = at.conversation !== '';
  const visitorBeside = !isNarrow && isOpen;
  const showsVisitor = at.pane === 'visitor' && isOpen;
  const rights = { mayReply, mayConfigure };
  return (
    <div className="support-bench">
      {(!onPhone || !isOpen) && (
        <div className="support-list" {...(!onPhone && { style: { width: pane.width } })}>
          <ListHeader
            site={site}
            overview={overview}
            agents={agents}
            onStatus={(status) => void tellPresence({ status })}
            onSettings={(tab) => change({ settings: tab })}
          />
          <ConversationList
            {...{ siteId: site.id, list: at.view, counts: overview?.counts, conversations, open: at.conversation, selected, mayReply }}
            search={{ value: typed, onChange: setTyped }}
            instead={teaches(onPhone, overview, at.q) && <NothingOpen site={site} overview={overview} onSettings={onSettings} />}
          />
          {!onPhone && <PaneBorder label={t('list.width')} pane={pane} />}
        </div>
      )}
      {(!onPhone || isOpen) && (
        <div className="support-conversation">
          {isOpen ? (
            <ConversationPane
              key={at.conversation}
              id={at.conversation}
              site={site}
              agents={agents}
              inputRef={inputRef}
              onTyping={() => void tellPresence({ typing: true })}
              onBack={onPhone ? toList : null}
              onVisitor={visitorBeside ? null : () => change({ pane: 'visitor' })}
              onClose={toList}
              {...rights}
            />
          ) : (
            <NothingOpen site={site} overview={overview} onSettings={onSettings} />
          )}
        </div>
      )}
      {isOpen && <Visitor site={site} at={at} isBeside={visitorBeside} isOpen={showsVisitor} onClose={() => change({ pane: 'conversation' })} {...rights} />}
      {at.settings !== '' && (
        <Suspense fallback={null}>
          <SettingsDrawer site={site} tab={at.settings} overview={overview} onClose={() => change({ settings: '' })} {...rights} />
        </Suspense>
      )}
    </div>
  );
}

/** Customer service of a site: conversations, the open one, and who writes it. Everything that is open is in the address. */
export function Component(): ReactElement | null {
  const { siteId } = useParams();
  const site = useAppSelector((state) => selectSite(state, siteId));
  return site === undefined ? null : <Workbench key={site.id} site={site} />;
}
