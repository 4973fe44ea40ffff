import { Component } from 'react';
import type { ReactNode } from 'react';

type Props = { children: ReactNode; onFail: (error: unknown) => void };

/** A menu or dialog whose part failed to load is closed with a notice; the page around it stays. */
export class PartBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFail(error);
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
