import type { Generated, GeneratedAlways } from 'kysely'

export interface UserTable {
  user_id: Generated<number>
  user_name: string
  password_hash: string
  nick_name: Generated<string>
  sex: Generated<number>
  city: Generated<string>
  province: Generated<string>
  country: Generated<string>
  language: Generated<string>
  head_img_url: Generated<string>
  reg_ip: Generated<string>
  last_ip: Generated<string>
  wechat: Generated<string>
  phone: Generated<string>
  email: Generated<string>
  role_id: number
  is_all_data: Generated<number>
  status: Generated<number>
  token_version: Generated<number>
  last_login_at: Date | null
  /** Sealed. */
  totp_secret: Buffer | null
  totp_at: Date | null
  totp_step: Generated<number>
  recovery_codes: Generated<string[]>
  /** Rows of `passkey`. */
  passkeys: Generated<number>
  passkey_handle: Generated<string>
  rev: Generated<number>
  created_at: Generated<Date>
}

export interface CaptchaTable {
  code_id: string
  answer: string
  expires_at: Date
}

export interface LoginGuardTable {
  subject: string
  failures: number
  window_start: Date
  frozen_until: Date | null
}

export interface RevokedSessionTable {
  sid: string
  expires_at: Date
}

export interface UserSessionTable {
  sid: string
  user_id: number
  token_version: number
  ip_addr: Generated<string>
  location: Generated<string>
  browser: Generated<string>
  os: Generated<string>
  new_place: Generated<boolean>
  told_at: Date | null
  created_at: Date
  seen_at: Date
}

export interface AccessRequestTable {
  user_id: number
  path: string
  created_at: Date
}

export interface PlatformKeyTable {
  name: string
  /** Sealed. */
  secret: Buffer
  created_at: Generated<Date>
}

export interface PasskeyTable {
  id: GeneratedAlways<number>
  user_id: number
  name: string
  /** As base64url. */
  credential_id: string
  /** COSE. */
  public_key: Buffer
  counter: number
  transports: string[]
  backed_up: boolean
  created_at: Date
  used_at: Date | null
}

export interface PasskeyChallengeTable {
  challenge: string
  purpose: 'sign-in' | 'add' | 'verify'
  user_id: number | null
  expires_at: Date
}
