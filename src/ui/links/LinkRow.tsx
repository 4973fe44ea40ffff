import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { CopyButton } from '../CopyButton';

/** What every link that works without an account has (`server/kit/publicLinks.ts`). */
export type PublicLinkFacts = {
  readonly name: string;
  readonly url: string;
  readonly hasPassword: boolean;
  readonly expiresAt: string | null;
  /** Why it does not work although it has not expired. */
  readonly stopped: 'account' | 'access' | 'role' | null;
  readonly lastUsedAt: string | null;
  readonly opened: number;
  readonly createdBy: string;
  readonly createdAt: string;
};

type Props = {
  readonly link: PublicLinkFacts;
  /** Time in milliseconds at which the list was opened; decides which links have expired. */
  readonly now: number;
  /** Short marks behind the name, after that of a password. */
  readonly marks?: readonly string[];
  /** What the link opens, one line each. */
  readonly lines?: readonly string[];
  /** Facts before those about expiry and use. */
  readonly facts?: readonly string[];
  readonly openLabel?: string;
  /** Further texts that can be copied while the link works. */
  readonly copies?: readonly { readonly label: string; readonly text: string }[];
  /** An action that is under way. */
  readonly busy: 'end' | 'takeOver' | null;
  /** Accessible names of the buttons that change and end this link. */
  readonly names: { readonly edit: string; readonly end: string };
  /** Absent: it cannot be changed here. */
  readonly onEdit?: (() => void) | undefined;
  readonly onTakeOver: () => void;
  readonly onEnd: () => void;
};

const hasExpired = ({ expiresAt }: PublicLinkFacts, now: number): boolean => expiresAt !== null && Date.parse(expiresAt) <= now;

const Mark = ({ color, children }: { readonly color: string; readonly children: string }): ReactElement => (
  <Typography component="span" variant="caption" sx={{ ml: 1, color, whiteSpace: 'nowrap' }}>
    {children}
  </Typography>
);

const LinkDescription = ({ link, now, marks = [], lines = [], facts = [] }: Props): ReactElement => {
  const { t } = useTranslation('form');
  const format = useFormat();
  const day = (at: string) => format.date(at, { weekday: false });
  const expired = hasExpired(link, now);
  const all = [
    ...facts,
    link.expiresAt === null ? t('link.forever') : t('link.until', { date: day(link.expiresAt) }),
    link.lastUsedAt === null
      ? t('link.unused')
      : t('link.used', { count: link.opened, countText: format.number(link.opened), when: format.relative(link.lastUsedAt) }),
    t('link.madeBy', { name: link.createdBy, date: day(link.createdAt) }),
  ];
  return (
    <Box sx={{ flex: '1 1 240px', minWidth: 0, overflowWrap: 'anywhere' }}>
      <Typography variant="body2" sx={{ fontWeight: 500, ...((expired || link.stopped !== null) && { color: 'text.secondary' }) }}>
        {link.name}
        {expired && <Mark color="error.main">{t('link.expired')}</Mark>}
        {[...(link.hasPassword ? [t('link.locked')] : []), ...marks].map((mark) => (
          <Mark key={mark} color="text.secondary">
            {mark}
          </Mark>
        ))}
      </Typography>
      {link.stopped !== null && (
        <Typography variant="caption" component="div" sx={{ color: 'error.main' }}>
          {t(`link.stopped.${link.stopped}`)}
        </Typography>
      )}
      {[...lines, all.join(' · ')].map((line) => (
        <Typography key={line} variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {line}
        </Typography>
      ))}
    </Box>
  );
};

/** A link that works without an account: what it opens, its protection and use. It can be copied and opened while it works. */
export const LinkRow = (props: Props): ReactElement => {
  const { link, now, openLabel, copies = [], busy, names, onEdit, onTakeOver, onEnd } = props;
  const { t } = useTranslation('form');
  const works = !hasExpired(link, now) && link.stopped === null;
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center', py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <LinkDescription {...props} />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.5, alignItems: 'center' }}>
        {works && <CopyButton text={link.url}>{t('link.copy')}</CopyButton>}
        {works && (
          <Button size="small" component="a" href={link.url} target="_blank" rel="noreferrer">
            {openLabel ?? t('link.open')}
          </Button>
        )}
        {works &&
          copies.map(({ label, text }) => (
            <CopyButton key={label} text={text}>
              {label}
            </CopyButton>
          ))}
        {link.stopped !== null && (
          <Button size="small" onClick={onTakeOver} aria-busy={busy === 'takeOver'} aria-label={t('link.takeOverNamed', { name: link.name })}>
            {t('link.takeOver')}
          </Button>
        )}
        {onEdit && (
          <Button size="small" onClick={onEdit} aria-label={names.edit}>
            {t('link.edit')}
          </Button>
        )}
        <Button size="small" onClick={onEnd} aria-busy={busy === 'end'} aria-label={names.end}>
          {t('link.end')}
        </Button>
      </Box>
    </Box>
  );
};
