import { createServer } from 'node:net';
import { flagOf } from './settings';
import { StartFailure } from './terminalTexts';

export type PortSetting = 'PORT' | 'DELIVERY_PORT' | 'TLS_PORT';
export type Listening = { readonly listen: (where: { readonly host: string; readonly port: number }) => Promise<unknown> };

/** Opens the port and releases it: a port in use is reported before any store is started. Port 0 is always free. */
export async function checkPort(host: string, port: number, setting: PortSetting): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => reject(portFailure(error, host, port, setting)));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
}

/** Starts listening; on every loopback address if the host is `localhost`. */
export async function listen(app: Listening, host: string, port: number, setting: PortSetting): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw portFailure(error as NodeJS.ErrnoException, host, port, setting);
  }
}

function portFailure(cause: NodeJS.ErrnoException, host: string, port: number, setting: PortSetting): Error {
  const flag = `npm start -- ${flagOf(setting)} ${port + 100}`;
  switch (cause.code) {
    case 'EADDRINUSE':
      return new StartFailure(
        {
          en: `Port ${port} is taken by another program. Stop that program, or choose another port: ${flag}`,
          zh: `端口 ${port} 已被其他程序占用。请停止该程序，或换一个端口：${flag}`,
        },
        { cause },
      );
    case 'EACCES':
      return new StartFailure(
        { en: `This account may not listen on port ${port}. Choose another port: ${flag}`, zh: `当前账户无权监听端口 ${port}。请换一个端口：${flag}` },
        { cause },
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartFailure({ en: `HOST=${host} is not an address of this machine.`, zh: `HOST=${host} 不是本机的地址。` }, { cause });
    default:
      return cause;
  }
}
