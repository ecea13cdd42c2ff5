/** DATABASE_URL in the form of libpq, with several hosts before the path: one address for each. Pure. */
import { phrase } from '@ithings/contract/text.ts'
import { TerminalError } from '#terminal.ts'

const form = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/
const oneHost = /^(\[[0-9a-fA-F:.]+\]|[^:[\],\s]+)(?::(\d{1,5}))?$/
/** Both mean the same to us: a standby takes no writes. */
const understood = ['read-write', 'primary']

export interface DatabaseHost {
  /** For people: no account, no password. */
  name: string
  /** As node-postgres takes it. */
  connectionString: string
}

export class DatabaseUrlError extends TerminalError {}

/** @returns undefined: the address is left as it is, there is nothing to choose */
export function databaseHosts(url: string): DatabaseHost[] | undefined {
  const [, front = '', authority = '', path = '', query = ''] = form.exec(url) ?? []
  const params = new URLSearchParams(query)
  const wanted = params.get('target_session_attrs')
  if (!authority.includes(',') && wanted === null) return undefined
  if (wanted !== null && !understood.includes(wanted))
    throw new DatabaseUrlError(
      phrase('target_session_attrs 只能是 read-write 或 primary，不能是 {wanted}：平台的每个连接都要写入', { wanted }),
    )
  params.delete('target_session_attrs')
  const rest = params.size > 0 ? `${path}?${params}` : path
  return authority.split(',').map((host) => {
    if (!oneHost.test(host))
      throw new DatabaseUrlError(
        phrase('“{host}”不是主机：多个主机写成 postgres://user:password@a:5432,b:5432/db', { host }),
      )
    return { name: host, connectionString: `${front}${host}${rest}` }
  })
}
