/** What goes wrong, as one sentence for whoever sits at the terminal, and the number that the program ends with. */
import { t } from '@ithings/contract/text.ts'

/** Scripts tell by them what happened; the last three are those of sysexits. */
export const ExitCode = { refused: 1, changes: 2, usage: 64, unreachable: 69, denied: 77, interrupted: 130 } as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

export class Failure extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = ExitCode.refused, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

export const usageFailure = (message: string): Failure => new Failure(message, ExitCode.usage)

const codeOf = (error: unknown): string => {
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    const { code, name } = one as { code?: unknown; name: string }
    if (typeof code === 'string') return code
    if (name === 'TimeoutError') return 'ETIMEDOUT'
  }
  return ''
}

/** Of a call that had no answer. */
export function unreachable(url: string, error: unknown): Failure {
  const { host } = new URL(url)
  const code = codeOf(error)
  const sentence = () => {
    if (code === 'ECONNREFUSED') return t('无法连接 {host}：那里没有程序在监听', { host })
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return t('无法连接 {host}：找不到这个名字的主机', { host })
    if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'UND_ERR_HEADERS_TIMEOUT')
      return t('{host} 没有及时回答', { host })
    if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(code))
      return t('{host} 不使用 TLS，请改用 http://', { host })
    if (/CERT|SIGNATURE|ISSUER|SSL|TLS/.test(code))
      return t('不信任 {host} 的证书（{code}）；自己的证书机构用环境变量 NODE_EXTRA_CA_CERTS 给出', { host, code })
    return t('与 {host} 的连接失败（{code}）', { host, code: code || (error instanceof Error ? error.message : '') })
  }
  return new Failure(sentence(), ExitCode.unreachable, { cause: error })
}
