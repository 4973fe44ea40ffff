/** `XMLHttpRequest` as far as uploads use it, by way of `fetch`, which tests replace. */
export class FakeXhr {
  onload: (() => void) | null = null;
  onerror: ((error: unknown) => void) | null = null;
  readonly upload: { onprogress: ((event: unknown) => void) | null } = { onprogress: null };
  status = 0;
  responseText = '';
  #method = '';
  #url = '';
  #headers: Headers | null = null;
  readonly #sent = new Headers();
  readonly #controller = new AbortController();

  open(method: string, url: string): void {
    this.#method = method;
    this.#url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.#sent.set(name, value);
  }
  getResponseHeader(name: string): string | null {
    return this.#headers?.get(name) ?? null;
  }
  abort(): void {
    this.#controller.abort();
  }
  send(body: Blob | null = null): void {
    void this.#send(body);
  }
  async #send(body: Blob | null): Promise<void> {
    try {
      const { signal } = this.#controller;
      const response = await fetch(this.#url, { method: this.#method, headers: this.#sent, ...(body === null ? {} : { body }), signal });
      this.responseText = await response.text();
      if (signal.aborted) return;
      this.status = response.status;
      this.#headers = response.headers;
      this.onload?.();
    } catch (error) {
      if (!this.#controller.signal.aborted) this.onerror?.(error);
    }
  }
}
