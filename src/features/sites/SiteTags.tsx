import type { ReactElement } from 'react';
import type { Site } from '@contract/sites/schemas';
import { useTexts } from '@/lib/useTexts';
import { Icon } from '@/ui/Icon';
import { Tag } from '@/ui/Tag';
import { RemoveDemo } from './RemoveDemo';

const tones = { draft: { tone: 'info' }, maintenance: { tone: 'warning' }, suspended: { tone: 'bad' }, archived: {} } as const;

/** What a site is: demo with the button that removes it, external, its state and visibility unless they are the usual ones, pinned. */
export function SiteTags({ site }: { readonly site: Site }): ReactElement | null {
  const t = useTexts('sites');
  return (
    <span className="site-tags">
      {site.demo && <Tag tone="info">{t('tag.demo')}</Tag>}
      {site.demo && <RemoveDemo site={site} />}
      {site.purpose === 'external' && !site.demo && <Tag>{t('tag.external')}</Tag>}
      {site.state !== 'published' && site.state !== 'deleted' && <Tag {...tones[site.state]}>{t(`state.${site.state}`)}</Tag>}
      {site.visibility !== 'public' && <Tag>{t(`visibility.${site.visibility}`)}</Tag>}
      {site.pinned && (
        <span role="img" aria-label={t('tag.pinned')} title={t('tag.pinned')}>
          <Icon name="pin" size={16} />
        </span>
      )}
    </span>
  );
}

/** Tags that people gave a site: the first ones, and how many more there are. */
export function OwnTags({ site, most = 2 }: { readonly site: Site; readonly most?: number }): ReactElement | null {
  const { tags } = site;
  if (tags.length === 0) return null;
  return (
    <span className="own-tags" title={tags.map(({ name }) => name).join(' · ')}>
      {tags.slice(0, most).map(({ name, color }) => (
        <Tag key={name} color={color}>
          {name}
        </Tag>
      ))}
      {tags.length > most && <span>+{tags.length - most}</span>}
    </span>
  );
}
