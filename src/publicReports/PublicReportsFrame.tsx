import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useLocation } from 'react-router-dom';
import type { OpenReports } from '@contract/publicLinks/schemas';
import { changeLocale } from '@/i18n';
import { useFormat } from '@/lib/format';
import type { FlatNode } from '@/routes/paths';
import { LanguageChoice } from '@/sign/LanguageChoice';
import { EmptyState } from '@/ui/EmptyState';
import { TabLinks } from '@/ui/TabLinks';
import { publicReportsMessages } from './publicReportsMessages';

type Screen = FlatNode & { readonly to: string };

function usePublicReportsMessages() {
  const { i18n } = useTranslation();
  const locale = i18n.language === 'en' ? ('en' as const) : ('zh-CN' as const);
  return { messages: publicReportsMessages[locale], locale };
}

/** The frame of a public report: its owner, the other reports, and the language switch. Range and filters carry over. */
export function PublicReportsFrame({ view, screens }: { readonly view: OpenReports; readonly screens: readonly Screen[] }): ReactElement {
  const { t } = useTranslation('nav');
  const { messages, locale } = usePublicReportsMessages();
  const format = useFormat();
  const { pathname, search } = useLocation();
  const current = screens.find(({ to }) => to === pathname);
  return (
    <div className="public-reports-frame">
      <a className="skip" href="#content">
        {messages.skip}
      </a>
      <header>
        <b>{view.site?.name}</b>
        <span>
          {messages.readOnly}
          {view.expiresAt !== null && ` · ${messages.until.replace('{{date}}', format.date(view.expiresAt, { weekday: false }))}`}
        </span>
        <LanguageChoice locale={locale} setLocale={(next) => void changeLocale(next)} label={messages.language} className="languages" />
      </header>
      {screens.length > 1 && (
        <TabLinks
          label={messages.label}
          current={current?.to ?? ''}
          tabs={screens.map(({ node, to }) => ({ id: to, name: node.title === undefined ? '' : t(node.title), to: `${to}${keptSearch(search)}` }))}
        />
      )}
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** Parameters that every report understands: range, comparison, filters. */
const reportParams = ['range', 'from', 'to', 'compare', 'cfrom', 'cto', 'who', 'filter'];
function keptSearch(search: string): string {
  const params = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => reportParams.includes(name)));
  return params.size === 0 ? '' : `?${params.toString()}`;
}

export function ReportNotPublic({ to }: { readonly to: string }): ReactElement {
  const { messages } = usePublicReportsMessages();
  return (
    <EmptyState
      title={messages.nowhere}
      action={
        <Link className="text-link" to={to}>
          {messages.back}
        </Link>
      }
    />
  );
}
