import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Release } from '@contract/publishing/schemas';
import type { Site } from '@contract/sites/schemas';
import { useFormat } from '@/lib/format';
import { Tag } from '@/ui/Tag';
import { useFailureText } from './useFailureText';

type Props = {
  readonly site: Site;
  readonly release: Release;
  /** Null for people who may not publish. */
  readonly onCancel: (() => void) | null;
  readonly onRollBack: (() => void) | null;
};

function StateTag({ release }: { readonly release: Release }): ReactElement | null {
  const { t } = useTranslation('publishing');
  if (release.live) return <Tag tone="good">{t('history.live')}</Tag>;
  if (release.state === 'scheduled') return <Tag tone="info">{t('history.scheduled')}</Tag>;
  if (release.state === 'failed') return <Tag tone="bad">{t('history.failed')}</Tag>;
  return release.state === 'cancelled' ? <Tag>{t('history.cancelled')}</Tag> : null;
}

/** What a release changed, in one line. */
function useSummary(): (release: Release) => string {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  return ({ changedParts, records, rollsBackTo }) => {
    const parts = format.list(changedParts.map((part) => t(`part.${part}`)));
    const texts = [
      rollsBackTo === null ? '' : t('history.rollsBackTo', { number: rollsBackTo }),
      parts === '' ? '' : t('history.changed', { parts }),
      records === 0 ? '' : t('history.records', { count: records, countText: format.number(records) }),
    ].filter((text) => text !== '');
    return texts.length === 0 ? t('history.unchanged') : texts.join(' · ');
  };
}

/** A release in the history: number, state, note, what it changed, who made it and when. */
export function ReleaseRow({ site, release, onCancel, onRollBack }: Props): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const summaryOf = useSummary();
  const failureText = useFailureText();
  const { timeZone } = site;
  const at = release.publishedAt ?? release.createdAt;
  const number = { number: release.number };
  return (
    <li className="publishing-release">
      <div>
        <p>
          <b>{t('history.number', number)}</b> <StateTag release={release} />
        </p>
        {release.note !== '' && <p className="publishing-release-note">{release.note}</p>}
        <p className="publishing-quiet">{summaryOf(release)}</p>
        {release.failure && <p className="publishing-failure">{failureText(release.failure)}</p>}
        <p className="publishing-quiet">
          {release.state === 'scheduled' &&
            release.scheduledFor !== null &&
            `${t('history.due', { when: format.dateTime(release.scheduledFor, { timeZone }) })} · `}
          {release.createdBy?.name ?? t('history.nobody')} · <time dateTime={at}>{format.dateTime(at, { timeZone })}</time>
        </p>
      </div>
      {onCancel && (
        <Button variant="outlined" aria-label={t('history.cancelOf', number)} onClick={onCancel}>
          {t('history.cancel')}
        </Button>
      )}
      {onRollBack && (
        <Button variant="outlined" aria-label={t('history.rollBackOf', number)} onClick={onRollBack}>
          {t('history.rollBack')}
        </Button>
      )}
    </li>
  );
}
