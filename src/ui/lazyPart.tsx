import { Suspense, lazy } from 'react';
import type { ComponentType, ReactElement } from 'react';

/** A component whose code loads on first render; `Failed` replaces it if the code does not arrive. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>, Failed: ComponentType<P>): (props: P) => ReactElement {
  const Part = lazy(() =>
    load().then(
      (part): { default: ComponentType<P> } => ({ default: part }),
      () => ({ default: Failed }),
    ),
  );
  return (props) => (
    <Suspense fallback={null}>
      <Part {...props} />
    </Suspense>
  );
}
