import { Button } from '@mui/material';
import { Suspense, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { captionAddress } from '@contract/resources/addresses';
import { videoSnippet } from '@contract/resources/snippets';
import type { Caption } from '@contract/resources/media';
import type { Resource } from '@contract/resources/schemas';
import type { Site } from '@contract/sites/schemas';
import { vttLimits } from '@contract/resources/vtt';
import { isFailure } from '@/lib/failure';
import { useLanguageName } from '@/lib/languageName';
import { useConfirm } from '@/ui/confirmContext';
import { CopyButton } from '@/ui/CopyButton';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import { useRemoveResourceCaptionMutation, useResourceConversionsQuery } from './mediaApi';

const CaptionsDialog = lazyWithRetry(() => import('./CaptionsDialog'));

type Props = { readonly site: Site; readonly resource: Resource; readonly captions: readonly Caption[]; readonly mayWrite: boolean };

/** Captions of a video, with their addresses, and code that shows all of it in a page. */
export function Captions({ site, resource, captions, mayWrite }: Props): ReactElement {
  const { t } = useTranslation('resources');
  const languageName = useLanguageName();
  const confirm = useConfirm();
  /** The captions being edited; `new` for others. */
  const [open, setOpen] = useState<Caption | 'new' | null>(null);
  const { data: conversions } = useResourceConversionsQuery({ siteId: site.id, id: resource.id });
  const [remove, { error }] = useRemoveResourceCaptionMutation();
  const { id, visibility } = resource;
  const origin = site.systemHost ?? location.origin;
  const isPublic = visibility === 'public' && resource.deletedAt === null;
  const askToRemove = async ({ language, use, label }: Caption): Promise<void> => {
    const question = { title: t('media.removeTitle', { label }), body: t('media.removeText'), confirm: t('media.remove'), danger: true };
    if (await confirm(question)) await remove({ siteId: site.id, id, language, use });
  };
  return (
    <section className="resource-captions">
      <h3>{t('media.captions')}</h3>
      {captions.length > 0 && (
        <ul>
          {captions.map((caption) => {
            const { language, use, label } = caption;
            return (
              <li key={`${language} ${use}`}>
                <span>
                  <b>{label}</b>
                  <small>
                    {languageName(language)} · {t(`media.use.${use}`)}
                  </small>
                </span>
                {isPublic && <CopyButton text={captionAddress({ origin, id, language, use })} label={t('media.copyAddress', { label })} />}
                {mayWrite && (
                  <>
                    <Button size="small" aria-label={t('media.editNamed', { label })} onClick={() => setOpen(caption)}>
                      {t('media.edit')}
                    </Button>
                    <Button size="small" color="error" aria-label={t('media.removeNamed', { label })} onClick={() => void askToRemove(caption)}>
                      {t('media.remove')}
                    </Button>
                  </>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {isFailure(error) && <ErrorPanel failure={error} />}
      <div className="resource-actions">
        {mayWrite && captions.length < vttLimits.tracks && (
          <Button variant="outlined" onClick={() => setOpen('new')}>
            {t('media.add')}
          </Button>
        )}
        {isPublic && (
          <CopyButton text={videoSnippet({ ...resource, origin, captions, formats: conversions?.files.map(({ format }) => format) ?? [] })}>
            {t('media.copyVideo')}
          </CopyButton>
        )}
      </div>
      {open !== null && (
        <Suspense fallback={null}>
          <CaptionsDialog site={site} resource={resource} caption={open === 'new' ? null : open} others={captions} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </section>
  );
}
