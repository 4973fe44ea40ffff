export function contrast(a: string, b: string): number;
export function mix(color: string, other: string, percentage?: number): string;
export function readableOn(color: string, background: string, least?: number): string;
export function textOn(color: string): string;
