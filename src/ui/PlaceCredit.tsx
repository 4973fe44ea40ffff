import { useTranslation } from 'react-i18next';

/** Shown at the foot of every page with place names: the licence of the data (CC BY 4.0) requires a link. */
export const PlaceCredit = () => {
  const { t } = useTranslation('ui');
  return (
    <p className="place-credit">
      {t('placeData')}
      <a href="https://db-ip.com" target="_blank" rel="noreferrer">
        DB-IP
      </a>
    </p>
  );
};
