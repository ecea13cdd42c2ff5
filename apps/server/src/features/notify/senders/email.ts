import { kept, phrase, say } from '@ithings/contract/text.ts'
import { createTransport } from 'nodemailer'
import { storableText } from '#db/json-text.ts'
import { translatorOf } from '#http/answer-language.ts'
import { within } from '#ports/within.ts'
import { type Answer, failure, type Outgoing, type Sender } from './sender.ts'

export interface Mailer {
  send: Sender
  close(): void
}

const connections = 4
/** A whole mail may take so many times the limit of one step; below the lease of the outbox. */
const stepsAtMost = 3

interface MailError extends Error {
  code?: string
  responseCode?: number
  rejected?: string[]
}

const reasons: Record<string, string> = {
  EAUTH: '邮件服务器拒绝登录，请检查 SMTP_URL 中的账号和密码',
  EENVELOPE: '邮件服务器拒绝了发件人或收件人',
  ECONNECTION: '无法连接邮件服务器',
  ESOCKET: '无法连接邮件服务器',
  ECONNREFUSED: '邮件服务器拒绝连接',
  EDNS: '邮件服务器的域名无法解析',
  ETIMEDOUT: '邮件服务器没有应答',
  ETLS: '与邮件服务器的加密连接失败',
}

function toFailure(error: MailError): Answer {
  const reason = phrase((error.code && reasons[error.code]) ?? '邮件发送失败')
  // What the server refuses for good (5xx) it refuses again; a login may be repaired meanwhile.
  const code = error.responseCode ?? 0
  const said = kept('{reason}：{message}', { reason, message: storableText(error.message) })
  return failure(said, { code, final: code >= 500 && error.code === 'EENVELOPE' })
}

function textOf({ title, content, sourceName, productID, deviceName, language }: Outgoing): string {
  const lines = [phrase('来源：{sourceName}', { sourceName })]
  if (deviceName) lines.push(phrase('设备：{productID} / {deviceName}', { productID, deviceName }))
  const by = translatorOf(language)
  return [content || title, '', '--', ...lines.map((line) => say(line, by))].join('\n')
}

/** `?from=` of SMTP_URL, else the account when it is an address, else one that names the server. */
function senderOf(url: URL): string {
  const given = url.searchParams.get('from')
  if (given) return given
  const user = decodeURIComponent(url.username)
  return user.includes('@') ? user : `ithings@${url.hostname}`
}

export function makeMailer(smtpUrl: string | undefined, timeoutMs: number): Mailer {
  if (!smtpUrl) {
    return {
      send: async () => failure(kept('未设置 SMTP_URL，不能发送邮件，请联系管理员'), { final: true }),
      close: () => undefined,
    }
  }
  const url = new URL(smtpUrl)
  const from = senderOf(url)
  url.searchParams.delete('from')
  const transport = createTransport({
    url: url.href,
    pool: true,
    maxConnections: connections,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // A lost idle connection is opened again by the next mail; unheard, the event would end the process.
  transport.on('error', () => undefined)

  const deliver = async (message: Outgoing): Promise<Answer> => {
    try {
      const info = await transport.sendMail({
        from: { name: 'iThings', address: from },
        to: message.settings.to,
        subject: message.title,
        text: textOf(message),
        ...(message.attachment && {
          attachments: [{ filename: message.attachment.name, content: message.attachment.content() }],
        }),
        // The same for every try, so that mail systems can fold a repetition.
        messageId: `<ithings-${message.id}-${message.createdTime}@${url.hostname}>`,
      })
      const code = Number(/^\d{3}/.exec(info.response)?.[0] ?? 250)
      // The others have it: trying again would send it to them twice.
      const recipients = info.rejected.join(', ')
      const warning = recipients && kept('部分收件人被拒绝：{recipients}', { recipients })
      return { ok: true, code, msg: info.response, ...(warning && { warning }) }
    } catch (cause) {
      return toFailure(cause as MailError)
    }
  }
  // Each step has its own limit, which ends the connection; giving up a mail that goes on would send it twice.
  const whole = stepsAtMost * timeoutMs
  return {
    send: (message) =>
      within(whole, deliver(message), () => failure(kept('邮件服务器 {count} 秒内没有完成', { count: whole / 1000 }))),
    close: () => transport.close(),
  }
}
