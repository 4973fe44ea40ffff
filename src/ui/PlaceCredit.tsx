import { useTranslation } from 'react-i18next';

/** Stands at the foot of every page that names places: the licence of the data (CC BY 4.0) asks for a link. */
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
