import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { selectNewBuild } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import { useCrumbs } from '../useTrail';

/**
 * What a document load would do and a navigation inside the page does not: the title, the focus on the page's heading, its name read aloud, and
 * newer code when there is some. Returns the text for the live region.
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
    // The next navigation is the moment at which nothing typed can be lost.
    if (newBuild !== null) return location.reload();
    setSaid(title);
    if (hash !== '') return;
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('[data-page-heading]')?.focus({ preventScroll: true });
  }, [pathname, hash, title, newBuild]);

  return said;
}
