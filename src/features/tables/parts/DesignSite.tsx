import type { ReactElement, ReactNode } from 'react';
import type { Site } from '@contract/sites/schemas';
import type { ContentTable } from '@contract/tables/schemas';
import type { AppDispatch } from '@/store';
import { designApi } from './designApi';
import { TablesSite } from './TablesSite';

const refresh = (dispatch: AppDispatch, id: string): void =>
  void dispatch(
    designApi.util.invalidateTags([
      { type: 'Table', id },
      { type: 'Design', id },
    ]),
  );

/** `TablesSite` for the screens that design tables. */
export const DesignSite = ({ children }: { readonly children: (site: Site, tables: readonly ContentTable[]) => ReactNode }): ReactElement => (
  <TablesSite refresh={refresh}>{children}</TablesSite>
);
