/** Why the broker ends a connection, as the session log keeps it. */
import { kept, type Phrase } from '@ithings/contract/text.ts'
import { brokenText } from './connection.ts'

const slowText = kept('设备接收过慢')
export const silentText = kept('心跳超时')
export const servedText = kept('平台维护')
export const stoppedText = kept('平台停止')
export const standstillText = kept('服务器停顿')
export const tooBigText = kept('报文过大')

export const protocolText = (error: string | Phrase): string => kept('协议错误：{error}', { error })

export const describeError = (error: Error): string => {
  if (error.message === 'drain timeout') return slowText
  if ((error as NodeJS.ErrnoException).code) return brokenText
  return protocolText(error.message)
}
