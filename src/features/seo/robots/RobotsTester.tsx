import { NativeSelect, OutlinedInput } from '@mui/material';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { parseRobots, robotsVerdict } from '@contract/seo/robots';
import { aiAgents, searchCrawlers } from '@contract/seo/terms';
import { text as textField, useSearchState } from '@/lib/searchState';
import { Field } from '@/ui/form/Field';
import { Section } from '@/ui/Section';
import { Tag } from '@/ui/Tag';

const crawlers = [...searchCrawlers.slice(1), ...aiAgents];

/** Other screens name an address. */
const fields = { path: textField('/', 2000) };

/** Whether a crawler may request an address with the file as it is on the screen, and which line decides. */
export function RobotsTester({ text }: { readonly text: string }): ReactElement {
  const { t } = useTranslation('seo');
  const [{ path }] = useSearchState(fields);
  const [agent, setAgent] = useState<string>('Googlebot');
  const [address, setAddress] = useState(path);
  const robots = useMemo(() => parseRobots(text), [text]);
  const verdict = address.trim() === '' ? null : robotsVerdict(robots, agent, address.trim());
  return (
    <Section title={t('robots.test')} note={t('robots.testNote')}>
      <div className="robots-test">
        <Field label={t('robots.crawler')}>
          {({ id, ...aria }) => (
            <NativeSelect id={id} fullWidth inputProps={aria} value={agent} input={<OutlinedInput />} onChange={({ target }) => setAgent(target.value)}>
              {crawlers.map((value) => (
                <option key={value}>{value}</option>
              ))}
            </NativeSelect>
          )}
        </Field>
        <Field label={t('robots.address')}>
          {({ id, ...aria }) => (
            <OutlinedInput
              id={id}
              fullWidth
              value={address}
              onChange={(event) => setAddress(event.target.value)}
              slotProps={{ input: { ...aria, maxLength: 2000, spellCheck: false } }}
            />
          )}
        </Field>
      </div>
      {verdict && (
        <p role="status">
          <Tag tone={verdict.allowed ? 'good' : 'bad'}>{t(verdict.allowed ? 'robots.allowed' : 'robots.refused')}</Tag>{' '}
          {verdict.rule
            ? t('robots.byRule', { line: verdict.rule.line, rule: `${verdict.rule.allow ? 'Allow' : 'Disallow'}: ${verdict.rule.path}` })
            : t('robots.noRule')}
        </p>
      )}
    </Section>
  );
}
