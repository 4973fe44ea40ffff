import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Forms of the program's own pages on delivered sites, and the cookies in which browsers store what they earn. Cookies of one host name go to no other site. */

/** A value from outside, of which only texts are used. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A path of the same site, in visible ASCII as in a header; anything else becomes the home page. */
export const pathOf = (back: string): string => (/^\/(?![/\\])[!-[\]-~]{0,1999}$/.test(back) && !back.startsWith('/_site/') ? back : '/');

type FormRequest = FastifyRequest<{ Body: Readonly<Record<string, unknown>> | null | undefined }>;

/** Takes a form; unlike other requests of this listener, its fields arrive by POST. */
export function registerForm(app: FastifyInstance, path: string, answer: (request: FormRequest, reply: FastifyReply) => Promise<unknown>): void {
  void app.register(async (forms) => {
    forms.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 8192 }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    });
    forms.post<{ Body: FormRequest['body'] }>(path, answer);
  });
}

/** The value of a cookie; empty if absent. */
export function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [found = '', ...value] = part.trim().split('=');
    if (found === name) return value.join('=');
  }
  return '';
}

/** Value of `Set-Cookie`, for some seconds. */
export const cookieFor = ({ protocol }: Pick<FastifyRequest, 'protocol'>, name: string, value: string, seconds: number): string =>
  `${name}=${value}; Path=/; Max-Age=${String(seconds)}; HttpOnly; SameSite=Lax${protocol === 'https' ? '; Secure' : ''}`;
