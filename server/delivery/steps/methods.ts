import { plainResponse } from '../response';
import type { Step } from '../step';

export const methods: Step = ({ method }) => (method === 'GET' || method === 'HEAD' ? null : plainResponse(405, '', { allow: 'GET, HEAD' }));
