import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import type { ResourceVersion } from '@contract/resources/library';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { Icon } from '@/ui/Icon';
import { Section } from '@/ui/Section';
import { useActivateResourceVersionMutation, useResourceVersionsQuery } from '../libraryApi';
import { contentAddress, variantAddress } from '../resourcesApi';
import './library.css';

function VersionPicture({ siteId, id, version }: { readonly siteId: string; readonly id: string; readonly version: ResourceVersion }): ReactElement {
  const of = { id, sha256: version.sha256, rotation: version.rotation, crop: version.crop };
  if (version.kind === 'image') return <img src={variantAddress(siteId, of, 'thumbnail')} alt="" loading="lazy" />;
  return version.kind === 'svg' ? <img src={contentAddress(siteId, of)} alt="" loading="lazy" /> : <Icon name="file" size={24} />;
}

/** Earlier versions of a resource, each of which can become the current one again. Nothing if there are none. */
export function Versions({
  siteId,
  resource,
  mayWrite,
}: {
  readonly siteId: string;
  readonly resource: Resource;
  readonly mayWrite: boolean;
}): ReactElement | null {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const { id, revision } = resource;
  const { data: versions = [] } = useResourceVersionsQuery({ siteId, id });
  const [activate, { isLoading }] = useActivateResourceVersionMutation();
  if (versions.length === 0) return null;
  const use = async (version: number): Promise<void> => {
    const { error } = await activate({ siteId, id, version, revision });
    if (error === undefined) dispatch(noticeShown({ tone: 'good', message: { key: 'resources:versions.done', values: { version } } }));
    else notifyFailure(dispatch, error);
  };
  return (
    <Section title={t('versions.title')} note={t('versions.note')}>
      <ol className="resource-versions">
        {versions.map((version) => (
          <li key={version.version}>
            <span className="resource-picture">
              <VersionPicture siteId={siteId} id={id} version={version} />
            </span>
            <span>
              <b>{t('versions.number', { number: format.number(version.version) })}</b>
              <small>
                {[
                  format.dateTime(version.createdAt),
                  version.by,
                  version.width !== null && version.height !== null ? t('item.pixels', { width: version.width, height: version.height }) : '',
                  bytesText(version.bytes, format),
                ]
                  .filter((text) => text !== '')
                  .join(' · ')}
              </small>
            </span>
            {mayWrite && (
              <Button
                disabled={isLoading}
                aria-label={t('versions.useNamed', { number: format.number(version.version) })}
                onClick={() => void use(version.version)}
              >
                {t('versions.use')}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}
