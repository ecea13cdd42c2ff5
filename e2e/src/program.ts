/** How the platform's program is run: where it lies and what its environment is. */
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Account {
  account: string
  password: string
}

export const administrator: Account = { account: 'administrator', password: 'Walk-through-1' }
/** A platform whose administrator's password the walk knows. */
export const knownAdmin = { ADMIN_PASSWORD: administrator.password }

/** Of the template and of every platform on a copy of it: a database belongs to its key. */
export const templateKey = { SECRET_KEY: '7'.repeat(64) }

/** Any free ports, no captcha, a database of its own unless DATABASE_URL is among the wishes. */
export function platformEnv(wishes: Record<string, string>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, ...inherited } = process.env
  // What it prints is read here in English, whatever language the developer's terminal has.
  return { ...inherited, LC_ALL: 'C', PORT: '0', MQTT_PORT: '0', HOST: '127.0.0.1', CAPTCHA: 'off', ...wishes }
}
