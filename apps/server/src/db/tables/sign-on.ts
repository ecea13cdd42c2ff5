import type { FactorTrust, RoleRule } from '@ithings/contract/features/sign-on.ts'
import type { Generated, GeneratedAlways } from 'kysely'
import type { JsonDefault } from '../json-column.ts'
import type { Sealed } from '../sealed-column.ts'

export interface SignOnProviderTable {
  id: GeneratedAlways<number>
  key: string
  name: string
  name_en: Generated<string>
  issuer: string
  client_id: string
  client_secret: Generated<Sealed>
  scopes: string
  status: number
  user_name_claim: string
  nick_name_claim: string
  email_claim: string
  create_users: boolean
  default_role: number | null
  rules: JsonDefault<RoleRule[]>
  role_each_time: boolean
  factor: FactorTrust
  acr_values: Generated<string>
  end_session: boolean
  rev: Generated<number>
  created_at: Generated<Date>
}

export interface UserIdentityTable {
  provider_id: number
  subject: string
  user_id: number
  created_at: Generated<Date>
  last_login_at: Date | null
}

export interface SignOnSessionTable {
  sid: string
  provider_id: number
  subject: string
  provider_sid: string
  id_token: Sealed
}

export interface SignOnSpentTable {
  id: string
  expires_at: Date
}
