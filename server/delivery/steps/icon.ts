import { openPageContext } from '../render';
import { storedResponse } from '../stored';
import type { EditionStep } from '../step';

const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' };

/** `/favicon.ico`, which browsers request by themselves, leads to the icon of the settings. */
export const icon: EditionStep = (delivery, edition) => {
  const { path } = delivery;
  const { icon: id } = edition.release.settings;
  if (path !== '/favicon.ico' || id === null) return null;
  return storedResponse(delivery, edition, { path, language: '' }, async () => {
    const { content } = await openPageContext(delivery.services, edition, '');
    const label = (await content.resources([id]))[id];
    return label ? { status: 302, headers: { ...headers, location: label.url }, text: '' } : null;
  });
};
