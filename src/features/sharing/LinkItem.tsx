import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Share } from '@contract/shares/schemas';
import { useFilterLabels } from '@/features/analytics/useFilterLabels';
import { LinkRow } from '@/ui/links/LinkRow';
import { useScreenName } from './screens';
import { useRemoveShareMutation, useTakeOverShareMutation } from './sharingApi';
import { useLinkActions } from './useLinkActions';

/** The HTML element that embeds a link's card in another page. */
const embedding = (card: string, name: string, language: string): string =>
  `<iframe src="${card}${language === 'en' ? '?lang=en' : ''}" title="${name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="360" height="180" loading="lazy" style="border:0"></iframe>`;

/** One share as a row: its reports and filters, and its card. */
export const LinkItem = ({ siteId, share, onEdit }: { readonly siteId: string; readonly share: Share; readonly onEdit: () => void }): ReactElement => {
  const { t, i18n } = useTranslation('sharing');
  const filterLabels = useFilterLabels();
  const screenName = useScreenName();
  const [now] = useState(() => Date.now());
  const [remove] = useRemoveShareMutation();
  const [takeOver] = useTakeOverShareMutation();
  const { id, name, card, filters, screens } = share;
  const actions = useLinkActions({
    name,
    endText: t('links.removeText'),
    remove: () => remove({ siteId, id }),
    takeOver: () => takeOver({ siteId, id }),
  });
  const filtered = filters.length === 0 ? [] : [t('links.filtered', { filters: filterLabels(filters).join(t('links.comma')) })];
  return (
    <LinkRow
      link={share}
      now={now}
      marks={card === null ? [] : [t('links.card')]}
      lines={[screens.map(screenName).join(t('links.comma')), ...filtered]}
      copies={card === null ? [] : [{ label: t('links.copyCard'), text: embedding(card, name, i18n.language) }]}
      busy={actions.busy}
      names={{ edit: t('links.editNamed', { name }), end: t('links.removeNamed', { name }) }}
      onEdit={onEdit}
      onTakeOver={() => void actions.takeOver()}
      onEnd={() => void actions.end()}
    />
  );
};
