import type { Cause } from '@contract/dashboard/causes';
import { createRedirects } from '@contract/publishing/redirects';
import type { SiteParts } from '@contract/publishing/schemas';
import { followRedirects } from '@contract/seo/redirectGraph';
import type { redirectEndpoints } from '@contract/seo/redirectSchemas';
import type { Site } from '@contract/sites/schemas';
import { Button, FormControlLabel, OutlinedInput, Radio, RadioGroup } from '@mui/material';
import { styled } from '@mui/material/styles';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnreleasedQuery } from '@/features/publishing/publishingApi';
import { isTarget, siteOf } from '@/features/publishing/redirects/redirectRules';
import { useSuggestTargetsQuery } from '@/features/seo/redirects/redirectsApi';
import { readableUrl } from '@/lib/readableUrl';
import type { ResultOf } from '@/store/endpoints';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { FieldNote } from '@/ui/form/Field';
import { Quiet } from '../CardSection';
import type { Fix } from './FixPanel';
import { replaced, useRedirectFix } from './useRedirectFix';

type Part = SiteParts['redirects'];
type Use = ResultOf<(typeof redirectEndpoints)['redirectUse']>;

const Heading = styled('h3')({ margin: '20px 0 4px', fontSize: 'var(--text-body)', fontWeight: 600 });
const Way = styled('p')({ margin: '0 0 4px', overflowWrap: 'anywhere', '&[data-tone="bad"]': { color: 'var(--bad)' } });

/** Where an address leads with other redirects, in one sentence. */
function useOutcome(path: string, use: Use | null) {
  const { t } = useTranslation('dashboard');
  return (content: Part['content']): { readonly text: string; readonly isBad: boolean } => {
    const { hops, end } = followRedirects(createRedirects(content), siteOf(use), path);
    const to = readableUrl(hops.at(-1)?.location ?? '');
    return { text: t(`causes.panel.end.${hops.length === 0 ? 'own' : end}`, { path, to }), isBad: end === 'loop' || end === 'endless' };
  };
}

const Target = ({
  site,
  path,
  value,
  onChange,
}: {
  readonly site: Site;
  readonly path: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactElement => {
  const { t } = useTranslation('dashboard');
  const id = useId();
  const { data } = useSuggestTargetsQuery({ siteId: site.id, path });
  const similar = (data?.rows ?? []).filter((row) => row.path !== path).slice(0, 3);
  return (
    <>
      <label htmlFor={id} className="field-label">
        {t('causes.panel.target')}
      </label>
      <OutlinedInput
        fullWidth
        id={id}
        value={value}
        error={value !== '' && !isTarget(value)}
        onChange={(event) => onChange(event.target.value.trim())}
        slotProps={{
          input: { maxLength: 2000, inputMode: 'url', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false, 'aria-describedby': `${id}-note` },
        }}
      />
      <FieldNote id={`${id}-note`} help={t('causes.panel.targetHelp')} />
      {similar.length > 0 && (
        <div role="group" aria-label={t('causes.panel.similar')}>
          {similar.map((row) => (
            <Button key={row.path} onClick={() => onChange(row.path)}>
              {row.title === '' ? row.path : `${row.title} · ${row.path}`}
            </Button>
          ))}
        </div>
      )}
    </>
  );
};

/** Chooses what happens to the redirect, says what that does, and publishes the redirects alone. */
export function FixForm({
  site,
  path,
  live,
  isLoop,
  redirects,
  use,
  onPublished,
}: {
  readonly site: Site;
  readonly path: string;
  readonly live: NonNullable<Cause['redirect']>;
  /** Whether a crawl came round in a loop, such as by way of another site. */
  readonly isLoop: boolean;
  readonly redirects: Part;
  readonly use: Use | null;
  readonly onPublished: (fix: Fix) => void;
}): ReactElement {
  const { t } = useTranslation('dashboard');
  const legend = useId();
  const loops = isLoop || live.end === 'loop' || live.end === 'endless';
  const [choice, setChoice] = useState<'remove' | 'retarget'>('remove');
  const [target, setTarget] = useState('');
  const { data: unreleased } = useUnreleasedQuery({ siteId: site.id, parts: 'redirects' });
  const { publish, busy, failure, stale } = useRedirectFix(site.id, path);
  const outcomeOf = useOutcome(path, use);
  const rule = redirects.content.find(({ from }) => from === live.from) ?? null;
  const next =
    choice === 'remove' ? null : { ...(rule ?? { origin: 'person' as const, note: '', expiresOn: null }), from: live.from, to: target, status: 301 as const };
  const isReady = next === null || isTarget(target);
  const outcome = isReady ? outcomeOf(replaced(redirects.content, live.from, next)) : null;
  const send = async (): Promise<void> => {
    const fix = await publish(redirects, live.from, next);
    if (fix) onPublished(fix);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Heading>{t('causes.panel.now')}</Heading>
      <Way>{t('causes.panel.rule', { from: live.from, to: live.status === 410 ? '410' : readableUrl(live.to) })}</Way>
      {loops && <Way data-tone="bad">{t('causes.panel.loop')}</Way>}
      <Heading id={legend}>{t('causes.panel.choice')}</Heading>
      {rule === null && <Quiet>{t('causes.panel.removed')}</Quiet>}
      <RadioGroup aria-labelledby={legend} value={choice} onChange={(_event, value) => setChoice(value === 'retarget' ? 'retarget' : 'remove')}>
        <FormControlLabel value="remove" control={<Radio />} label={t('causes.panel.remove')} />
        <FormControlLabel value="retarget" control={<Radio />} label={t('causes.panel.retarget')} />
      </RadioGroup>
      {choice === 'retarget' && <Target site={site} path={path} value={target} onChange={setTarget} />}
      <Heading>{t('causes.panel.after')}</Heading>
      {outcome && (
        <Way role="status" {...(outcome.isBad ? { 'data-tone': 'bad' } : {})}>
          {outcome.text}
        </Way>
      )}
      <Quiet>{t(unreleased?.parts.includes('redirects') ? 'causes.panel.others' : 'causes.panel.alone')}</Quiet>
      {stale && <p role="alert">{t('causes.panel.changed')}</p>}
      {failure && <ErrorPanel failure={failure} />}
      <Button type="submit" variant="contained" disabled={!isReady || outcome?.isBad === true || busy} sx={{ mt: 2 }}>
        {t(busy ? 'causes.live.publishing' : 'causes.panel.publish')}
      </Button>
    </form>
  );
}
