import { useEffect, useState } from 'react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { withMessages } from '@/i18n';
import { withMui } from '@/theme/mui';
import { PlainFailure } from '@/ui/PlainFailure';
import { withReload } from '../loadPart';

const load = async (): Promise<ComponentType> => {
  const page = import(/* webpackChunkName: "account-security" */ '@/features/account/security/EnrolPage');
  return (await withMui(withMessages(page, ['security', 'form']))).default;
};

/** The page shown instead of the console until a second factor is set up; loaded lazily. */
export const EnrolHost = () => {
  const { t } = useTranslation('shell');
  const [part, setPart] = useState<{ Page: ComponentType } | 'failed' | null>(null);
  useEffect(() => {
    let gone = false;
    withReload(load, () => null).then(
      (Page) => gone || setPart({ Page }),
      () => gone || setPart('failed'),
    );
    return () => {
      gone = true;
    };
  }, []);
  if (part === null)
    return (
      <p role="status" className="gate-line">
        {t('loadingPart')}
      </p>
    );
  if (part !== 'failed') return <part.Page />;
  return (
    <main className="gate">
      <PlainFailure />
    </main>
  );
};
