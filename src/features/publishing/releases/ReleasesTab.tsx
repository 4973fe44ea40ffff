import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Site } from '@contract/sites/schemas';
import { History } from './History';
import { NextRelease } from './NextRelease';

/** What the next release changes, publishing it, and the history with roll-back. */
export function ReleasesTab({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('publishing');
  return (
    <div className="publishing-columns">
      {site.systemHost !== null && (
        <p>
          <a className="text-link" href={site.systemHost} target="_blank" rel="noreferrer">
            {t('visit')}
          </a>{' '}
          <span className="publishing-quiet">{site.systemHost}</span>
        </p>
      )}
      <NextRelease site={site} />
      <History site={site} />
    </div>
  );
}
