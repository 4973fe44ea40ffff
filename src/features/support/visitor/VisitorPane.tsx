import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router-dom';
import { deviceTypes, sourceTypes } from '@contract/analytics/terms';
import { mayOnSite } from '@contract/permissions';
import type { SupportVisitor } from '@contract/support/conversations';
import type { Site } from '@contract/sites/schemas';
import { flagOf } from '@/lib/flag';
import { useFormat } from '@/lib/format';
import { useLanguageName } from '@/lib/languageName';
import { writeSearch } from '@/lib/searchState';
import { usePlaces } from '@/lib/usePlaces';
import { useRuleTexts } from '@/features/crawler/rules/useRuleTexts';
import { href } from '@/routes/paths';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { Tag } from '@/ui/Tag';
import { address } from '../address';
import { useSupportVisitorQuery } from '../supportApi';
import { VisitorActions } from './VisitorActions';
import { VisitorForm } from './VisitorForm';

type Props = {
  readonly site: Site;
  readonly conversation: string;
  readonly mayReply: boolean;
  readonly mayConfigure: boolean;
  readonly onBack: (() => void) | null;
};

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement => (
  <section aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
);

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement | null =>
  children === '' || children === null ? null : (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname + new URL(url).search : url);
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
/** Addresses come from the visitor's browser: only those of the web become links. */
const PageLink = ({ url, title }: { readonly url: string; readonly title: string }): ReactElement =>
  /^https?:\/\//i.test(url) ? (
    <a className="text-link" href={url} target="_blank" rel="noopener noreferrer" title={url}>
      {title === '' ? pathOf(url) : title}
    </a>
  ) : (
    <span title={url}>{title === '' ? url : title}</span>
  );

function Now({ visitor, site }: { readonly visitor: SupportVisitor; readonly site: Site }): ReactElement | null {
  const { t } = useTranslation('support');
  const format = useFormat();
  const rules = useRuleTexts();
  const { page, issues, online } = visitor;
  if (page === null) return null;
  return (
    <Part title={t(online ? 'visitor.pageNow' : 'visitor.lastPage')}>
      <p className="support-page">
        <PageLink url={page.url} title={page.title} />
        <small dir="ltr">{pathOf(page.url)}</small>
        <small>{t('visitor.since', { time: format.relative(page.at) })}</small>
      </p>
      {issues !== null && issues.length > 0 && (
        <div className="support-issues">
          <b>{t('visitor.issues')}</b>
          <ul>
            {issues.map(({ rule, severity, count }) => (
              <li key={rule}>
                <Tag tone={severity === 'error' ? 'bad' : severity === 'warning' ? 'warning' : 'info'}>{rules.text(rule, 'name')}</Tag>
                {count > 1 && <small>×{format.number(count)}</small>}
              </li>
            ))}
          </ul>
          {mayOnSite(site.role, 'crawler.read') && (
            <Link
              className="text-link"
              to={`${href('developer.crawler.site', { siteId: site.id })}?${new URLSearchParams({ tab: 'pages', q: pathOf(page.url) }).toString()}`}
            >
              {t('visitor.openInspector')}
            </Link>
          )}
        </div>
      )}
    </Part>
  );
}

function Pages({ pages, visits, mayRead }: Pick<SupportVisitor, 'pages' | 'visits'> & { readonly mayRead: boolean }): ReactElement {
  const { t } = useTranslation('support');
  const format = useFormat();
  return (
    <Part title={t('visitor.pages')}>
      {pages === null && !mayRead ? (
        <p className="support-quiet">{t('visitor.pagesHidden')}</p>
      ) : pages === null || pages.length === 0 ? (
        <p className="support-quiet">{t('visitor.noPages')}</p>
      ) : (
        <ol className="support-pages">
          {pages.map(({ at, url, title, seconds }) => (
            <li key={`${at} ${url}`}>
              <time dateTime={at} title={format.dateTime(at, { seconds: true })}>
                {format.time(at)}
              </time>
              <PageLink url={url} title={title} />
              {seconds !== null && <small>{format.duration(seconds)}</small>}
            </li>
          ))}
        </ol>
      )}
      {visits !== null && visits > 0 && <p className="support-quiet">{t('visitor.visits', { count: visits, countText: format.number(visits) })}</p>}
    </Part>
  );
}

