import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';

/** What is known of a file without anybody having written it. */
export function ResourceFacts({ resource }: { readonly resource: Resource }): ReactElement {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const { contentType, width, height, durationMs, media, bytes, downloads, lastDownloadedAt, version, createdAt, updatedAt } = resource;
  const codecs = [media?.videoCodec, media?.audioCodec].filter((codec) => codec != null).join(', ');
  const facts = [
    [t('fact.type'), contentType],
    [t('fact.bytes'), bytesText(bytes, format)],
    ...(width === null || height === null ? [] : [[t('fact.pixels'), t('item.pixels', { width, height })]]),
    ...(durationMs === null ? [] : [[t('fact.duration'), format.duration(durationMs / 1000)]]),
    ...(codecs === '' ? [] : [[t('media.fact.codecs'), codecs]]),
    ...(media?.frameRate == null ? [] : [[t('media.fact.frameRate'), t('media.fact.frames', { rate: format.decimal(media.frameRate, 2) })]]),
    [t('fact.downloads'), format.number(downloads)],
    ...(lastDownloadedAt === null ? [] : [[t('fact.lastDownload'), format.dateTime(lastDownloadedAt)]]),
    [t('fact.version'), format.number(version)],
    [t('fact.created'), format.dateTime(createdAt)],
    [t('fact.updated'), format.dateTime(updatedAt)],
  ];
  return (
    <dl className="resource-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
