/** Which language a terminal speaks, for every program that is started there (docs/design/language.md "Who decides"). */
import type { Language } from './text.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface TerminalPlace {
  env: Environment
  platform: string
  /** Windows has its language here and not in the environment. */
  systemLocale(): string
}

/** By the order of POSIX; an empty variable counts as unset. C, POSIX and every other language are English. */
export function terminalLanguage({ env, platform, systemLocale }: TerminalPlace): Language {
  const named = env.LC_ALL || env.LC_MESSAGES || env.LANG
  const locale = named || (platform === 'win32' ? systemLocale() : '')
  return /^zh(?![a-z])/i.test(locale) ? 'zh' : 'en'
}

/** Of the process that is running, for its first lines. */
export const terminalOf = ({ env, platform }: { env: Environment; platform: string }): Language =>
  terminalLanguage({ env, platform, systemLocale: () => Intl.DateTimeFormat().resolvedOptions().locale })
