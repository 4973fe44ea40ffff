import { OutlinedInput } from '@mui/material';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { patternOf } from '@contract/publishing/redirectPattern';
import { createRedirects } from '@contract/publishing/redirects';
import { followRedirects } from '@contract/seo/redirectGraph';
import type { RedirectSite } from '@contract/seo/redirectGraph';
import { Field } from '@/ui/form/Field';
import { Section } from '@/ui/Section';
import { Tag } from '@/ui/Tag';
import type { RedirectList } from './redirectRules';

const tones = { page: 'good', gone: 'info', elsewhere: 'info', loop: 'bad', endless: 'bad' } as const;

/** Follows an address through the redirects as they are edited, hop by hop. */
export function RedirectTester({ redirects, site }: { readonly redirects: RedirectList; readonly site: RedirectSite }): ReactElement {
  const { t } = useTranslation('publishing');
  const [address, setAddress] = useState('');
  const rules = useMemo(() => createRedirects(redirects), [redirects]);
  const typed = address.trim();
  const trail = typed === '' ? null : followRedirects(rules, site, /^https?:\/\//i.test(typed) || typed.startsWith('/') ? typed : `/${typed}`);
  return (
    <Section title={t('redirect.test')} note={t('redirect.testNote')}>
      <Field label={t('redirect.testAddress')}>
        {({ id, ...aria }) => (
          <OutlinedInput
            id={id}
            fullWidth
            value={address}
            placeholder="/old"
            onChange={(event) => setAddress(event.target.value)}
            slotProps={{ input: { ...aria, maxLength: 2000, spellCheck: false } }}
          />
        )}
      </Field>
      {trail && (
        <div role="status">
          <ol className="redirect-trail" aria-label={t('redirect.hops')}>
            {trail.hops.map(({ redirect, location }, at) => (
              // The same location may come twice in a loop.
              <li key={`${String(at)} ${location}`}>
                {location === '' ? '410' : <code>{location}</code>}{' '}
                <span className="publishing-quiet">
                  {redirect ? t('redirect.byRule', { from: patternOf(redirect.from) ?? redirect.from }) : t('redirect.byHost')}
                </span>
              </li>
            ))}
          </ol>
          <Tag tone={tones[trail.end]}>{t(trail.hops.length === 0 && trail.end === 'page' ? 'redirect.end.none' : `redirect.end.${trail.end}`)}</Tag>
        </div>
      )}
    </Section>
  );
}
