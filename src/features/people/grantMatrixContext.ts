import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import type { Grants } from '@contract/people/schemas';
import type { SiteRole } from '@contract/permissions';
import type { GrantDraft, GrantTable } from './grantDraft';
import type { CellPosition } from './grantGrid';
import type { useGrantGrid } from './useGrantGrid';

/** What all rows and cells of the matrix share. */
export type Matrix = {
  readonly sites: Grants['sites'];
  readonly table: GrantTable;
  readonly draft: GrantDraft;
  /** Cells that somebody else changed meanwhile. */
  readonly overrun: ReadonlySet<string>;
  readonly columns: ReturnType<typeof useGrantGrid>['columns'];
  readonly active: CellPosition;
  readonly onActivate: (position: CellPosition) => void;
  /** Opens the menu of roles at a cell. */
  readonly onMenu: (anchor: HTMLElement, key: string) => void;
};

export const MatrixContext = createContext<Matrix | null>(null);

export function useMatrix(): Matrix {
  const matrix = useContext(MatrixContext);
  if (!matrix) throw new Error('useMatrix outside the grant matrix');
  return matrix;
}

/** A role as text; null: no access. */
export function useRoleText(): (role: SiteRole | null) => string {
  const { t } = useTranslation('people');
  return (role) => (role === null ? t('grants.none') : t(`siteRole.${role}`));
}
