import { createContext, lazy, use, useEffect, useState } from 'react';
import type { ComponentType, ReactElement } from 'react';
import { PlainFailure } from './PlainFailure';

const RetryContext = createContext<() => void>(() => undefined);

/**
 * A component whose code loads when it is first rendered, while the nearest `Suspense` waits. If the code does not arrive, a failure with a button
 * replaces the component alone; the code is requested again with that button, when the network is back, and when the component opens again.
 */
export function lazyWithRetry<P extends object>(load: () => Promise<{ readonly default: ComponentType<P> }>): (props: P) => ReactElement {
  type Part = { readonly default: ComponentType<P> };
  const attempt = () => lazy((): Promise<Part> => load().catch(() => ({ default: makeFailed() })));
  let Latest = attempt();
  // Another component each time, or React would keep the one of the previous attempt, whose effect has already run.
  const makeFailed = () =>
    function Failed(): ReactElement {
      const retry = use(RetryContext);
      useEffect(() => {
        Latest = attempt();
        addEventListener('online', retry);
        return () => removeEventListener('online', retry);
      }, [retry]);
      return <PlainFailure onRetry={retry} />;
    };
  return function LazyPart(props) {
    const [Current, setCurrent] = useState(() => Latest);
    const [retry] = useState(() => () => setCurrent(() => Latest));
    return (
      <RetryContext value={retry}>
        <Current {...props} />
      </RetryContext>
    );
  };
}
