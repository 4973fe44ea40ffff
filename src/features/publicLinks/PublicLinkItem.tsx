import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicLink } from '@contract/publicLinks/schemas';
import { useFilterLabels } from '@/features/analytics/useFilterLabels';
import { defineUndo } from '@/features/notices/undoListeners';
import { LinkRow } from '@/ui/links/LinkRow';
import { useScreenName } from './screens';
import { publicLinksApi, useRemovePublicLinkMutation, useTakeOverPublicLinkMutation } from './publicLinksApi';
import { useLinkActions } from './useLinkActions';

/** The HTML element that embeds a link's card in another page. */
const embedding = (card: string, name: string, language: string): string =>
  `<iframe src="${card}${language === 'en' ? '?lang=en' : ''}" title="${name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="360" height="180" loading="lazy" style="border:0"></iframe>`;

const notifyLinkEnded = defineUndo<{ readonly siteId: string; readonly id: string }>('publicLinks/endUndone', (dispatch, link) =>
  dispatch(publicLinksApi.endpoints.restorePublicLink.initiate(link)),
);

/** One public link as a row: its reports and filters, and its card. */
export const PublicLinkItem = ({
  siteId,
  publicLink,
  onEdit,
}: {
  readonly siteId: string;
  readonly publicLink: PublicLink;
  readonly onEdit: () => void;
}): ReactElement => {
  const { t, i18n } = useTranslation('sharing');
  const filterLabels = useFilterLabels();
  const screenName = useScreenName();
  const [now] = useState(() => Date.now());
  const [remove] = useRemovePublicLinkMutation();
  const [takeOver] = useTakeOverPublicLinkMutation();
  const { id, name, card, filters, screens } = publicLink;
  const actions = useLinkActions({
    name,
    endText: t('publicLinks.removeText'),
    remove: () => remove({ siteId, id }),
    takeOver: () => takeOver({ siteId, id }),
    notifyEnded: (dispatch, message) => notifyLinkEnded(dispatch, message, { siteId, id }),
  });
  const filtered = filters.length === 0 ? [] : [t('publicLinks.filtered', { filters: filterLabels(filters).join(t('publicLinks.comma')) })];
  return (
    <LinkRow
      link={publicLink}
      now={now}
      marks={card === null ? [] : [t('publicLinks.card')]}
      lines={[screens.map(screenName).join(t('publicLinks.comma')), ...filtered]}
      copies={card === null ? [] : [{ label: t('publicLinks.copyCard'), text: embedding(card, name, i18n.language) }]}
      busy={actions.busy}
      names={{ edit: t('publicLinks.editNamed', { name }), end: t('publicLinks.removeNamed', { name }) }}
      onEdit={onEdit}
      onTakeOver={() => void actions.takeOver()}
      onEnd={() => void actions.end()}
    />
  );
};
