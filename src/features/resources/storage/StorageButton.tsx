import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { bytesText } from '@/lib/bytes';
import { useFormat } from '@/lib/format';
import { PlainButton } from '@/ui/PlainButton';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import { useResourceStorageQuery } from './storageApi';

const StorageDialog = lazyWithRetry(() => import(/* webpackChunkName: "resource-storage" */ './StorageDialog'));
/** Share of the storage from which the button warns. */
const nearlyFull = 0.9;

/** How much of its storage a site uses; opens the limits. */
export function StorageButton({ siteId }: { readonly siteId: string }): ReactElement | null {
  const { t } = useTranslation('resources');
  const format = useFormat();
  const { data } = useResourceStorageQuery({ siteId });
  const [open, setOpen] = useState(false);
  if (!data) return null;
  const sizes = { used: bytesText(data.usedBytes, format), max: bytesText(data.maxBytes, format) };
  return (
    <>
      <PlainButton
        data-quiet=""
        className="plain-button resource-storage"
        {...(data.usedBytes >= data.maxBytes * nearlyFull ? { 'data-tone': 'bad' } : {})}
        aria-label={t('storage.open', sizes)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t('storage.of', sizes)}
      </PlainButton>
      {open && <StorageDialog siteId={siteId} storage={data} onClose={() => setOpen(false)} />}
    </>
  );
}
