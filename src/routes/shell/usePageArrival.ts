import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { selectNewBuild } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import { useCrumbs } from '../useTrail';

/**
 * Does what a document load would do on a navigation within the page: sets the title, focuses the page's heading, announces its name, and loads newer
 * code if there is any. Returns the text for the live region.
 */
export function usePageArrival(): string {
  const { pathname, hash } = useLocation();
  const { i18n } = useTranslation();
  const crumbs = useCrumbs();
  const newBuild = useAppSelector(selectNewBuild);
  const title = crumbs
    .slice(-3)
    .map((crumb) => crumb.label)
    .reverse()
    .join(' · ');
  const arrivedAt = useRef(pathname);
  const [said, setSaid] = useState('');

  useEffect(() => {
    document.title = title === '' ? 'Sitewright' : `${title} · Sitewright`;
  }, [title, i18n.language]);

  useEffect(() => {
    if (arrivedAt.current === pathname) return;
    arrivedAt.current = pathname;
    // A navigation is the moment at which no input can be lost.
    if (newBuild !== null) return location.reload();
    setSaid(title);
    if (hash !== '') return;
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true });
  }, [pathname, hash, title, newBuild]);

  return said;
}
