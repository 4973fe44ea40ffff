import { Link } from 'react-router-dom';
import { useCurrentLink } from './useCurrentLink';

export type TabLink<T extends string> = {
  readonly id: T;
  readonly name: string;
  readonly to: string;
  /** Shown beside the name: the number of pending items. */ readonly count?: number;
};

/** Tabs of one page, each with its own address. On a narrow screen the row scrolls the current tab into view. */
export const TabLinks = <T extends string>({ label, tabs, current }: { label: string; tabs: readonly TabLink<T>[]; current: T }) => {
  const row = useCurrentLink(current);
  return (
    <nav className="tab-links" aria-label={label} ref={row}>
      {tabs.map((tab) => (
        <Link key={tab.id} to={tab.to} preventScrollReset {...(tab.id === current ? { 'aria-current': 'page' as const } : {})}>
          {tab.name}
          {tab.count !== undefined && tab.count > 0 && <span>{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
};
