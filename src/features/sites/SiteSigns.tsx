import { useState } from 'react';
import type { ReactElement } from 'react';
import type { SiteFigures } from '@contract/sites/list';
import { useFormat } from '@/lib/format';
import { useTexts } from '@/lib/useTexts';
import { Icon } from '@/ui/Icon';
import { problemsOf } from './siteRows';
import type { Problem } from './siteRows';

const isGrave = ({ kind }: Problem): boolean => kind === 'down' || kind === 'certificateEnded' || kind === 'certificateFailed';

/** What is wrong with a site, the worst first with its name; without problems, whether a monitored site is reachable. */
export function HealthSigns({ figures }: { readonly figures: SiteFigures }): ReactElement | null {
  const t = useTexts('sites');
  const format = useFormat();
  const [now] = useState(Date.now);
  const problems = problemsOf(figures, now);
  const textOf = (problem: Problem): string => {
    if (problem.kind === 'issues') return t('health.issues', { count: problem.errors, n: format.number(problem.errors) });
    return problem.kind === 'certificateEnds' ? t('health.certificateEnds', { count: problem.days, n: problem.days }) : t(`health.${problem.kind}`);
  };
  if (problems.length > 0)
    return (
      <span className="health-signs">
        {problems.map((problem) => (
          <span
            key={problem.kind}
            className="sign"
            data-tone={isGrave(problem) ? 'bad' : problem.kind === 'issues' ? 'plain' : 'warning'}
            title={textOf(problem)}
          >
            <Icon name={isGrave(problem) ? 'failed' : 'warning'} size={16} />
            <span className="text">{textOf(problem)}</span>
          </span>
        ))}
      </span>
    );
  if (figures.uptime === null || figures.uptime === 'down') return null;
  const text = t(`uptime.${figures.uptime}`);
  return (
    <span className="sign" data-tone={figures.uptime === 'up' ? 'good' : 'plain'} role="img" aria-label={text} title={text}>
      <Icon name={figures.uptime === 'up' ? 'passed' : 'unknown'} size={16} />
    </span>
  );
}

/** Conversations with messages that nobody has read; hidden if there are none. */
export function Unread({ figures }: { readonly figures: Pick<SiteFigures, 'unread'> }): ReactElement | null {
  const t = useTexts('sites');
  const format = useFormat();
  if (figures.unread === null || figures.unread === 0) return null;
  const text = t('figures.unread', { count: figures.unread, n: format.number(figures.unread) });
  return (
    <span className="unread-sign" role="img" aria-label={text} title={text}>
      <Icon name="chat" size={14} />
      {format.compact(figures.unread)}
    </span>
  );
}
