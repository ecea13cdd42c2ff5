/** Links between the guides as they stand in the files, for the console. Pure. */
import { type HelpPage, helpPages, helpPath } from '#kit/paths.ts'

type GuideLink = { kind: 'inside'; to: string } | { kind: 'outside'; href: string } | { kind: 'none' }

const ofFile = /^(?:\.\/)?([\w-]+)\.md(?:#(.+))?$/

/** A file that is not bundled leads nowhere here: its name stays as text. */
export function resolveLink(target: string, page: HelpPage): GuideLink {
  if (target.startsWith('#')) return { kind: 'inside', to: helpPath(page, decodeURIComponent(target.slice(1))) }
  if (/^https?:\/\//.test(target)) return { kind: 'outside', href: target }
  if (target.startsWith('/')) return { kind: 'outside', href: target }
  const found = ofFile.exec(target)
  const other = helpPages.find(({ key }) => key === found?.[1])
  if (!other) return { kind: 'none' }
  return { kind: 'inside', to: helpPath(other.key, found?.[2] && decodeURIComponent(found[2])) }
}
