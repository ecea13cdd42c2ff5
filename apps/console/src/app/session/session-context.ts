import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { Menu } from '@ithings/contract/features/menus.ts'
import type { NewSignIn } from '@ithings/contract/features/sessions.ts'
import type { readConfig } from '@ithings/contract/features/settings.ts'
import type { UserInfo } from '@ithings/contract/features/users.ts'
import { createContext, useContext } from 'react'

/** spec 3: session info. The configuration is undefined when it could not be read. */
export interface Session {
  info: UserInfo
  menu: Menu[]
  newSignIns: NewSignIn[]
  mustEnrol: boolean
  withheld: string[]
  /** The role through whose eyes an administrator looks. */
  previewing: { role: number; name: string } | undefined
  config: DataOf<typeof readConfig> | undefined
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is used outside of SessionGate')
  return session
}