function Origin({ visitor }: { readonly visitor: SupportVisitor }): ReactElement {
  const { t, i18n } = useTranslation('support');
  const format = useFormat();
  const places = usePlaces();
  const languageName = useLanguageName();
  const { source, country, region, city, device, system, browser, language, address: network, firstSeenAt } = visitor;
  const channel = sourceTypes.find((one) => one === source.channel);
  const deviceType = deviceTypes.find((one) => one === device);
  const flag = flagOf(country);
  const locale = i18n.language === 'en' ? 'en' : 'zh-CN';
  const named = [places?.countryName(country, locale) ?? country, places?.provinceName(region, locale) ?? region, places?.cityName(city, locale) ?? city];
  // A city that is a province has its name once.
  const place = [...new Set(named)].filter((one) => one !== '').join(' · ');
  return (
    <Part title={t('visitor.origin')}>
      <dl className="support-facts">
        <Fact name={t('visitor.source')}>
          {source.channel === '' && source.referrer === ''
            ? t('visitor.direct')
            : [channel === undefined ? source.channel : t(`visitor.channels.${channel}`), hostOf(source.referrer)].filter((one) => one !== '').join(' · ')}
        </Fact>
        <Fact name={t('visitor.campaign')}>{[source.campaign, source.medium].filter((one) => one !== '').join(' · ')}</Fact>
        <Fact name={t('visitor.landing')}>{source.landing === '' ? '' : <PageLink url={source.landing} title="" />}</Fact>
        <Fact name={t('visitor.place')}>{place === '' ? '' : `${flag === null ? '' : `${flag} `}${place}`}</Fact>
        <Fact name={t('visitor.device')}>
          {[deviceType === undefined ? device : t(`visitor.devices.${deviceType}`), system, browser].filter((one) => one !== '').join(' · ')}
        </Fact>
        <Fact name={t('visitor.language')}>{language === '' ? '' : languageName(language)}</Fact>
        <Fact name={t('visitor.network')}>{network}</Fact>
        <Fact name={t('visitor.firstSeen')}>{format.dateTime(firstSeenAt)}</Fact>
      </dl>
    </Part>
  );
}

function Earlier({ visitor, conversation }: { readonly visitor: SupportVisitor; readonly conversation: string }): ReactElement | null {
  const { t } = useTranslation('support');
  const format = useFormat();
  const [params] = useSearchParams();
  const others = visitor.conversations.filter(({ id }) => id !== conversation);
  if (others.length === 0) return null;
  return (
    <Part title={t('visitor.earlier')}>
      <ul className="support-earlier">
        {others.map(({ id, number, state, subject, startedAt, text }) => (
          <li key={id}>
            <Link to={`?${writeSearch(address, params, { conversation: id, pane: 'conversation' }).toString()}`} preventScrollReset>
              <span dir="auto">{subject === '' ? text : subject}</span>
              <small>
                #{number} · {t(`state.${state}`)} · {format.date(startedAt, { weekday: false })}
              </small>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** Who writes: what they said about themselves, the page they are on, their way here, and what came before. */
export function VisitorPane({ site, conversation, mayReply, mayConfigure, onBack }: Props): ReactElement {
  const { t } = useTranslation('support');
  const result = useSupportVisitorQuery({ siteId: site.id, id: conversation }, { refetchOnMountOrArgChange: true });
  return (
    <>
      <header className="support-visitor-head">
        {onBack && (
          <IconButton label={t('visitor.back')} onClick={onBack}>
            <Icon name="left" />
          </IconButton>
        )}
        <h2>{t('visitor.title')}</h2>
      </header>
      <div className="support-visitor">
        <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
          {(visitor) => (
            <>
              <VisitorForm key={visitor.id} siteId={site.id} visitor={visitor} mayReply={mayReply} />
              <Now visitor={visitor} site={site} />
              <Pages pages={visitor.pages} visits={visitor.visits} mayRead={mayReply || mayOnSite(site.role, 'analytics.read')} />
              <Origin visitor={visitor} />
              <Earlier visitor={visitor} conversation={conversation} />
              {mayReply && <VisitorActions siteId={site.id} visitor={visitor} mayConfigure={mayConfigure} />}
            </>
          )}
        </ResultState>
      </div>
    </>
  );
}
