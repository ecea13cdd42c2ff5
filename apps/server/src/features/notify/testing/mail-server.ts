/** A real SMTP server: keeps mails, refuses recipients below `refused.test`, and asks for a login when it is told to. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Mail {
  from: string
  to: string[]
  text: string
}

export interface MailServer {
  port: number
  mails: Mail[]
  connections(): number
  close(): Promise<void>
}

const refusal = (code: number, message: string) => Object.assign(new Error(message), { responseCode: code })

export async function openMailServer(login?: { user: string; pass: string }): Promise<MailServer> {
  const mails: Mail[] = []
  let connections = 0
  const options: SMTPServerOptions = {
    disabledCommands: ['STARTTLS'],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    logger: false,
    onConnect(_session, callback) {
      connections += 1
      callback()
    },
    onAuth(auth, _session, callback) {
      if (auth.username === login?.user && auth.password === login?.pass) callback(null, { user: auth.username })
      else callback(refusal(535, 'Authentication credentials invalid'))
    },
    onRcptTo({ address }, _session, callback) {
      if (address.endsWith('@refused.test')) callback(refusal(550, `No such user ${address}`))
      else if (address.endsWith('@later.test')) callback(refusal(451, 'Try again later'))
      else callback()
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map((one) => one.address),
          text: Buffer.concat(chunks).toString('utf8'),
        })
        callback()
      })
    },
  }
  const server = new SMTPServer(options)
  // A client that hangs up is no fault of the server's.
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  return {
    port: (listening.address() as AddressInfo).port,
    mails,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
