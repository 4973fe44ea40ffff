import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Resource } from '@contract/resources/schemas';
import { useAppStore } from '@/store/hooks';
import { useFailureMessage } from '@/ui/ErrorPanel';

/** Uploads files by the queue of the tab; `waiting`: files under way. The list of uploads shows their progress and lets failed ones be tried again. */
export function useFileUploads(siteId: string) {
  const store = useAppStore();
  const { t } = useTranslation(['tableFields', 'ui']);
  const messageOf = useFailureMessage();
  const [waiting, setWaiting] = useState(0);
  const [error, setError] = useState<string | null>(null);
  const upload = async (files: readonly File[], onDone: (resources: readonly Resource[]) => void): Promise<void> => {
    setError(null);
    setWaiting((count) => count + files.length);
    const end = (count: number): void => setWaiting((before) => Math.max(0, before - count));
    try {
      const { uploadFiles } = await import(/* webpackChunkName: "uploads" */ '@/features/resources/uploads/uploadFiles');
      uploadFiles(store, siteId, files, ({ resources, failed }) => {
        end(files.length);
        const [first] = failed;
        setError(first?.failure ? t('files.uploadFailed', { reason: messageOf(first.failure) }) : null);
        if (resources.length > 0) onDone(resources);
      });
    } catch {
      end(files.length);
      setError(t('files.uploadFailed', { reason: t('ui:offline') }));
    }
  };
  return { waiting, error, upload: (files: readonly File[], onDone: (resources: readonly Resource[]) => void): void => void upload(files, onDone) };
}
