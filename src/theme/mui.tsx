import type { ComponentType } from 'react';

type Part<P> = { readonly default: ComponentType<P> };

export const loadMui = () => import(/* webpackChunkName: "mui" */ './MuiLook');

/**
 * MUI's theme and styles load with the first part that uses MUI: the frame and the first page do without. Every lazy part that renders components of MUI or
 * `styled` loads through this function, except inside a page that already has them.
 */
export async function withMui<P extends object>(part: Promise<Part<P>>): Promise<Part<P>> {
  const [{ default: Inner }, { MuiLook }] = await Promise.all([part, loadMui()]);
  return {
    default: (props) => (
      <MuiLook>
        <Inner {...props} />
      </MuiLook>
    ),
  };
}
