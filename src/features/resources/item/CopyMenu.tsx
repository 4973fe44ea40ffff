import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { resourceAddress } from '@contract/resources/addresses';
import type { Resource } from '@contract/resources/schemas';
import { pictureSnippet, srcsetOf } from '@contract/resources/snippets';
import type { Site } from '@contract/sites/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { copyText } from '@/lib/copyText';
import { useAppDispatch } from '@/store/hooks';
import { ActionMenu } from '../ActionMenu';

/** Copies where readers of the site get a public file, and code that shows it. */
export function CopyMenu({ site, resource }: { readonly site: Site; readonly resource: Resource }): ReactElement {
  const { t } = useTranslation(['resources', 'ui']);
  const dispatch = useAppDispatch();
  const { kind, alt } = resource;
  // Sites whose pages are hosted elsewhere get their files from the host of the console.
  const addressed = { ...resource, origin: site.systemHost ?? location.origin };
  const picture = kind === 'image' || kind === 'svg' ? { ...addressed, kind, alt: alt[site.defaultLang] ?? Object.values(alt)[0] ?? '' } : null;
  const copy = async (text: string): Promise<void> => {
    const copied = await copyText(text);
    dispatch(noticeShown({ tone: copied ? 'good' : 'warning', message: { key: copied ? 'ui:copied' : 'ui:copyFailed' }, for: 3000 }));
  };
  const action = (label: string, textOf: () => string) => ({ label, onChoose: () => void copy(textOf()) });
  return (
    <ActionMenu
      label={t('ui:copy')}
      text={t('ui:copy')}
      actions={[
        action(t('item.copyAddress'), () => resourceAddress(addressed)),
        ...(picture
          ? [action(t('address.html'), () => pictureSnippet(picture, 'html')), action(t('address.markdown'), () => pictureSnippet(picture, 'markdown'))]
          : []),
        ...(picture?.kind === 'image' ? [action(t('address.picture'), () => pictureSnippet(picture, 'picture'))] : []),
        ...(picture?.kind === 'image' && picture.width !== null && picture.height !== null
          ? [action(t('address.srcset'), () => srcsetOf({ ...picture, width: picture.width ?? 0, height: picture.height ?? 0 }))]
          : []),
      ]}
    />
  );
}
