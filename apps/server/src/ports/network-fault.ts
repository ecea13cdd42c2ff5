/** Why somebody else's server was not reached, in words. */
import { type Phrase, phrase } from '@ithings/contract/text.ts'

const faults: Record<string, Phrase> = {
  ENOTFOUND: phrase('域名无法解析'),
  EAI_AGAIN: phrase('域名暂时无法解析'),
  ECONNREFUSED: phrase('连接被拒绝'),
  ECONNRESET: phrase('连接被对方中断'),
  EPIPE: phrase('连接被对方中断'),
  ETIMEDOUT: phrase('连接超时'),
  EHOSTUNREACH: phrase('主机不可达'),
  ENETUNREACH: phrase('网络不可达'),
  CERT_HAS_EXPIRED: phrase('对方的证书已过期'),
  DEPTH_ZERO_SELF_SIGNED_CERT: phrase('对方的证书是自签名的'),
  SELF_SIGNED_CERT_IN_CHAIN: phrase('对方的证书链不受信任'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: phrase('对方的证书链不受信任'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: phrase('对方的证书链不受信任'),
  ERR_TLS_CERT_ALTNAME_INVALID: phrase('对方的证书与域名不符'),
  HPE_INVALID_CONSTANT: phrase('对方的应答不是 HTTP'),
}

export function networkFault({ code, message }: { code?: unknown; message?: string }): Phrase {
  const known = typeof code === 'string' ? faults[code] : undefined
  return known ?? phrase('发送失败：{message}', { message: message || String(code ?? '') || phrase('未知错误') })
}

/** Whoever was asked said nothing. */
export const noAnswer = (ms: number): Phrase => phrase('对方 {count} 秒内没有应答', { count: ms / 1000 })

/** A redirect could lead anywhere. */
export const redirected = (status: number): Phrase =>
  phrase('对方要求重定向（HTTP {status}），不跟随，请填写最终地址', { status })
